import { Anchor, Badge, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { ExperimentDetail, ExperimentRow } from "@/api/types";
import { StateBadge, TypeBadge } from "@/features/knowledge/components/KnowledgeBadges";
import { LABEL_LOOK, NO_VALUE_LOOK, byWhat, evidenceWords, figureOf, fixed, lostWords, pairsWords, valueParts, valueScale } from "@/features/knowledge/lib/value";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { IntervalMark } from "@/ui/chart/IntervalMark";
import type { Scale } from "@/ui/chart/scale";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { byEvidence, figuresOf, pWords, pairedOf } from "../lib/experiments";
import { plural } from "../lib/words";
import classes from "./evals.module.css";

/** Each row with what was found about it, the clearest first, all intervals on one scale. */
export function ExperimentRows({ experiment }: { experiment: ExperimentDetail }) {
  const heading = useId();
  const { results, stale } = experiment;
  const figures = figuresOf(results);
  const scale = valueScale(figures);
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <div className={classes.sectionHead}>
        <Title order={2} size="h3" id={heading}>
          Rows
        </Title>
        {figures.length > 0 && (
          <Text size="xs" c="dimmed">
            By how much more often replays pass with the row, in points of 100, with the 95% interval. The line is zero; all are drawn from {fixed(scale.from)} to{" "}
            {fixed(scale.to)}.
          </Text>
        )}
      </div>
      {results.length === 0 ? (
        <EmptyState title="Nothing is found yet">What each row is worth stands here once replays are compared.</EmptyState>
      ) : (
        <DataTable label="Rows of the experiment" columns={columns(scale, stale)} rows={byEvidence(results)} rowKey={({ rowId }) => rowId} />
      )}
    </section>
  );
}

function columns(scale: Scale, isStale: boolean): Column<ExperimentRow>[] {
  return [
    { key: "row", header: "Row", cell: (row) => <Words row={row} /> },
    { key: "found", header: "Found", cell: (row) => <Found row={row} /> },
    { key: "worth", header: "Worth", cell: (row) => <Worth row={row} scale={scale} isStale={isStale} /> },
    { key: "n", header: "n", cell: (row) => <Counted row={row} /> },
    { key: "p", header: "p, adjusted", cell: ({ adjustedP, p }) => <span className={classes.number} title={p === null ? undefined : `Before: ${pWords(p)}`}>{pWords(adjustedP)}</span> },
    { key: "pairs", header: "With and without", cell: (row) => <Pairs row={row} /> },
    { key: "tokens", header: "Tokens", cell: ({ tokens }) => <span className={classes.number}>{tokens.toLocaleString("en")}</span> },
  ];
}

function Words({ row: { rowId, content, type, state, changed } }: { row: ExperimentRow }) {
  const mayManage = useCan()("knowledge.team.manage");
  if (content === null) return <Text size="sm" c="dimmed">{`Deleted since (${rowId.slice(-8)})`}</Text>;
  return (
    <div className={classes.rowWords}>
      <Text size="sm" fw={550} dir="auto" lineClamp={3}>
        {mayManage ? (
          <Anchor size="sm" fw={550} renderRoot={(props) => <Link to="/admin/agent-review/knowledge" search={{ row: rowId }} {...props} />}>
            {content}
          </Anchor>
        ) : (
          content
        )}
      </Text>
      <span className={classes.badges}>
        {type && <TypeBadge type={type} />}
        {state && <StateBadge state={state} />}
        {changed && (
          <Badge component="span" size="sm" color="orange" title="What was measured are its words as they were" miw="max-content">
            Says something else now
          </Badge>
        )}
      </span>
    </div>
  );
}

function Found({ row: { label, reason, flagged, confirmed } }: { row: ExperimentRow }) {
  if (label === null) return <Text size="sm" c="dimmed" className={classes.number}>Not yet</Text>;
  const { label: words, color, sign, means } = LABEL_LOOK[label];
  const isFinding = label === "measured" || label === "harmful";
  return (
    <span className={classes.badges}>
      <Badge component="span" size="sm" color={color} title={reason ? NO_VALUE_LOOK[reason].means : means} miw="max-content" leftSection={<span aria-hidden>{sign}</span>}>
        {reason === "never_applied" ? "Never applied" : words}
      </Badge>
      {isFinding && (
        <Badge component="span" size="sm" color="gray" title={confirmed ? "Pairs of replays with it and without it say so too" : "Only replays with a random half of all rows say so"} miw="max-content">
          {confirmed ? "Confirmed" : "Not confirmed"}
        </Badge>
      )}
      {flagged && !isFinding && label !== "flagged" && (
        <Badge component="span" size="sm" color="gray" title="It showed an effect among the others; pairs did not confirm it" miw="max-content">
          Flagged, not confirmed
        </Badge>
      )}
    </span>
  );
}

function Worth({ row, scale, isStale }: { row: ExperimentRow; scale: Scale; isStale: boolean }) {
  if (row.label === null) return <>–</>;
  const measured = { ...row, label: row.label };
  const figure = row.label === "unmeasured" ? null : figureOf(measured);
  if (!figure) {
    return (
      <Text size="sm" c="dimmed" maw={220}>
        {row.reason ? `${NO_VALUE_LOOK[row.reason].means}.` : "Unmeasured"}
      </Text>
    );
  }
  const { head, figure: words } = valueParts(measured, false);
  return (
    <div className={classes.worth} data-old={isStale || undefined}>
      <IntervalMark value={figure.delta} low={figure.low} high={figure.high} scale={scale} isPale={isStale || row.changed} />
      <Text size="xs" className={classes.number}>
        {(words ?? head).replace(/, n\u00a0.*$/, "")}
      </Text>
    </div>
  );
}

function Counted({ row: { label, n, basis, present, absent, lostPresent, lostAbsent, targeted, guard } }: { row: ExperimentRow }) {
  if (label === null) return <>–</>;
  const sides = [targeted, guard].filter((side) => side !== null);
  const isPairs = basis === "pairs";
  const lost = isPairs
    ? lostWords(
        sides.reduce((sum, side) => sum + side.lostWith, 0),
        sides.reduce((sum, side) => sum + side.lostWithout, 0),
      )
    : lostWords(lostPresent, lostAbsent);
  return (
    <span className={classes.counted} title={basis ? `By ${byWhat({ n, basis })}` : undefined}>
      {n.toLocaleString("en")}
      <Text component="div" size="xs" c="dimmed">
        {isPairs ? "pairs" : `${present} with, ${absent} without`}
      </Text>
      {lost && (
        <Text component="div" size="xs" c="dimmed" maw={160} style={{ whiteSpace: "normal" }}>
          {lost}
        </Text>
      )}
    </span>
  );
}

function Pairs({ row }: { row: ExperimentRow }) {
  const sides = [
    { name: "Learnt from", pairs: pairedOf(row.targeted) },
    { name: "Others", pairs: pairedOf(row.guard) },
  ];
  const there = sides.flatMap(({ name, pairs }) => (pairs ? [{ name, pairs }] : []));
  if (there.length === 0) return <>–</>;
  return (
    <div className={classes.rowPairs}>
      {there.map(({ name, pairs }) => (
        <div key={name} title={pairsWords(pairs)}>
          <Text size="xs">{`${name}: ${pairs.wins} better, ${pairs.losses} worse of ${plural(pairs.pairs, "pair")}`}</Text>
          <Text size="xs" c="dimmed">
            {evidenceWords(pairs)}
          </Text>
        </div>
      ))}
      {row.harmExcluded !== null && (
        <Text size="xs" c="dimmed">
          Harm to over {Math.round(row.harmExcluded * 100)}% of goldens like these is ruled out
        </Text>
      )}
    </div>
  );
}
