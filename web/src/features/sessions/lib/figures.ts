/** Durations, tokens and dollars as people read them. Pure. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "420 ms", "2.1 s", "3 min 5 s", "2 h 4 min", "3 d 2 h": two units at most, and no unit that is not full. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return "–";
  const whole = Math.max(0, ms);
  if (whole < SECOND) return `${Math.floor(whole)} ms`;
  if (whole < 10 * SECOND) return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`;
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`;
  if (whole < HOUR) return pair(whole, MINUTE, "min", SECOND, "s");
  if (whole < DAY) return pair(whole, HOUR, "h", MINUTE, "min");
  return pair(whole, DAY, "d", HOUR, "h");
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ""}`;
}

/** 980, "12.3k", "1.2M". */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trim(count / 1000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

function trim(number: number): string {
  return number >= 100 ? String(Math.round(number)) : number.toFixed(1).replace(/\.0$/, "");
}

/** US dollars: cents as usual, less than a cent to two figures that say something. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars >= 0.1) return `$${dollars.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  if (dollars < 0.000_001) return "< $0.000001";
  return `$${Number(dollars.toPrecision(2)).toLocaleString("en", { maximumFractionDigits: 8 })}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
