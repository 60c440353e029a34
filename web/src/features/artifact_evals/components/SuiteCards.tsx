import { Alert, Anchor, Badge, Code, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { ArtifactEvalRun, ArtifactEvalSuite } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { RUN_STATUS, countRecords, isOpen, percent } from "../lib/runs";
import { RunButton } from "./RunButton";
import { HideSuite } from "./ShowSuite";
import { ShareBar } from "./ShareBar";
import classes from "./evals.module.css";

interface SuiteCardsProps {
  suites: readonly ArtifactEvalSuite[];
  problems: readonly string[];
}

export function SuiteCards({ suites, problems }: SuiteCardsProps) {
  return (
    <Stack gap="md">
      {problems.length > 0 && (
        <Alert color="red" icon={<ExclamationTriangleIcon />} title="Some suites could not be loaded">
          {problems.map((problem) => (
            <Text key={problem} size="sm" style={{ overflowWrap: "anywhere" }}>
              {problem}
            </Text>
          ))}
        </Alert>
      )}
      {suites.length === 0 && (
        <EmptyState title="No suite fits this workspace yet">
          A suite is shown once the workspace has the entity type that it judges, or once an admin shows it.
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {suites.map((suite) => (
          <SuiteCard key={suite.slug} suite={suite} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function SuiteCard({ suite }: { suite: ArtifactEvalSuite }) {
  return (
    <article className={classes.card} aria-label={suite.title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Title order={2}>
            <Anchor
              inherit
              c="inherit"
              renderRoot={(props) => (
                <Link to="/artifact-evals/$suite" params={{ suite: suite.slug }} search={{}} {...props} />
              )}
            >
              {suite.title}
            </Anchor>
          </Title>
          <Text size="xs" c="dimmed" mt={2}>
            <Code>{suite.entity_type}</Code> {suite.entity_type_exists && countRecords(suite.records)}
          </Text>
        </div>
        <RunButton suite={suite} variant="default" size="xs" />
      </Group>
      {suite.entity_type_exists ? (
        <LastResult run={suite.newest_run} />
      ) : (
        <Text size="sm" c="dimmed">
          This workspace has no entity type <Code>{suite.entity_type}</Code>, so there is nothing to score.
        </Text>
      )}
      {suite.added && !suite.entity_type_exists && <HideSuite suite={suite} />}
    </article>
  );
}

function LastResult({ run }: { run: ArtifactEvalRun | null }) {
  if (!run) {
    return (
      <Text size="sm" c="dimmed">
        Not run yet.
      </Text>
    );
  }
  const { label, color } = RUN_STATUS[run.status];
  return (
    <Stack gap={8}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {isOpen(run)
            ? `${run.done.toLocaleString("en")} of ${countRecords(run.total)} scored`
            : run.done === 0
              ? "No records were scored"
              : `${run.passed.toLocaleString("en")} of ${countRecords(run.done)} can be trusted`}
        </Text>
        {run.status === "done" ? (
          <Text size="xs" c="dimmed">
            <RelativeTime value={run.finished_at} />
          </Text>
        ) : (
          <Badge color={color}>{label}</Badge>
        )}
      </Group>
      <ShareBar value={isOpen(run) ? percent(run.done, run.total) : percent(run.passed, run.done)} />
    </Stack>
  );
}
