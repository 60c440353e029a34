import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { InfoCircledIcon } from "@radix-ui/react-icons";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { AgentSession, SessionEvent } from "@/api/types";
import { useListKeys } from "@/ui/useListKeys";
import { useWindowing } from "@/ui/useWindowing";
import type { SessionEvents } from "../hooks/useSessionEvents";
import type { Step } from "../lib/steps";
import { StepKeysHelp } from "./SessionKeys";
import type { StepPlace } from "./StepLine";
import classes from "./sessions.module.css";

/** What every way to look at a session is given. */
export interface ViewProps {
  session: AgentSession;
  steps: readonly Step[];
  loaded: readonly SessionEvent[];
  events: SessionEvents;
  linked: number | undefined;
  began: number;
  onLink: (seq: number | undefined) => void;
  onHelp: (open: () => void) => void;
}

/** A row of a list that opens. */
export interface ListedRow {
  /** The `seq` that it is known by. */
  seq: number;
  depth: number;
}

interface EventListProps<Row extends ListedRow> {
  label: string;
  rows: readonly Row[];
  /** The row to show first, opened. */
  linked: number | undefined;
  began: number;
  events: SessionEvents;
  /** About how high a row is before it is drawn. */
  estimate: (row: Row) => number;
  onLink: (seq: number | undefined) => void;
  /** Draws what opens the overlay of keys, once that is known. */
  onHelp: (open: () => void) => void;
  children: (row: Row, place: StepPlace) => ReactNode;
  after?: ReactNode;
}

const OPEN_HEIGHT = 260; // pixels that an opened row is higher, about

/** The rows of a session, a few of which are drawn; they open, are gone through by keyboard and load as one reads on. */
export function EventList<Row extends ListedRow>(props: EventListProps<Row>) {
  const { label, rows, linked, began, events, estimate, onLink, onHelp, children, after } = props;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const led = useRef<number | undefined>(undefined);
  const stops = useMemo(() => rows.map(({ seq }) => ({ id: String(seq), keys: [] })), [rows]);
  const rowKeys = useMemo(() => rows.map(({ seq }) => String(seq)), [rows]);

  const keys = useListKeys<HTMLDivElement, never>({
    stops,
    acts: {},
    leavesArrows: true,
    mayWorkAnywhere: true,
    onAct: () => {},
    onMove: ({ id }) => {
      if (stopIn(keys.list.current, id) === null) windowing.rows.reveal(id, (row) => show(stopIn(row, id), "nearest"));
      if (events.later.has && id === rowKeys.at(-1)) events.later.load();
    },
  });
  const windowing = useWindowing(keys.list, rowKeys, (place) => {
    const row = rows[place];
    return row ? estimate(row) + (opened.has(row.seq) ? OPEN_HEIGHT : 0) : 0;
  });
  const drawn = windowing.rows;

  // Someone came by a link: show what it names, once it is there.
  const isThere = linked !== undefined && rows.some(({ seq }) => seq === linked);
  useEffect(() => {
    if (linked === undefined) led.current = undefined;
    if (!isThere || led.current === linked) return;
    led.current = linked;
    setOpened((before) => new Set([...before, linked]));
    drawn.reveal(String(linked), (row) => show(stopIn(row, String(linked)), "center"));
  }, [linked, isThere, drawn]);

  const { openHelp } = keys;
  const help = useRef(openHelp);
  help.current = openHelp;
  useEffect(() => onHelp(() => help.current()), [onHelp]);

  const isOpen = useRef(opened);
  isOpen.current = opened;
  const onToggle = useCallback(
    (seq: number) => {
      const next = new Set(isOpen.current);
      const closed = next.delete(seq);
      if (!closed) next.add(seq);
      setOpened(next);
      led.current = closed ? undefined : seq; // one is there already
      onLink(closed ? undefined : seq);
    },
    [onLink],
  );
  const focused = useRef(keys.onFocus);
  focused.current = keys.onFocus;
  const onFocus = useCallback((seq: number) => focused.current({ id: String(seq), key: null }), []);

  return (
    <Stack gap="xs">
      {events.isLinkedGone && (
        <Alert color="gray" role="note" icon={<InfoCircledIcon />}>
          The event that the link leads to is not there.
        </Alert>
      )}
      <More more={events.earlier}>Load earlier events</More>
      <div ref={keys.list} className={classes.list} role="group" aria-label={label}>
        <div style={{ height: windowing.before }} />
        {rows.slice(windowing.start, windowing.end).map((row) => (
          <div key={row.seq} data-row={String(row.seq)} className={classes.row} style={{ paddingInlineStart: `calc(${row.depth} * var(--gl-indent))` }}>
            {children(row, { isOpen: opened.has(row.seq), isLinked: row.seq === linked, began, onToggle, onFocus })}
          </div>
        ))}
        <div style={{ height: windowing.after }} />
      </div>
      <Sentinel isWanted={events.later.has && !events.later.isLoading && !events.later.hasFailed} onSeen={events.later.load} />
      <More more={events.later}>Load later events</More>
      {!events.later.has && after}
      <StepKeysHelp {...keys.help} />
    </Stack>
  );
}

function stopIn(within: HTMLElement | null, id: string): HTMLElement | null {
  return within?.querySelector<HTMLElement>(`[data-stop="${id}"]`) ?? null;
}

function show(element: HTMLElement | null, block: ScrollLogicalPosition): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block });
}

interface MoreProps {
  more: { has: boolean; isLoading: boolean; load: () => void };
  children: string;
}

function More({ more, children }: MoreProps) {
  if (!more.has) return null;
  return (
    <Group justify="center">
      <Button variant="default" size="xs" loading={more.isLoading} onClick={more.load}>
        {children}
      </Button>
    </Group>
  );
}

interface SentinelProps {
  isWanted: boolean;
  onSeen: () => void;
}

/** Loads what comes next as soon as its place is nearly in sight. */
function Sentinel({ isWanted, onSeen }: SentinelProps) {
  const place = useRef<HTMLDivElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    if (!isWanted || !place.current || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(), { rootMargin: "600px" });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWanted]);
  return <div ref={place} aria-hidden />;
}

/** Stands at the end while more is to come. */
export function StillRunning() {
  return (
    <Group gap={8} px={4} py={6} role="status">
      <Loader size={12} type="dots" aria-hidden />
      <Text size="xs" c="dimmed">
        It still runs. What it does next appears here.
      </Text>
    </Group>
  );
}
