import { Alert, Badge, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import type { ArtifactEvalRun } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyProblem } from "@/ui/notify";
import { useArtifactEvalActions } from "../hooks/useArtifactEvals";
import { RUN_STATUS, countRecords, describeOutcome, isOpen, percent } from "../lib/runs";
import classes from "./evals.module.css";

/** How far a run is, or what it came to. */
export function RunOutcome({ run }: { run: ArtifactEvalRun }) {
  return (
    <section className={classes.panel} aria-label="Result" aria-live="polite">
      {isOpen(run) ? <Running run={run} /> : <Over run={run} />}
    </section>
  );
}

function Running({ run }: { run: ArtifactEvalRun }) {
  const canRun = useCan()("artifact_evals.team.manage");
  const { cancel } = useArtifactEvalActions(run.suite);
  const share = percent(run.done, run.total) ?? 0;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" fw={550}>
          {run.status === "queued"
            ? "Waiting for a worker"
            : `Scored ${run.done.toLocaleString("en")} of ${countRecords(run.total)}`}
        </Text>
        {canRun && (
          <Button
            variant="default"
            size="xs"
            loading={cancel.isPending}
            onClick={() =>
              cancel.mutate(run.id, { onError: (error) => notifyProblem("The run was not cancelled", error) })
            }
          >
            Cancel
          </Button>
        )}
      </Group>
      <Progress.Root size={8} radius="xl" style={{ background: "var(--gl-line)" }}>
        <Progress.Section value={share} color="var(--gl-accent)" aria-label="Progress of the run" />
      </Progress.Root>
    </Stack>
  );
}

function Over({ run }: { run: ArtifactEvalRun }) {
  const share = percent(run.passed, run.done);
  const { label, color } = RUN_STATUS[run.status];
  return (
    <Stack gap="sm">
      {run.error && (
        <Alert color="red" icon={<ExclamationTriangleIcon />} title="The run failed">
          {run.error}
        </Alert>
      )}
      <Group justify="space-between" align="flex-end" gap="md">
        <div>
          <div className={classes.big}>{share === null ? "–" : `${share} %`}</div>
          <Text size="sm" mt={4}>
            {describeOutcome(run)}
          </Text>
        </div>
        <Group gap={8}>
          {run.status !== "done" && <Badge color={color}>{label}</Badge>}
          <Text size="xs" c="dimmed">
            <RelativeTime value={run.finished_at} /> by {run.created_by.name ?? "somebody who left"}
          </Text>
        </Group>
      </Group>
    </Stack>
  );
}
