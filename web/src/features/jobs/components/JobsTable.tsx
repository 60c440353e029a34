import { Anchor, Stack, Text } from "@mantine/core";
import type { Job, JobStatus } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useJobs } from "../hooks/useJobs";
import { JOB_STATUS, starterOf } from "../lib/status";
import { JobStatusBadge } from "./JobStatusBadge";

interface JobsTableProps {
  status: JobStatus | undefined;
  routine: boolean;
  onOpen: (id: string) => void;
}

/** Those that somebody waits for, or the routine ones. */
export function JobsTable({ status, routine, onOpen }: JobsTableProps) {
  const jobs = useJobs({ status, routine });
  const columns: Column<Job>[] = [
    {
      key: "name",
      header: "Job",
      cell: (job) => (
        <Stack gap={0} align="flex-start">
          <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onOpen(job.id)}>
            {job.title}
          </Anchor>
          {job.error && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {job.error.message}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: "status", header: "Status", cell: (job) => <JobStatusBadge status={job.status} /> },
    { key: "attempts", header: "Attempts", cell: (job) => `${job.attempts} of ${job.max_attempts}` },
    { key: "actor", header: "Started by", cell: starterOf },
    { key: "queued_at", header: "Queued", cell: (job) => <RelativeTime value={job.queued_at} /> },
    { key: "finished_at", header: "Finished", cell: (job) => <RelativeTime value={job.finished_at} /> },
  ];
  return (
    <PagedRows
      list={jobs}
      what="jobs"
      empty={
        routine ? (
          <Text size="sm" c="dimmed">
            No routine jobs here.
          </Text>
        ) : (
        <EmptyState title={status ? `No jobs are ${JOB_STATUS[status].label.toLowerCase()}` : "No jobs yet"}>
          {status
            ? "Choose another status above."
            : "Work that runs in the background is listed here, with its failures and a way to run it again."}
        </EmptyState>
        )
      }
    >
      {(rows) => <DataTable label={routine ? "Routine jobs" : "Jobs"} columns={columns} rows={rows} rowKey={(job) => job.id} />}
    </PagedRows>
  );
}
