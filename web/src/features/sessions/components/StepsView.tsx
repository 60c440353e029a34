import { useCallback, useMemo, useState } from "react";
import { type StepRow as Row, type Step, findStep, flattenSteps } from "../lib/steps";
import { isOpen } from "../lib/status";
import { EventList, type ListedRow, StillRunning, type ViewProps } from "./EventList";
import { StepRow } from "./StepRow";

interface Listed extends ListedRow {
  step: Step;
}

const HEIGHT: Record<Step["kind"], number> = { message: 110, tool: 46, model: 46, effect: 72, life: 46, other: 46 }; // pixels, about

const toRow = ({ step, depth }: Row): Listed => ({ seq: step.seq, depth, step });

/** The session as people read it: what was said, and what was done for it. */
export function StepsView({ session, steps, linked, ...list }: ViewProps) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const found = useMemo(() => (linked === undefined ? null : findStep(steps, linked)), [steps, linked]);
  // What a link leads to is never left out.
  const shown = useMemo(() => {
    const above = new Set(found?.above.map(({ seq }) => seq));
    return new Set([...folded].filter((seq) => !above.has(seq)));
  }, [folded, found]);
  const rows = useMemo(() => flattenSteps(steps, shown).map(toRow), [steps, shown]);
  const onFold = useCallback(
    (seq: number) =>
      setFolded((before) => {
        const next = new Set(before);
        if (!next.delete(seq)) next.add(seq);
        return next;
      }),
    [],
  );
  const isRunning = isOpen(session);
  return (
    <EventList
      {...list}
      label="Steps"
      rows={rows}
      linked={found?.step.seq ?? linked}
      estimate={({ step }) => HEIGHT[step.kind]}
      after={isRunning && <StillRunning />}
    >
      {({ step }, place) => (
        <StepRow step={step} place={place} isFolded={shown.has(step.seq)} isRunning={isRunning} onFold={onFold} />
      )}
    </EventList>
  );
}
