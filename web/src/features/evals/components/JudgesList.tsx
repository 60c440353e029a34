import { Anchor, Button, NativeSelect, Text } from "@mantine/core";
import { ReaderIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { EvalJudge } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useJudges } from "../hooks/useJudges";
import { LICENCE_STATUSES, STATUS_FILTER, kappaLine } from "../lib/judges";
import { percent } from "../lib/numbers";
import type { EvalsSearch } from "../lib/search";
import { LicenceBadge } from "./LicenceBadge";
import classes from "./evals.module.css";

interface JudgesListProps {
  search: EvalsSearch;
  onChange: (part: Partial<EvalsSearch>) => void;
}

/** Who has judged replays, and whose word people have checked. */
export function JudgesList({ search, onChange }: JudgesListProps) {
  const list = useJudges({ status: search.licence, set: search.set });
  const mayLabel = useCan()("evals.team.label");
  return (
    <>
      <div className={classes.filters}>
        <NativeSelect
          aria-label="Licence"
          value={search.licence ?? ""}
          data={[{ value: "", label: "Any licence" }, ...LICENCE_STATUSES.map((value) => ({ value: value as string, label: STATUS_FILTER[value] }))]}
          onChange={(event) => onChange({ licence: LICENCE_STATUSES.find((each) => each === event.currentTarget.value) })}
        />
        {mayLabel && (
          <Button variant="default" miw="max-content" renderRoot={(props) => <Link to="/admin/agent-review/evals/labelling" {...props} />}>
            Label replays
          </Button>
        )}
      </div>
      <PagedRows
        list={list}
        what="judges"
        empty={
          search.licence ? (
            <EmptyState title="No judge is like that">Choose another licence to see others.</EmptyState>
          ) : (
            <EmptyState icon={<ReaderIcon width={20} height={20} />} title="No judge has judged anything">
              Replays of goldens with a criteria set are judged by a language model, where one is configured. Until people have checked its word, it is
              shown and decides nothing.
            </EmptyState>
          )
        }
      >
        {(rows) => <DataTable label="Judges" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
      </PagedRows>
    </>
  );
}

const COLUMNS: Column<EvalJudge>[] = [
  { key: "judge", header: "Judge", cell: (judge) => <JudgeName judge={judge} /> },
  { key: "licence", header: "Licence", cell: ({ licence }) => <LicenceBadge licence={licence} /> },
  { key: "kappa", header: "Beside people", cell: ({ licence }) => <span className={classes.number}>{kappaLine(licence)}</span> },
  {
    key: "judged",
    header: "Judged",
    cell: ({ judged, passed }) => (
      <span className={classes.number}>
        {judged.toLocaleString("en")}
        {judged > 0 && (passed === null ? ", withheld while labelled" : `, ${percent(passed / judged)} pass`)}
      </span>
    ),
  },
  { key: "last", header: "Last", cell: ({ lastAt }) => <RelativeTime value={lastAt} /> },
];

function JudgeName({ judge: { id, rubric, model, current, openSampleId } }: { judge: EvalJudge }) {
  return (
    <div>
      <Anchor size="sm" fw={550} dir="auto" renderRoot={(props) => <Link to="/admin/agent-review/evals/judges/$id" params={{ id }} {...props} />}>
        {rubric.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        <bdi>{model ?? "A model that is not known"}</bdi>
        {!current && " · asked no more"}
        {openSampleId && " · being labelled"}
      </Text>
    </div>
  );
}
