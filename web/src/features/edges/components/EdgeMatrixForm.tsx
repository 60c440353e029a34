import { Button, Group, Kbd, Pagination, Stack, Text, Textarea } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useLayoutEffect, useRef, useState } from "react";
import { messageAt } from "@/api/faults";
import type { CriteriaSet, EntityResponse } from "@/api/types";
import { TemporalValueInput } from "@/features/responses/components/TemporalValueInput";
import { ErrorState, FormProblem, LoadingRows } from "@/ui/states";
import { useConnections } from "../hooks/useConnections";
import { useEdgeMatrix } from "../hooks/useEdgeMatrix";
import { type Connection, countGone } from "../lib/edgeMatrix";
import classes from "./EdgeMatrix.module.css";
import { EdgeMatrixCards } from "./EdgeMatrixCards";
import { EdgeMatrixDraftNotice } from "./EdgeMatrixDraftNotice";
import { EdgeMatrixGrid } from "./EdgeMatrixGrid";
import { EdgeMatrixScore } from "./EdgeMatrixScore";
import { NothingConnected } from "./NothingConnected";

const PAGE = { wide: 50, narrow: 10 }; // rows that are drawn at once: 50 stay quick to type in, 10 to scroll through

interface EdgeMatrixFormProps {
  entityId: string;
  criteriaSet: CriteriaSet;
  onSubmitted: (response: EntityResponse) => void;
  onCancel?: (() => void) | undefined;
}

/** Rates the connections of a record, all of them or some. */
export function EdgeMatrixForm(props: EdgeMatrixFormProps) {
  const fieldKey = props.criteriaSet.scope?.fieldKey ?? "";
  const { query, connections, cut } = useConnections(props.entityId, fieldKey);
  if (connections === undefined) {
    if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
    return <LoadingRows label="connections" />;
  }
  if (connections.length === 0) return <NothingConnected entityId={props.entityId} fieldKey={fieldKey} />;
  return <Matrix {...props} connections={connections} cut={cut} />;
}

type MatrixProps = EdgeMatrixFormProps & { connections: readonly Connection[]; cut: boolean };

function Matrix({ entityId, criteriaSet, onSubmitted, onCancel, connections, cut }: MatrixProps) {
  const matrix = useEdgeMatrix({ entityId, criteriaSet, connections, onSubmitted });
  const { draft, faults, attempts, firstFault } = matrix;
  const narrow = useMediaQuery("(max-width: 48em)") ?? false;
  const pageSize = narrow ? PAGE.narrow : PAGE.wide;
  const pages = Math.ceil(connections.length / pageSize);
  const [chosen, setPage] = useState(0);
  const page = Math.min(chosen, pages - 1);
  // What is wrong may be on another page; it is drawn before the focus goes to it.
  const led = useRef(attempts);
  useLayoutEffect(() => {
    if (led.current === attempts) return; // only a new attempt leads there, not every key after it
    led.current = attempts;
    if (firstFault >= 0) setPage(Math.floor(firstFault / pageSize));
  }, [attempts, firstFault, pageSize]);
  const Rows = narrow ? EdgeMatrixCards : EdgeMatrixGrid;
  return (
    <form ref={matrix.form} onSubmit={matrix.submit} noValidate aria-label={`Response to ${criteriaSet.name}`}>
      <Stack gap="md">
        <EdgeMatrixDraftNotice
          restoredAt={matrix.restoredAt}
          gone={countGone(draft.values, connections)}
          isKept={matrix.isKept}
          onDiscard={matrix.discard}
        />
        <FormProblem>{matrix.head}</FormProblem>
        {criteriaSet.kind === "temporal" && (
          <TemporalValueInput
            temporalKey={criteriaSet.temporal_key}
            value={draft.temporalValue}
            error={messageAt(faults, "/temporal_value")}
            onChange={matrix.setTemporalValue}
          />
        )}
        <Rows
          label={`Ratings of ${connections.length} connected ${connections.length === 1 ? "record" : "records"}`}
          connections={connections}
          dimensions={criteriaSet.dimensions}
          values={draft.values}
          faults={matrix.rows}
          page={page}
          pageSize={pageSize}
          onPage={setPage}
          onChange={matrix.setValue}
        />
        <Pages page={page} pageSize={pageSize} total={connections.length} cut={cut} onPage={setPage} />
        {criteriaSet.dimensions.some(({ required }) => required) && (
          <Text size="xs" c="dimmed">
            * is needed for each record that you say anything about.
          </Text>
        )}
        {!narrow && <KeysHint />}
        <Textarea
          label="Notes"
          description="Why these values; reviewers read it"
          autosize
          minRows={2}
          maxRows={10}
          error={messageAt(faults, "/notes")}
          value={draft.notes}
          onChange={(event) => matrix.setNotes(event.currentTarget.value)}
        />
        <Group justify="space-between" align="center" gap="md" className={classes.foot}>
          <EdgeMatrixScore values={draft.values} connections={connections} dimensions={criteriaSet.dimensions} />
          <Group gap="sm" ml="auto">
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                Cancel
              </Button>
            )}
            <Button type="submit" loading={matrix.isPending}>
              Submit response
            </Button>
          </Group>
          <div role="status" className={classes.outcome}>
            {matrix.nothingWritten && "Nothing was written: no connection has a value yet. Rate at least one of them."}
          </div>
        </Group>
      </Stack>
    </form>
  );
}

interface PagesProps {
  page: number;
  pageSize: number;
  total: number;
  /** There are more connections than a form can hold. */
  cut: boolean;
  onPage: (page: number) => void;
}

function Pages({ page, pageSize, total, cut, onPage }: PagesProps) {
  const pages = Math.ceil(total / pageSize);
  if (pages === 1 && !cut) return null;
  const last = Math.min((page + 1) * pageSize, total);
  return (
    <Group justify="space-between" gap="sm">
      <Text size="xs" c="dimmed">
        {`Rows ${page * pageSize + 1} to ${last} of ${total}${cut ? "; there are more, which a form cannot hold" : ""}`}
      </Text>
      <Pagination
        size="sm"
        total={pages}
        value={page + 1}
        onChange={(next) => onPage(next - 1)}
        getControlProps={(control) => ({ "aria-label": control === "previous" ? "Previous rows" : "Next rows" })}
        getItemProps={(item) => ({ "aria-label": `Page ${item} of the rows` })}
      />
    </Group>
  );
}

function KeysHint() {
  return (
    <Text size="xs" c="dimmed" component="p" m={0}>
      <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd>, <Kbd size="xs">Tab</Kbd>{" "}
      and <Kbd size="xs">Enter</Kbd> move through the cells, <Kbd size="xs">Delete</Kbd> clears one,{" "}
      <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> submits. Rows may stay empty.
    </Text>
  );
}
