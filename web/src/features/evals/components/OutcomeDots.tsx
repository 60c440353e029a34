import { Link } from "@tanstack/react-router";
import type { ReplayOutcome } from "@/api/types";
import { OUTCOMES, OUTCOME_LOOK } from "../lib/words";
import classes from "./evals.module.css";

const SIZE = 12;

/** A dot that passes is full, one that fails is a cross, one that cannot tell a ring, one of an error a triangle. */
export function OutcomeMark({ outcome }: { outcome: ReplayOutcome | null }) {
  return (
    <svg width={SIZE} height={SIZE} viewBox="0 0 12 12" className={classes.mark} data-outcome={outcome ?? "waits"} aria-hidden>
      {outcome === "passed" && <circle cx="6" cy="6" r="4.5" fill="currentColor" />}
      {outcome === "failed" && <path d="M2 2 L10 10 M10 2 L2 10" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" fill="none" />}
      {outcome === "inconclusive" && <circle cx="6" cy="6" r="4" stroke="currentColor" strokeWidth="1.8" fill="none" />}
      {outcome === "error" && <path d="M6 1.5 L11 10.5 L1 10.5 Z" fill="currentColor" />}
      {outcome === null && <circle cx="6" cy="6" r="1.8" fill="currentColor" />}
    </svg>
  );
}

export interface Dot {
  outcome: ReplayOutcome | null;
  /** Of its replay, where one can look at it. */
  id?: string | undefined;
}

/** One mark a repeat; each leads to its replay. */
export function OutcomeDots({ dots, about }: { dots: readonly Dot[]; about: string }) {
  return (
    <span className={classes.dots}>
      {dots.map(({ outcome, id }, place) => {
        const name = `Repeat ${place + 1} of ${about}: ${outcome === null ? "not over" : OUTCOME_LOOK[outcome].label.toLowerCase()}`;
        return id === undefined ? (
          <span key={place} role="img" aria-label={name} title={name}>
            <OutcomeMark outcome={outcome} />
          </span>
        ) : (
          <Link key={id} to="/admin/agent-review/evals/replays/$id" params={{ id }} className={classes.dot} aria-label={name} title={name}>
            <OutcomeMark outcome={outcome} />
          </Link>
        );
      })}
    </span>
  );
}

/** What the marks mean. */
export function DotsLegend() {
  return (
    <ul className={classes.legend} aria-label="Marks">
      {OUTCOMES.map((outcome) => (
        <li key={outcome} title={OUTCOME_LOOK[outcome].means}>
          <OutcomeMark outcome={outcome} /> {OUTCOME_LOOK[outcome].label}
        </li>
      ))}
    </ul>
  );
}
