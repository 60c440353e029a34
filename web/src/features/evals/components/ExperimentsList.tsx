import { Anchor, Badge, Button, Group, NativeSelect, Progress, Text } from "@mantine/core";
import { MixIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { Experiment } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useExperiments } from "../hooks/useExperiments";
import { useGoldenSets } from "../hooks/useGoldens";
import { EXPERIMENT_LOOK, EXPERIMENT_STATUSES, findingsWords, isOver } from "../lib/experiments";
import { dollars } from "../lib/numbers";
import { type EvalsSearch, experimentsQuery } from "../lib/search";
import { plural } from "../lib/words";
import { MeasureDialog } from "./MeasureDialog";
import classes from "./evals.module.css";

interface ExperimentsListProps {
  search: EvalsSearch;
  onChange: (part: Partial<EvalsSearch>) => void;
}

/** What was asked of knowledge and what it came to, newest first. */
export function ExperimentsList({ search, onChange }: ExperimentsListProps) {
  const list = useExperiments(search);
  const may = useCan()("evals.team.manage");
  const { rows: sets = [] } = useEveryPage(useGoldenSets());
  const names = sets.map(({ name }) => name);
  const listed = search.set === undefined || names.includes(search.set) ? names : [search.set, ...names];
  const isNarrowed = Object.keys(experimentsQuery(search)).length > 0;
  const measure = may && (
    <Button leftSection={<MixIcon />} onClick={() => onChange({ new: 1 })}>
      Measure lessons…
    </Button>
  );
  return (
    <>
      <div className={classes.listHead}>
        <div className={classes.filters}>
          <NativeSelect
            aria-label="Set"
            value={search.set ?? ""}
            data={[{ value: "", label: "All sets" }, ...listed]}
            onChange={(event) => onChange({ set: event.currentTarget.value || undefined })}
          />
          <NativeSelect
            aria-label="Status"
            value={EXPERIMENT_STATUSES.find((each) => each === search.status) ?? ""}
            data={[{ value: "", label: "Any status" }, ...EXPERIMENT_STATUSES.map((value) => ({ value, label: EXPERIMENT_LOOK[value].label }))]}
            onChange={(event) => onChange({ status: EXPERIMENT_STATUSES.find((each) => each === event.currentTarget.value) })}
          />
        </div>
        {measure}
      </div>
      {search.row && (
        <Group gap="xs" mb="sm">
          <Text size="sm">Only those that measure one row.</Text>
          <Button size="compact-xs" variant="default" onClick={() => onChange({ row: undefined })}>
            Show all
          </Button>
        </Group>
      )}
      <PagedRows
        list={list}
        what="experiments"
        empty={
          isNarrowed ? (
            <EmptyState title="No experiment is like that">Choose other filters to see others.</EmptyState>
          ) : (
            <EmptyState icon={<MixIcon width={20} height={20} />} title="No lesson is measured yet" action={measure}>
              An experiment replays goldens, each time with a random half of the knowledge that applies. What each row is worth then stands beside it, with its
              interval.
            </EmptyState>
          )
        }
      >
        {(rows) => <DataTable label="Experiments" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
      </PagedRows>
      <MeasureDialog
        asked={search.new === 1 && may ? (search.set ? { set: search.set } : {}) : null}
        onClose={() => onChange({ new: undefined })}
      />
    </>
  );
}

const COLUMNS: Column<Experiment>[] = [
  { key: "experiment", header: "Experiment", cell: (each) => <Name experiment={each} /> },
  { key: "status", header: "Status", cell: (each) => <ExperimentBadge experiment={each} /> },
  { key: "found", header: "Found", cell: ({ findings }) => <Text size="sm">{findingsWords(findings)}</Text> },
  { key: "measured", header: "Measured", cell: ({ rows, goldens }) => <span className={classes.number}>{`${plural(rows, "row")}, ${plural(goldens, "golden")}`}</span> },
  { key: "replays", header: "Replays", cell: (each) => <Done experiment={each} /> },
  { key: "cost", header: "Cost", cell: ({ cost }) => <span className={classes.number}>{cost === null ? "–" : dollars(cost)}</span> },
  { key: "began", header: "Began", cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
];

function Name({ experiment: { id, name, setName, setVersion, agent } }: { experiment: Experiment }) {
  return (
    <div className={classes.goldenTitle}>
      <Anchor size="sm" fw={550} dir="auto" renderRoot={(props) => <Link to="/admin/agent-review/evals/experiments/$id" params={{ id }} {...props} />}>
        {name}
      </Anchor>
      <Text size="xs" c="dimmed">
        <bdi>{agent.slug}</bdi> v{agent.version} · <bdi>{setName}</bdi>, version {setVersion}
      </Text>
    </div>
  );
}

export function ExperimentBadge({ experiment: { status, stopped } }: { experiment: Pick<Experiment, "status" | "stopped"> }) {
  const { label, color, means } = EXPERIMENT_LOOK[status];
  const isShort = status === "completed" && stopped !== null;
  return (
    <Badge component="span" size="sm" color={isShort ? "orange" : color} title={isShort ? "It stopped before its last replay" : means} miw="max-content">
      {isShort ? "Stopped early" : label}
    </Badge>
  );
}

function Done({ experiment }: { experiment: Experiment }) {
  const { done, replays, reused } = experiment;
  const there = reused > 0 && (
    <Text span size="xs" c="dimmed">
      {` + ${reused.toLocaleString("en")} reused`}
    </Text>
  );
  if (isOver(experiment)) {
    return (
      <span className={classes.number}>
        {done === replays ? replays.toLocaleString("en") : `${done.toLocaleString("en")} of ${replays.toLocaleString("en")}`}
        {there}
      </span>
    );
  }
  return (
    <div className={classes.done}>
      <span className={classes.number}>
        {done.toLocaleString("en")} of {replays.toLocaleString("en")}
        {there}
      </span>
      <Progress value={replays === 0 ? 0 : (100 * done) / replays} size="sm" aria-label="Replays that are compared" />
    </div>
  );
}
