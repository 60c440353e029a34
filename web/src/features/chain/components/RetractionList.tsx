import { Anchor, Badge, Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Retraction } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyProblem } from "@/ui/notify";
import { useRetracting, useRetractions } from "../hooks/useChain";
import { KIND } from "../lib/words";
import classes from "./chain.module.css";

/** Everything that was retracted, newest first, also what was taken back. */
export function RetractionList() {
  return (
    <PagedRows
      list={useRetractions()}
      what="retractions"
      empty={
        <Text size="sm" c="dimmed">
          Nobody has retracted anything.
        </Text>
      }
    >
      {(rows) => (
        <ul className={classes.rows} aria-label="Retractions">
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
    </PagedRows>
  );
}

function Row({ row }: { row: Retraction }) {
  const canUndo = useCan()("chain.team.retract") && row.undone_at === null;
  const { undo } = useRetracting();
  const ask = () =>
    confirmDanger({
      title: "Take this retraction back?",
      children: "What nobody has settled does not have to be looked at any more. What was settled stays settled.",
      action: "Take back",
      onConfirm: () => undo.mutate(row.id, { onError: (error) => notifyProblem("It was not taken back", error) }),
    });
  return (
    <li className={classes.row}>
      <Badge color={KIND[row.kind].color}>{KIND[row.kind].label}</Badge>
      <div className={classes.words}>
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/chain" search={{ from: row.ref, direction: "forward" }} {...props} />}>
          <span dir="auto">{row.title ?? "Not yours to see, or gone"}</span>
        </Anchor>
        <Text size="xs" c="dimmed" component="div" dir="auto">
          {row.reason} ({partyName(row.created_by)} <RelativeTime value={row.created_at} />)
          {row.undone_at && (
            <>
              {" "}
              Taken back by {partyName(row.undone_by)} <RelativeTime value={row.undone_at} />.
            </>
          )}
          {row.truncated && " More rests on it than could be followed."}
        </Text>
      </div>
      <Group gap={8}>
        <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/chain/retractions" search={{ show: "all", retraction: row.id }} {...props} />}>
          {row.open_items} of {row.items} wait
        </Anchor>
        {canUndo && (
          <Button size="compact-xs" variant="default" onClick={ask}>
            Take back
          </Button>
        )}
      </Group>
    </li>
  );
}
