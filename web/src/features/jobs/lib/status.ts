import type { JobStatus } from "@/api/types";

export const JOB_STATUSES = ["todo", "doing", "succeeded", "failed", "cancelled"] as const satisfies readonly JobStatus[];

export const JOB_STATUS: Record<JobStatus, { label: string; color: string }> = {
  todo: { label: "Waiting", color: "blue" },
  doing: { label: "Running", color: "gold" },
  succeeded: { label: "Succeeded", color: "green" },
  failed: { label: "Failed", color: "red" },
  cancelled: { label: "Cancelled", color: "gray" },
};

export function canRetry(status: JobStatus): boolean {
  return status === "failed";
}

export function canCancel(status: JobStatus): boolean {
  return status === "todo" || status === "doing";
}
