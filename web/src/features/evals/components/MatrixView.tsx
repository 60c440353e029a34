import { Anchor, NativeSelect, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { EvalMatrix } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { EmptyState } from "@/ui/states";
import { moveInTable } from "@/ui/table/moveInTable";
import { useMatrix } from "../hooks/useEvalRuns";
import { type MatrixOrder, passShare, sortMatrix } from "../lib/matrix";
import { percent } from "../lib/numbers";
import { CONTEXT_LOOK, MODE_LOOK } from "../lib/words";
import { FloorLine } from "./FloorLine";
import { DotsLegend, OutcomeDots } from "./OutcomeDots";
import classes from "./evals.module.css";

interface MatrixViewProps {
  set: string;
  order: MatrixOrder;
  onOrder: (order: MatrixOrder) => void;
}

/** Goldens by agent versions: the newest repeats of each, and how often each passes by itself. */
export function MatrixView({ set, ...rest }: MatrixViewProps) {
  const query = useMatrix(set);
  return (
    <Loaded query={query} what="the matrix">
      {(matrix) => <Matrix matrix={matrix} {...rest} />}
    </Loaded>
  );
}

function Matrix({ matrix, order, onOrder }: { matrix: EvalMatrix } & Omit<MatrixViewProps, "set">) {
  if (matrix.agents.length === 0) return <EmptyState title="Nobody has replayed this set yet">Choose “Replay set…” beside it, and see each golden by version here.</EmptyState>;
  const rows = sortMatrix(matrix.goldens, order);
  return (
    <>
      <div className={classes.sectionHead}>
        <NativeSelect
          aria-label="Order"
          size="xs"
          value={order}
          data={[
            { value: "fall", label: "Largest fall first" },
            { value: "listed", label: "Newest golden first" },
          ]}
          onChange={(event) => onOrder(event.currentTarget.value as MatrixOrder)}
        />
        <DotsLegend />
        <Text size="xs" c="dimmed">
          Goldens as they are now; tools answer: {MODE_LOOK[matrix.mode].label.toLowerCase()}, knowledge: {CONTEXT_LOOK[matrix.context].label.toLowerCase()}.
        </Text>
      </div>
      <div className={classes.matrixFrame} tabIndex={0} role="region" aria-label="Goldens by agent versions" onKeyDown={moveInTable}>
        <table className={classes.matrix} aria-label="Matrix">
          <thead>
            <tr>
              <th scope="col">Golden</th>
              <th scope="col">Noise floor</th>
              {matrix.agents.map(({ id, slug, version }) => (
                <th key={`${id} ${version}`} scope="col">
                  <bdi>{slug}</bdi> v{version}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.goldenId}>
                <th scope="row">
                  <Anchor size="sm" dir="auto" lineClamp={2} renderRoot={(props) => <Link to="/admin/agent-review/evals/golden/$id" params={{ id: row.goldenId }} {...props} />}>
                    {row.title || `Golden ${row.goldenId.slice(-8)}`}
                  </Anchor>
                </th>
                <td>
                  <FloorLine golden={row} />
                </td>
                {row.cells.map((cell, place) => {
                  const agent = matrix.agents[place];
                  const rate = passShare(cell.outcomes);
                  return (
                    <td key={place} data-rate={rate === null ? "none" : rate === 1 ? "all" : rate === 0 ? "no" : "some"}>
                      {cell.outcomes.length === 0 ? (
                        <Text span size="xs" c="dimmed">
                          Not tried
                        </Text>
                      ) : (
                        <span className={classes.cell}>
                          <OutcomeDots
                            about={`${row.title} with ${agent?.slug ?? "an agent"} version ${agent?.version ?? ""}`}
                            dots={cell.outcomes.map((outcome, at) => ({ outcome, id: cell.replayIds[at] }))}
                          />
                          <Text span size="xs" c="dimmed">
                            {percent(rate)}
                          </Text>
                        </span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {matrix.truncated && (
        <Text size="xs" c="dimmed" role="note" mt={6}>
          {`The set has more goldens than these ${matrix.goldens.length}.`}
        </Text>
      )}
    </>
  );
}
