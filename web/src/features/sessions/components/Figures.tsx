import type { AgentSession } from "@/api/types";
import { useNow } from "../hooks/useNow";
import { formatCost, formatCount, formatDuration } from "../lib/figures";
import { durationOf, isOpen } from "../lib/status";
import classes from "./sessions.module.css";

/** How long a session took, or has been running. */
export function Duration({ session }: { session: AgentSession }) {
  const now = useNow(isOpen(session));
  const ms = durationOf(session, now);
  return <span className={classes.number}>{ms === null ? "–" : formatDuration(ms)}</span>;
}

interface TokensProps {
  input: number | null;
  output: number | null;
}

/** Short where it is read, exact on hover. */
export function Tokens({ input, output }: TokensProps) {
  if (!input && !output) return <>–</>;
  const exact = `${(input ?? 0).toLocaleString("en")} tokens in, ${(output ?? 0).toLocaleString("en")} out`;
  return (
    <span className={classes.number} title={exact}>
      {formatCount(input ?? 0)} in · {formatCount(output ?? 0)} out
    </span>
  );
}

export function Cost({ dollars }: { dollars: number | null }) {
  if (dollars === null) return <>–</>;
  return (
    <span className={classes.number} title={`$${dollars}`}>
      {formatCost(dollars)}
    </span>
  );
}
