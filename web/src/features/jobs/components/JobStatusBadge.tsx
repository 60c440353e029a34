import { Badge } from "@mantine/core";
import type { JobStatus } from "@/api/types";
import { JOB_STATUS } from "../lib/status";

export function JobStatusBadge({ status }: { status: JobStatus }) {
  const { label, color } = JOB_STATUS[status];
  return <Badge color={color}>{label}</Badge>;
}
