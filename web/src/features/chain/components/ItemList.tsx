import { Badge, Button, Group, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { ChainItem } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { KeysHelp, KeysHint } from "@/ui/Keys";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyProblem } from "@/ui/notify";
import { EmptyState } from "@/ui/states";
import { stopName, useListKeys } from "@/ui/useListKeys";
import { useChainItems, useRetracting } from "../hooks/useChain";
import type { RetractionsSearch } from "../lib/search";
import { CHANGE, KIND, VERDICT, titleOf } from "../lib/words";
import { NodeLink } from "./NodeLink";
import classes from "./chain.module.css";

type Verdict = NonNullable<ChainItem["verdict"]>;
const ACTS: Record<string, Verdict> = { y: "kept", c: "changed", x: "removed" };
const KEYS = [
  { keys: ["y"], means: "keep it" },
  { keys: ["c"], means: "it was changed" },
  { keys: ["x"], means: "it was removed" },
];
const MOVES = [
  { keys: ["j", "↓"], means: "next" },
  { keys: ["k", "↑"], means: "previous" },
];
const MAX_NOTE = 2000; // the server's limit

interface ItemListProps {
  search: RetractionsSearch;
  onItem: (id: string) => void;
}

/** What rests on something that was retracted, to be looked at one by one. */
export function ItemList({ search, onItem }: ItemListProps) {
  const list = useChainItems(search);
  return (
    <PagedRows
      list={list}
      what="things"
      empty={
        <EmptyState title="Nothing to look at again">
          When somebody retracts a source, feedback or a version of an agent, what rests on it is listed here.
        </EmptyState>
      }
    >
      {(rows) => <Items rows={rows} start={search.item} onItem={onItem} />}
    </PagedRows>
  );
}

interface ItemsProps {
  rows: readonly ChainItem[];
  start: string | undefined;
  onItem: (id: string) => void;
}

function Items({ rows, start, onItem }: ItemsProps) {
  const canSettle = useCan()("chain.team.retract");
  const { settle } = useRetracting();
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const decide = (id: string, verdict: ChainItem["verdict"]) =>
    settle.mutate(
      { id, verdict, note: notes[id]?.trim() || null },
      { onError: (error) => notifyProblem("It was not settled", error) },
    );
  const keys = useListKeys<HTMLUListElement, Verdict>({
    stops: rows.map(({ id }) => ({ id, keys: [] })),
    acts: canSettle ? ACTS : {},
    start,
    mayWorkAnywhere: true,
    onAct: (verdict, { id }) => decide(id, verdict),
    onMove: ({ id }) => onItem(id),
  });
  return (
    <>
      {canSettle && <KeysHint label="Keys" rows={KEYS} onClick={keys.openHelp} />}
      <ul className={classes.rows} ref={keys.list} aria-label="To look at again">
        {rows.map((item) => (
          <li
            key={item.id}
            className={classes.row}
            data-stop={stopName({ id: item.id, key: null })}
            tabIndex={keys.at?.id === item.id ? 0 : -1}
            aria-current={keys.current?.id === item.id}
            onFocus={() => keys.onFocus({ id: item.id, key: null })}
          >
            <Badge color={KIND[item.kind].color}>{KIND[item.kind].label}</Badge>
            <div className={classes.words}>
              <NodeLink node={{ ...item, seen: item.title === null ? "gone" : "shown" }} />{" "}
              {item.changed && (
                <Badge color="blue" variant="light">
                  {CHANGE[item.changed]}
                </Badge>
              )}
              {[item, ...item.also_for].map(({ retraction_id, retracted_title, reason }) => (
                <Text key={retraction_id} size="xs" c="dimmed" component="div" dir="auto">
                  Rests on {retracted_title ?? "something that is not yours to see"}: {reason}
                </Text>
              ))}
              {canSettle && item.verdict === null && item.waits && (
                <Textarea
                  mt={6}
                  size="xs"
                  autosize
                  minRows={1}
                  maxRows={4}
                  maxLength={MAX_NOTE}
                  placeholder="Note (optional)"
                  aria-label={`Note about ${titleOf({ ...item, seen: "shown" })}`}
                  value={notes[item.id] ?? ""}
                  onChange={(event) => setNotes({ ...notes, [item.id]: event.currentTarget.value })}
                />
              )}
              {item.note && (
                <Text size="sm" dir="auto">
                  {item.note}
                </Text>
              )}
            </div>
            <Verdicts item={item} canSettle={canSettle} onDecide={(verdict) => decide(item.id, verdict)} />
          </li>
        ))}
      </ul>
      <KeysHelp
        title="What to look at again by keyboard"
        rows={[...MOVES, ...KEYS]}
        anywhereLabel="Letters work on the whole page"
        elsewhere="Off: only while the focus is in the list"
        {...keys.help}
      >
        Arrows work while the focus is in the list. What rests on several retracted things is settled for all of them. What is settled can be undone.
      </KeysHelp>
    </>
  );
}

interface VerdictsProps {
  item: ChainItem;
  canSettle: boolean;
  onDecide: (verdict: ChainItem["verdict"]) => void;
}

function Verdicts({ item, canSettle, onDecide }: VerdictsProps) {
  if (item.verdict) {
    const { label, color } = VERDICT[item.verdict];
    return (
      <Group gap={8}>
        <Badge color={color}>{label}</Badge>
        <Text size="xs" c="dimmed">
          {partyName(item.settled_by)} <RelativeTime value={item.settled_at} />
        </Text>
        {canSettle && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onDecide(null)}>
            Undo
          </Button>
        )}
      </Group>
    );
  }
  if (!item.waits) return <Badge color="gray">Retraction undone</Badge>;
  if (!canSettle) return <Badge color="gray">Waits</Badge>;
  return (
    <Group gap={6}>
      <Button size="compact-xs" variant="default" onClick={() => onDecide("kept")}>
        Keep
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => onDecide("changed")}>
        Changed
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => onDecide("removed")}>
        Removed
      </Button>
    </Group>
  );
}
