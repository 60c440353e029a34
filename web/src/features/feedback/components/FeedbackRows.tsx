import { Checkbox, Text, UnstyledButton } from "@mantine/core";
import type { Feedback } from "@/api/types";
import { RelativeTime } from "@/ui/RelativeTime";
import type { Selection } from "../hooks/useSelection";
import { aspectOf, wordsOf } from "../lib/context";
import { SOURCE_LABEL, authorOf } from "../lib/words";
import { RatingIcon } from "./RatingIcon";
import { StatusBadge } from "./StatusBadge";
import classes from "./feedback.module.css";

interface FeedbackRowsProps {
  label: string;
  rows: readonly Feedback[];
  /** The one that is shown beside the list. */
  at: string | null;
  /** Null where nothing can be decided. */
  selection: Selection | null;
  onFocus: (id: string) => void;
  onOpen: (id: string) => void;
}

/** Feedback in few words, to be gone through. */
export function FeedbackRows({ label, rows, at, selection, onFocus, onOpen }: FeedbackRowsProps) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {rows.map((row) => (
        <li key={row.id} className={classes.row} data-here={row.id === at || undefined} data-settled={row.status !== "pending" || undefined}>
          {selection && <Tick id={row.id} name={wordsOf(row)} selection={selection} />}
          <UnstyledButton
            className={classes.rowButton}
            data-stop={row.id}
            tabIndex={row.id === at ? 0 : -1}
            aria-current={row.id === at || undefined}
            onFocus={() => onFocus(row.id)}
            onClick={() => onOpen(row.id)}
          >
            <span className={classes.rowHead}>
              <RatingIcon rating={row.rating} />
              <bdi className={classes.who}>{authorOf(row)}</bdi>
              {row.status !== "pending" && <StatusBadge status={row.status} />}
              <Text span size="xs" c="dimmed" className={classes.when}>
                <RelativeTime value={row.created_at} />
              </Text>
            </span>
            <span className={classes.comment} dir="auto" data-none={row.comment === null || undefined}>
              {wordsOf(row)}
            </span>
            <Text span size="xs" c="dimmed">
              {[SOURCE_LABEL[row.source_type], aspectOf(row)].filter(Boolean).join(" · ")}
            </Text>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

interface TickProps {
  id: string;
  name: string;
  selection: Selection;
}

/** Gives the focus back to its row, where letters mean something. */
export function Tick({ id, name, selection }: TickProps) {
  return (
    <Checkbox
      size="xs"
      className={classes.tick}
      aria-label={`Select ${name.slice(0, 60)}`}
      checked={selection.selected.has(id)}
      onChange={(event) => {
        if ((event.nativeEvent as MouseEvent).shiftKey) selection.selectTo(id);
        else selection.toggle(id);
        event.currentTarget.closest("li")?.querySelector("button")?.focus({ preventScroll: true });
      }}
    />
  );
}
