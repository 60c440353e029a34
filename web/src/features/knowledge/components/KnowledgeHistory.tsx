import { Button, Text, Title } from "@mantine/core";
import { ResetIcon } from "@radix-ui/react-icons";
import { useId } from "react";
import type { KnowledgeEntry } from "@/api/types";
import { plural } from "@/features/feedback/lib/words";
import { RelativeTime } from "@/ui/RelativeTime";
import { valueThen } from "../lib/value";
import { changedParts, happenedOf } from "../lib/words";
import classes from "./knowledge.module.css";

interface KnowledgeHistoryProps {
  history: readonly KnowledgeEntry[];
  isBusy: boolean;
  onUndo: (entryId: string) => void;
}

/** What happened to it, the newest first, and the way back from the last decision. */
export function KnowledgeHistory({ history, isBusy, onUndo }: KnowledgeHistoryProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Title order={4} size="h3" id={heading}>
        History
      </Title>
      <ol className={classes.history}>
        {history.map((entry) => (
          <Entry key={entry.id} entry={entry} isBusy={isBusy} onUndo={onUndo} />
        ))}
      </ol>
    </section>
  );
}

const DECIDED: readonly KnowledgeEntry["change"][] = ["approved", "retired", "rejected", "shadowed"];

function Entry({ entry, isBusy, onUndo }: { entry: KnowledgeEntry; isBusy: boolean; onUndo: (entryId: string) => void }) {
  const parts = changedParts(entry);
  const origins = typeof entry.evidence.origins === "number" ? entry.evidence.origins : 0;
  const value = DECIDED.includes(entry.change) ? valueThen(entry.evidence) : null;
  const isCounted = origins > 0 || entry.change === "support";
  return (
    <li>
      <div className={classes.entryHead}>
        <Text size="sm" className={classes.words}>
          {happenedOf(entry)}
        </Text>
        {entry.undoable && (
          <Button size="compact-xs" variant="default" leftSection={<ResetIcon />} loading={isBusy} onClick={() => onUndo(entry.id)}>
            Undo
          </Button>
        )}
      </div>
      <Text size="xs" c="dimmed">
        <RelativeTime value={entry.at} />
        {isCounted && ` · ${plural(origins, "origin")} then`}
        {value && ` · ${value}${value === "unmeasured" ? "" : " then"}`}
        {parts.length > 0 && ` · ${parts.join(", ")}`}
      </Text>
      {entry.reason && (
        <Text size="sm" c="dimmed" className={classes.words} dir="auto">
          “{entry.reason}”
        </Text>
      )}
      {entry.before && entry.before.content !== entry.after.content && (
        <ul className={classes.lines}>
          <li data-sign="−">
            <del>{entry.before.content}</del>
          </li>
          <li data-sign="+">
            <ins>{entry.after.content}</ins>
          </li>
        </ul>
      )}
    </li>
  );
}
