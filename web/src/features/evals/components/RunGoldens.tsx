import { Anchor, NativeSelect, Text, Title, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { EvalReport, EvalRunDetail, Replay } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import type { PagedList } from "@/api/usePagedList";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useGoldens } from "../hooks/useGoldens";
import { percent } from "../lib/numbers";
import { type GoldenLine, countMoves, fall, goldenLines } from "../lib/runs";
import type { EvalRunSearch } from "../lib/search";
import { MOVE_LOOK } from "../lib/words";
import { FloorBadge, MoveBadge } from "./EvalBadges";
import { goldenTitle } from "./GoldensTable";
import { DotsLegend, OutcomeDots } from "./OutcomeDots";
import classes from "./evals.module.css";

interface RunGoldensProps {
  run: EvalRunDetail;
  /** Null while the run goes on. */
  report: EvalReport | null;
  agent: EvalRunDetail["agents"][number];
  /** Of the agent among those of the run. */
  place: number;
  replays: PagedList<Replay>;
  search: EvalRunSearch;
  onChange: (part: Partial<EvalRunSearch>) => void;
}

/** How each golden went with one agent: counts that narrow the table, and a mark a repeat. */
export function RunGoldens({ run, report, agent, place, replays, search, onChange }: RunGoldensProps) {
  const heading = useId();
  const { rows: goldens = [] } = useEveryPage(useGoldens(run.setName));
  const titles = new Map(goldens.map((golden) => [golden.sessionId, goldenTitle(golden)]));
  const titleOf = (id: string) => titles.get(id) ?? `Golden ${id.slice(-8)}`;
  const counts = report ? countMoves(report) : [];
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <div className={classes.sectionHead}>
        <Title order={2} size="h3" id={heading}>
          Goldens
        </Title>
        {run.agents.length > 1 && (
          <NativeSelect
            aria-label="Agent"
            size="xs"
            value={String(place)}
            data={run.agents.map(({ slug, version }, at) => ({ value: String(at), label: `${slug} v${version}` }))}
            onChange={(event) => onChange({ agent: Number(event.currentTarget.value) || undefined })}
          />
        )}
        <DotsLegend />
      </div>
      {counts.length > 0 && (
        <div className={classes.counts} role="group" aria-label="Narrow by change">
          {counts.map(({ change, count }) => (
            <UnstyledButton
              key={change}
              className={classes.count}
              data-color={MOVE_LOOK[change].color}
              aria-pressed={search.change === change}
              title={MOVE_LOOK[change].means}
              onClick={() => onChange({ change: search.change === change ? undefined : change })}
            >
              <span className={classes.countNumber}>{count}</span> {MOVE_LOOK[change].label}
            </UnstyledButton>
          ))}
        </div>
      )}
      <PagedRows list={replays} what="replays" empty={<EmptyState title="No replays">This run has none.</EmptyState>}>
        {(rows) => {
          const lines = goldenLines(report, rows, agent).filter(({ report: golden }) => !search.change || golden?.change === search.change);
          if (lines.length === 0) return <EmptyState title="No golden is like that">Choose another count to see others.</EmptyState>;
          return <DataTable label="Goldens of the run" columns={columns(titleOf, report !== null)} rows={lines} rowKey={({ goldenId }) => goldenId} />;
        }}
      </PagedRows>
    </section>
  );
}

function columns(titleOf: (id: string) => string, isOver: boolean): Column<GoldenLine>[] {
  const golden: Column<GoldenLine> = {
    key: "golden",
    header: "Golden",
    cell: ({ goldenId, report }) => (
      <div className={classes.goldenTitle}>
        <Anchor size="sm" fw={550} dir="auto" renderRoot={(props) => <Link to="/admin/agent-review/evals/golden/$id" params={{ id: goldenId }} {...props} />}>
          {titleOf(goldenId)}
        </Anchor>
        {(report?.divergence ?? report?.error) && (
          <Text size="xs" c="dimmed" dir="auto" lineClamp={2}>
            {report?.divergence ?? report?.error}
          </Text>
        )}
      </div>
    ),
  };
  const repeats: Column<GoldenLine> = {
    key: "repeats",
    header: "Repeats",
    cell: ({ goldenId, replays }) => <OutcomeDots about={titleOf(goldenId)} dots={replays.map(({ id, outcome }) => ({ id, outcome }))} />,
  };
  if (!isOver) return [golden, repeats];
  return [
    golden,
    { key: "change", header: "Change", cell: ({ report }) => report && <MoveBadge change={report.change} fall={fall(report)} /> },
    repeats,
    {
      key: "baseline",
      header: "Baseline",
      cell: ({ report }) => <span className={classes.number}>{report?.baseline ? `${report.baseline.passes} of ${report.baseline.runs}` : "–"}</span>,
    },
    {
      key: "floor",
      header: "Noise floor",
      cell: ({ report }) => report && <FloorBadge golden={{ floor: report.floor, floorPasses: null, floorRuns: null }} />,
    },
    { key: "accuracy", header: "Accuracy", cell: ({ report }) => <span className={classes.number}>{percent(report?.accuracy ?? null)}</span> },
  ];
}
