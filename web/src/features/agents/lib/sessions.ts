/** How sessions are worded in short. Pure. */

const STATUS: Record<string, { label: string; color: string }> = {
  queued: { label: "Queued", color: "blue" },
  running: { label: "Running", color: "gold" },
  waiting: { label: "Waits for a person", color: "orange" },
  stalled: { label: "Stalled", color: "orange" },
  completed: { label: "Completed", color: "green" },
  failed: { label: "Failed", color: "red" },
  cancelled: { label: "Cancelled", color: "gray" },
};

/** A status that is newer than this page is called as the server calls it. */
export function statusOf(status: string): { label: string; color: string } {
  return STATUS[status] ?? { label: status, color: "gray" };
}

/** How long something took; null while it has no end. */
export function durationText(began: string | null, ended: string | null): string | null {
  if (began === null || ended === null) return null;
  const seconds = (Date.parse(ended) - Date.parse(began)) / 1000;
  if (Number.isNaN(seconds) || seconds < 0) return null;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (Math.round(seconds) < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function tokensText(input: number, output: number): string {
  return input + output === 0 ? "–" : (input + output).toLocaleString("en");
}
