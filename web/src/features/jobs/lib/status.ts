import type { Job, JobStatus } from "@/api/types";

export const JOB_STATUSES = ["todo", "doing", "succeeded", "failed", "cancelled"] as const satisfies readonly JobStatus[];

export const JOB_STATUS: Record<JobStatus, { label: string; color: string }> = {
  todo: { label: "Waiting", color: "blue" },
  doing: { label: "Running", color: "gold" },
  succeeded: { label: "Succeeded", color: "green" },
  failed: { label: "Failed", color: "red" },
  cancelled: { label: "Cancelled", color: "gray" },
};

/** Who started a job: what nobody asked for is the system's, however its log calls it. */
export function starterOf({ actor }: Pick<Job, "actor">): string {
  return actor.name && actor.name !== "system" ? actor.name : "System";
}

export function canRetry(status: JobStatus): boolean {
  return status === "failed";
}

export function canCancel(status: JobStatus): boolean {
  return status === "todo" || status === "doing";
}
