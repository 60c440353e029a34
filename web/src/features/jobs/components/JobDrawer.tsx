import { Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { JobDetail } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Drawer } from "@/ui/Modal";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { ErrorState, LoadingRows } from "@/ui/states";
import { useJob, useJobActions } from "../hooks/useJobs";
import { canCancel, canRetry, starterOf } from "../lib/status";
import { JobStatusBadge } from "./JobStatusBadge";

interface JobDrawerProps {
  id: string | undefined;
  onClose: () => void;
}

export function JobDrawer({ id, onClose }: JobDrawerProps) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Job">
      {id && <JobBody id={id} />}
    </Drawer>
  );
}

function JobBody({ id }: { id: string }) {
  const { data: job, error, isPending, refetch } = useJob(id);
  if (isPending) return <LoadingRows label="job" />;
  if (!job) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={3} style={{ overflowWrap: "anywhere" }}>
          {job.title}
        </Title>
        <JobStatusBadge status={job.status} />
      </Group>
      {job.advice && <Text size="sm">{job.advice}</Text>}
      <JobActs job={job} />
      <dl style={{ display: "grid", gridTemplateColumns: "7.5rem minmax(0, 1fr)", gap: "8px 12px", margin: 0 }}>
        <Fact name="Started by">{starterOf(job)}</Fact>
        <Fact name="Attempts">{`${job.attempts} of ${job.max_attempts}`}</Fact>
        <Fact name="Queued">
          <RelativeTime value={job.queued_at} />
        </Fact>
        {job.scheduled_at && (
          <Fact name="Not before">
            <RelativeTime value={job.scheduled_at} />
          </Fact>
        )}
        <Fact name="Started">
          <RelativeTime value={job.started_at} />
        </Fact>
        <Fact name="Finished">
          <RelativeTime value={job.finished_at} />
        </Fact>
        <Fact name="Kind">
          <Code>{job.name}</Code>
        </Fact>
        <Fact name="Id">
          <Code>{job.id}</Code>
        </Fact>
      </dl>
      <Stack gap="xs">
        <Title order={3}>Arguments</Title>
        <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{JSON.stringify(job.args, null, 2)}</Code>
      </Stack>
      <Failures failures={job.failures} />
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: "anywhere" }}>
        {children}
      </Text>
    </>
  );
}

function JobActs({ job }: { job: JobDetail }) {
  const canManage = useCan()("jobs.team.manage");
  const { retry, cancel } = useJobActions();
  if (!canManage || (!canRetry(job.status) && !canCancel(job.status))) return null;
  return (
    <Group>
      {canRetry(job.status) && (
        <Button
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
      {canCancel(job.status) && (
        <Button
          variant="default"
          loading={cancel.isPending}
          onClick={() =>
            cancel.mutate(job.id, {
              onSuccess: () => notifyDone("The job was cancelled."),
              onError: (error) => notifyProblem("The job was not cancelled", error),
            })
          }
        >
          Cancel job
        </Button>
      )}
    </Group>
  );
}

function Failures({ failures }: { failures: JobDetail["failures"] }) {
  if (failures.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={3}>Failures</Title>
      {failures.map((failure) => (
        <Stack key={`${failure.attempt}-${failure.at}`} gap={4}>
          <Text size="sm" fw={550}>
            Attempt {failure.attempt}, <RelativeTime value={failure.at} />
          </Text>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {failure.type}: {failure.message}
          </Text>
          {failure.detail && (
            <Code block tabIndex={0} role="region" aria-label={`Detail of attempt ${failure.attempt}`} mah={320} style={{ overflow: "auto" }}>
              {failure.detail}
            </Code>
          )}
        </Stack>
      ))}
    </Stack>
  );
}
