import classes from "./feedback.module.css";

/** How many came on each of the last days, the oldest first. */
export function Trend({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  const total = days.reduce((sum, count) => sum + count, 0);
  return (
    <span className={classes.trend} role="img" aria-label={`${total} in the last ${days.length} days`} title={`${total} in the last ${days.length} days`}>
      {days.map((count, day) => (
        // A day is its place: there are always as many.
        <span key={day} data-none={count === 0 || undefined} style={{ height: count === 0 ? undefined : `${Math.max(25, (count / most) * 100)}%` }} />
      ))}
    </span>
  );
}
