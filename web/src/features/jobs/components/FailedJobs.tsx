import { Alert, Anchor, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import type { Job } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { useJobActions, useJobs } from "../hooks/useJobs";

interface FailedJobsProps {
  /** Whether that there are none is said. */
  alone: boolean;
  onOpen: (id: string) => void;
}

/** Jobs that were given up: what each means and what to do, routine ones among them. */
export function FailedJobs({ alone, onOpen }: FailedJobsProps) {
  const jobs = useJobs({ status: "failed" });
  if (!alone && !jobs.rows?.length) return null;
  const list = (
    <PagedRows
      list={jobs}
      what="failed jobs"
      empty={<EmptyState title="No jobs are failed">Everything that was to be done was done, or is still tried.</EmptyState>}
    >
      {(rows) => (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label="Failed jobs">
          {rows.map((job) => (
            <FailedJob key={job.id} job={job} onOpen={onOpen} />
          ))}
        </Stack>
      )}
    </PagedRows>
  );
  if (alone) return list;
  return (
    <Alert color="red" variant="light" icon={<ExclamationTriangleIcon />} title="Failed: these wait for you" mb="lg">
      {list}
    </Alert>
  );
}

function FailedJob({ job, onOpen }: { job: Job; onOpen: (id: string) => void }) {
  const canManage = useCan()("jobs.team.manage");
  const { retry } = useJobActions();
  return (
    <Paper component="li" withBorder p="sm" radius="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} style={{ flex: "1 1 16rem", minWidth: 0 }} align="flex-start">
          <Anchor component="button" type="button" size="sm" fw={550} ta="left" onClick={() => onOpen(job.id)}>
            {job.title}
          </Anchor>
          <Text size="sm">{job.advice}</Text>
          <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
            {job.error ? `${job.error.type}: ${job.error.message}` : "It says no reason."}
          </Text>
          <Text size="xs" c="dimmed" component="div">
            {`After ${job.attempts} ${job.attempts === 1 ? "attempt" : "attempts"}, `}
            <RelativeTime value={job.finished_at} />
          </Text>
        </Stack>
        {canManage && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Run again: ${job.title}`}
            loading={retry.isPending}
            onClick={() =>
              retry.mutate(job.id, {
                onSuccess: () => notifyDone("The job is queued again."),
                onError: (error) => notifyProblem("The job was not queued", error),
              })
            }
          >
            Run again
          </Button>
        )}
      </Group>
    </Paper>
  );
}
