/** What a session's metadata says about evals, read with care. Pure. */
import type { AgentSession } from "@/api/types";
import { isObject } from "@/features/sessions/lib/payloads";

type OfSession = Pick<AgentSession, "metadata">;

/** The name of the set that it is golden in; null where it is not. */
export function goldenSetOf({ metadata }: OfSession): string | null {
  const golden = (metadata as Record<string, unknown>).golden;
  return isObject(golden) && typeof golden.set === "string" ? golden.set : null;
}

export function isReplay({ metadata }: OfSession): boolean {
  return typeof (metadata as Record<string, unknown>).eval_source === "string";
}
