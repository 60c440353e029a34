import { Button, Kbd } from "@mantine/core";
import type { FeedbackGroupState } from "@/api/types";
import type { GroupAct } from "../lib/keys";
import classes from "./feedback.module.css";

interface GroupActsProps {
  /** How many are selected; 1 is the one at hand. */
  count: number;
  state: FeedbackGroupState;
  /** Why nothing can be reviewed; null where it can. */
  whyNot: string | null;
  onAct: (act: GroupAct) => void;
}

const OPEN = [
  { act: "review", letter: "a", label: "Review" },
  { act: "dismiss", letter: "d", label: "Dismiss" },
  { act: "merge", letter: "m", label: "Merge" },
  { act: "snooze", letter: "z", label: "Snooze" },
] as const;
const ASIDE = [{ act: "reopen", letter: "r", label: "Reopen" }] as const;

/** What the keys do, for whoever has none at hand. */
export function GroupActs({ count, state, whyNot, onAct }: GroupActsProps) {
  const acts = state === "open" ? OPEN : ASIDE;
  return (
    <div className={classes.acts} role="group" aria-label={count > 1 ? `${count} groups` : "This group"}>
      {acts.map(({ act, letter, label }) => {
        const why = act === "review" ? whyNot : null;
        return (
          <Button
            key={act}
            size="compact-xs"
            variant={act === "review" || act === "reopen" ? "filled" : "default"}
            title={why ?? undefined}
            aria-disabled={why !== null}
            data-disabled={why !== null || undefined}
            rightSection={
              <Kbd size="xs" visibleFrom="md" aria-hidden>
                {letter}
              </Kbd>
            }
            onClick={() => why === null && onAct(act)}
          >
            {count > 1 ? `${label} ${count}` : label}
          </Button>
        );
      })}
    </div>
  );
}
