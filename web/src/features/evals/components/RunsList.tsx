import { Anchor, Badge, Group, NativeSelect, Progress, Text } from "@mantine/core";
import { PlayIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { EvalRun } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useEvalRuns } from "../hooks/useEvalRuns";
import { useGoldenSets } from "../hooks/useGoldens";
import { interval, percent, points } from "../lib/numbers";
import { type EvalsSearch, isNarrowed } from "../lib/search";
import { KINDS_LABEL, KIND_LOOK, OTHER_KINDS, RUN_STATUSES, RUN_STATUS_LOOK, VERDICTS, VERDICT_LOOK } from "../lib/words";
import { AgentPicker } from "./AgentPicker";
import { RunBadge } from "./EvalBadges";
import classes from "./evals.module.css";

interface RunsListProps {
  search: EvalsSearch;
  onChange: (part: Partial<EvalsSearch>) => void;
}

/** Runs with what they came to, newest first. */
export function RunsList({ search, onChange }: RunsListProps) {
  const list = useEvalRuns(search);
  const { rows: sets = [] } = useEveryPage(useGoldenSets());
  return (
    <>
      <div className={classes.filters}>
        <NativeSelect
          aria-label="Set"
          value={search.set ?? ""}
          data={[{ value: "", label: "All sets" }, ...withChosen(sets.map(({ name }) => name), search.set)]}
          onChange={(event) => onChange({ set: event.currentTarget.value || undefined })}
        />
        <NativeSelect
          aria-label="Verdict"
          value={search.verdict ?? ""}
          data={[{ value: "", label: "Any verdict" }, ...VERDICTS.map((value) => ({ value, label: VERDICT_LOOK[value].label }))]}
          onChange={(event) => onChange({ verdict: VERDICTS.find((each) => each === event.currentTarget.value) })}
        />
        <NativeSelect
          aria-label="Status"
          value={RUN_STATUSES.find((each) => each === search.status) ?? ""}
          data={[{ value: "", label: "Any status" }, ...RUN_STATUSES.map((value) => ({ value, label: RUN_STATUS_LOOK[value].label }))]}
          onChange={(event) => onChange({ status: RUN_STATUSES.find((each) => each === event.currentTarget.value) })}
        />
        <AgentPicker chosen={search.agent} onChoose={(agent) => onChange({ agent })} />
        <NativeSelect
          aria-label="Kind"
          value={search.kind ?? ""}
          data={[{ value: "", label: "Comparisons" }, ...OTHER_KINDS.map((value) => ({ value, label: KINDS_LABEL[value] }))]}
          onChange={(event) => onChange({ kind: OTHER_KINDS.find((each) => each === event.currentTarget.value) })}
        />
      </div>
      <PagedRows
        list={list}
        what="runs"
        empty={
          isNarrowed(search) ? (
            <EmptyState title="No run is like that">Choose other filters to see others.</EmptyState>
          ) : (
            <EmptyState icon={<PlayIcon width={20} height={20} />} title="No runs yet">
              Choose “Replay set…” beside a set of goldens, and see here whether an agent still does what it did.
            </EmptyState>
          )
        }
      >
        {(rows) => <DataTable label="Runs" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
      </PagedRows>
    </>
  );
}

function withChosen(names: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || names.includes(chosen) ? [...names] : [chosen, ...names];
}

const COLUMNS: Column<EvalRun>[] = [
  { key: "run", header: "Run", cell: (run) => <RunTitle run={run} /> },
  { key: "verdict", header: "Verdict", cell: (run) => <RunVerdict run={run} /> },
  { key: "agents", header: "Agents", cell: ({ agents, baseline }) => <AgentsOf agents={agents} baseline={baseline} /> },
  { key: "difference", header: "Difference", cell: (run) => <Difference run={run} /> },
  { key: "rate", header: "Pass rate", cell: ({ passRate }) => <span className={classes.number}>{percent(passRate)}</span> },
  { key: "replays", header: "Replays", cell: (run) => <Done run={run} /> },
  { key: "began", header: "Began", cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
];

function RunTitle({ run }: { run: EvalRun }) {
  return (
    <div>
      <Anchor size="sm" fw={550} dir="auto" renderRoot={(props) => <Link to="/admin/agent-review/evals/runs/$id" params={{ id: run.id }} {...props} />}>
        {run.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {run.kind !== "run" && `${KIND_LOOK[run.kind].label} · `}
        <bdi>{run.setName}</bdi>, version {run.setVersion}
      </Text>
    </div>
  );
}

function RunVerdict({ run }: { run: EvalRun }) {
  return (
    <Group gap={6}>
      <RunBadge run={run} />
      {run.confirmed !== null && (
        <Badge component="span" size="sm" color={run.confirmed ? "red" : "gray"} title="Whether fresh repeats say the same" miw="max-content">
          {run.confirmed ? "Confirmed" : "Not confirmed"}
        </Badge>
      )}
      {run.waits && (
        <Badge component="span" size="sm" color="orange" title="Nobody has looked at it yet" miw="max-content">
          Waits
        </Badge>
      )}
    </Group>
  );
}

/** In points, with its interval: never a bare number. */
function Difference({ run: { difference, low, high } }: { run: EvalRun }) {
  if (difference === null || low === null || high === null) return <>–</>;
  return (
    <Text size="sm" className={classes.number} title="To the baseline in points, with its 90% interval">
      {points(difference)}{" "}
      <Text span size="xs" c="dimmed">
        ({interval(low, high)})
      </Text>
    </Text>
  );
}

function AgentsOf({ agents, baseline }: Pick<EvalRun, "agents" | "baseline">) {
  return (
    <Text size="sm">
      {agents.map(({ slug, version }) => `${slug} v${version}`).join(", ")}
      {baseline && (
        <Text span size="xs" c="dimmed">
          {" "}
          against {baseline.slug} v{baseline.version}
        </Text>
      )}
    </Text>
  );
}

function Done({ run: { status, done, replays } }: { run: EvalRun }) {
  if (status !== "running") return <span className={classes.number}>{done === replays ? replays : `${done} of ${replays}`}</span>;
  return (
    <div className={classes.done}>
      <span className={classes.number}>
        {done} of {replays}
      </span>
      <Progress value={replays === 0 ? 0 : (100 * done) / replays} size="sm" aria-label="Replays that are compared" />
    </div>
  );
}
