import { useSyncExternalStore } from "react";
import { formatAbsolute, formatRelative } from "./time";

const TICK_MS = 30_000; // half of the smallest unit shown

let now = new Date();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = new Date();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

interface RelativeTimeProps {
  value: string | null | undefined;
  /** What is shown where there is no moment. */
  none?: string;
}

export function RelativeTime({ value, none = "–" }: RelativeTimeProps) {
  const tick = useSyncExternalStore(subscribe, () => now);
  if (!value) return <>{none}</>;
  // A row may be younger than the last tick.
  const reference = Math.abs(Date.parse(value) - Date.now()) < TICK_MS ? new Date() : tick;
  return (
    <time dateTime={value} title={formatAbsolute(value)} style={{ whiteSpace: "nowrap" }}>
      {formatRelative(value, reference)}
    </time>
  );
}
