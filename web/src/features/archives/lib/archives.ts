import type { Archive } from "@/api/types";

export const isOpen = (archive: Archive | undefined) => archive?.status === "queued" || archive?.status === "running";

/** Of 0 to 100; an archive whose rows nobody has counted yet has begun. */
export function progressOf({ done, total }: Pick<Archive, "done" | "total">): number {
  return total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 0;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"] as const;

/** As people say it: 1,536 bytes are 1.5 KB. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

export const formatCount = (count: number, what: string) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

/** A link that a browser follows by itself: it sends no header, so the address names the workspace. */
export const fileAddress = (id: string, slug: string) => `/api/archives/${id}/file?tenant=${encodeURIComponent(slug)}`;
