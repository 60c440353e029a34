import { Button, CloseButton, Kbd } from "@mantine/core";
import type { MemberAct } from "../lib/keys";
import classes from "./feedback.module.css";

interface MemberActsProps {
  count: number;
  /** Whether they are in a group, from which some can be split off. */
  isInGroup?: boolean;
  onAct: (act: MemberAct) => void;
  onClear: () => void;
}

const ACTS = [
  { act: "review", letter: "a", label: "Review" },
  { act: "dismiss", letter: "d", label: "Dismiss" },
  { act: "move", letter: "m", label: "Move" },
  { act: "split", letter: "s", label: "Split off" },
] as const;

/** What can be done with those that are selected. */
export function MemberActs({ count, isInGroup = true, onAct, onClear }: MemberActsProps) {
  return (
    <div className={classes.acts} role="group" aria-label={`${count} selected`}>
      {ACTS.filter(({ act }) => isInGroup || act !== "split").map(({ act, letter, label }) => (
        <Button
          key={act}
          size="compact-xs"
          variant={act === "review" ? "filled" : "default"}
          rightSection={
            <Kbd size="xs" visibleFrom="md" aria-hidden>
              {letter}
            </Kbd>
          }
          onClick={() => onAct(act)}
        >
          {act === "review" ? `Review ${count}` : label}
        </Button>
      ))}
      <CloseButton size="sm" aria-label="Clear selection" onClick={onClear} />
    </div>
  );
}
