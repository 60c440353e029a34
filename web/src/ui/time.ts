/** How a moment is worded: near ones relative to now, all of them exact on request. */
const past = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const PAST_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Unit, its seconds, and the most of it that is worded in it; what is more goes to the next one. */
const FUTURE_UNITS: [Intl.RelativeTimeFormatUnit, number, number][] = [
  ["minute", 60, 59],
  ["hour", 3_600, 23],
  ["day", 86_400, 120], // as people set them: 30, 90 and 120 days stay days
  ["month", 2_629_746, 23],
  ["year", 31_556_952, Number.POSITIVE_INFINITY],
];
const future = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** To the nearest unit: a key that lives 90 days has "90 days" a moment later as well. */
function formatFuture(seconds: number): string {
  for (const [unit, size, most] of FUTURE_UNITS) {
    const count = Math.round(seconds / size);
    if (count <= most) return future.format(count, unit);
  }
  return "";
}

export function formatRelative(iso: string, now: Date): string {
  const seconds = (Date.parse(iso) - now.getTime()) / 1000;
  if (Number.isNaN(seconds)) return iso;
  if (seconds > 0) return seconds < 60 ? "in a moment" : formatFuture(seconds);
  for (const [unit, size] of PAST_UNITS) {
    if (-seconds >= size) return past.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}

export function formatAbsolute(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}
