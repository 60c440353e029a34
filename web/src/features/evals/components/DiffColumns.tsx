import { Badge, Button, Group, Kbd, Text, Title } from "@mantine/core";
import { useId, useMemo, useState } from "react";
import { KeysHelp } from "@/ui/Keys";
import { EmptyState } from "@/ui/states";
import { useListKeys } from "@/ui/useListKeys";
import { type DiffRow, type DiffStep, canonical } from "../lib/align";
import { DIVERGENCE_LABEL, type Divergence, divergencesOfRows, nextMarked } from "../lib/comparison";
import { SOURCE_LOOK } from "../lib/words";
import classes from "./evals.module.css";

interface DiffColumnsProps {
  rows: readonly DiffRow[];
  divergences: readonly Divergence[];
  /** Whether one of them has more events than are shown. */
  isCut: boolean;
}

const KEYS = [
  { keys: ["n"], means: "Next divergence" },
  { keys: ["p"], means: "Previous divergence" },
  { keys: ["j"], means: "Next step" },
  { keys: ["k"], means: "Previous step" },
  { keys: ["?"], means: "Show these keys" },
] as const;

/** Golden and replay step by step beside each other; `n` goes to the next divergence. */
export function DiffColumns({ rows, divergences, isCut }: DiffColumnsProps) {
  const heading = useId();
  const found = useMemo(() => divergencesOfRows(rows, divergences), [rows, divergences]);
  const marked = found.map((each, place) => each.length > 0 || isOneSided(rows[place]));
  const stops = useMemo(() => rows.map((_, place) => ({ id: String(place), keys: [] })), [rows]);
  const [start, setStart] = useState<string | undefined>(undefined);
  const goOn = (step: 1 | -1) => {
    const next = nextMarked(marked, keys.current === null ? null : Number(keys.current.id), step);
    if (next !== null) setStart(String(next));
  };
  const keys = useListKeys<HTMLOListElement, never>({
    stops,
    acts: {},
    always: { n: () => goOn(1), p: () => goOn(-1) },
    start,
    leavesArrows: true,
    mayWorkAnywhere: true,
    onAct: () => {},
    onMove: () => setStart(undefined),
  });
  const count = marked.filter(Boolean).length;
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Group justify="space-between" mb="xs" gap="sm">
        <Title order={2} size="h3" id={heading}>
          Step by step
        </Title>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {count === 0 ? "Every step is as in the golden" : `${count} of ${rows.length} steps differ`}
          </Text>
          <Button
            variant="default"
            size="xs"
            disabled={count === 0}
            rightSection={
              <Kbd size="xs" aria-hidden>
                n
              </Kbd>
            }
            onClick={() => goOn(1)}
          >
            Next divergence
          </Button>
        </Group>
      </Group>
      {isCut && (
        <Text size="sm" role="note" mb="xs">
          These sessions are long: only their beginnings are beside each other. All of each is on its own page.
        </Text>
      )}
      {rows.length === 0 ? (
        <EmptyState title="Nothing was said or called">Neither session has a message or a tool call.</EmptyState>
      ) : (
        <>
          <div className={classes.sides} aria-hidden>
            <span>Golden</span>
            <span>Replay</span>
          </div>
          <ol className={classes.diff} ref={keys.list}>
            {rows.map((row, place) => (
              <li
                key={place}
                className={classes.diffRow}
                data-stop={String(place)}
                data-marked={marked[place] || undefined}
                tabIndex={keys.at?.id === String(place) ? 0 : -1}
                onFocus={() => keys.onFocus({ id: String(place), key: null })}
              >
                <Side side="Golden" step={row.golden} />
                <Side side="Replay" step={row.replay} />
                {(found[place]?.length ?? 0) > 0 && (
                  <Text size="xs" className={classes.rowNotes}>
                    {found[place]?.map(({ kind, message }) => `${DIVERGENCE_LABEL[kind] ?? kind}: ${message}`).join(" · ")}
                  </Text>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
      <KeysHelp
        title="Read the difference by keyboard"
        rows={KEYS}
        anywhereLabel="Letters work on the whole page"
        elsewhere="Off: only while the focus is in a step"
        {...keys.help}
      >
        After the last divergence comes the first one.
      </KeysHelp>
    </section>
  );
}

/** A tool that only one of them called, or words that only one of them said. */
function isOneSided(row: DiffRow | undefined): boolean {
  return row !== undefined && (row.golden === null || row.replay === null);
}

function Side({ side, step }: { side: "Golden" | "Replay"; step: DiffStep | null }) {
  if (step === null) {
    return (
      <div className={classes.side} data-none data-side={side}>
        <Text size="xs" c="dimmed">
          <span className={classes.sideName}>{side}: </span>nothing here
        </Text>
      </div>
    );
  }
  return (
    <div className={classes.side} data-side={side}>
      <div className={classes.sideHead}>
        <Text size="xs" fw={600}>
          <span className={classes.sideName}>{side}: </span>
          {step.kind === "tool" ? <code>{step.name}</code> : step.name}
        </Text>
        {step.source && (
          <Badge component="span" size="xs" color={SOURCE_LOOK[step.source].color} title={SOURCE_LOOK[step.source].means} miw="max-content">
            {SOURCE_LOOK[step.source].label}
          </Badge>
        )}
        {step.failed && (
          <Badge component="span" size="xs" color="red" miw="max-content">
            Failed
          </Badge>
        )}
      </div>
      <div className={step.kind === "tool" ? classes.code : classes.spoken} dir="auto">
        {step.text}
      </div>
      {step.result !== null && (
        <details className={classes.result}>
          <summary>What it gave back</summary>
          <div className={classes.code}>{step.result}</div>
        </details>
      )}
      {step.nearest && (
        <Text size="xs" c="dimmed" component="div">
          Nearest recording: <code>{step.nearest.name}</code>
          <div className={classes.code}>{canonical(step.nearest.arguments)}</div>
        </Text>
      )}
    </div>
  );
}
