import { useEffect, useState } from "react";
import { partsChangedByBoth } from "@/api/changedParts";
import { type Fault, faultsElsewhere } from "@/api/faults";
import { type Problem, isVersionConflict, toProblem } from "@/api/problem";
import type { AgentVersion } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { dropDraft, keepDraft, readDraft } from "@/ui/drafts";
import {
  type ConfigDraft,
  PART_WORDS,
  checkConfig,
  configOf,
  draftOf,
  isChanged,
  parseKept,
  putOnTop,
} from "../lib/config";
import { useConfigActions } from "./useAgentConfig";

interface Base {
  version: number;
  draft: ConfigDraft;
}

function baseOf(version: AgentVersion | null): Base {
  return { version: version?.version ?? 0, draft: draftOf(version?.config ?? null) };
}

/** The name under which this browser keeps what was begun. */
export function useConfigDraftName(agentId: string): string {
  return `agent-config/${useTenant().slug}/${agentId}`;
}

/** Edits what an agent runs with; null is one that has no configuration yet. Follows the server until something is changed
 * here. What was begun stays in this browser until it is saved or discarded. */
export function useConfigEditor(agentId: string, version: AgentVersion | null, onSaved: (saved: AgentVersion) => void) {
  const name = useConfigDraftName(agentId);
  const [begun] = useState(() => parseKept(readDraft(name, "browser")));
  const [base, setBase] = useState<Base>(() => (begun ? { version: begun.version, draft: begun.base } : baseOf(version)));
  const [draft, setDraft] = useState(begun?.draft ?? base.draft);
  const [isKept, setKept] = useState(false);
  const [wasRefused, setRefused] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { save } = useConfigActions(agentId);
  const theirs = baseOf(version);
  const isDirty = isChanged(base.draft, draft);
  const isStale = theirs.version > base.version;
  const isBehind = isStale && isDirty && !save.isPending; // a save of one's own may be read before it is answered

  const reset = (next: Base) => {
    setBase(next);
    setDraft(next.draft);
    setProblem(null);
    setRefused(false);
  };
  useEffect(() => {
    if (isStale && !isDirty) reset(theirs);
  });
  useEffect(() => {
    if (!isDirty) dropDraft(name, "browser");
    setKept(isDirty && keepDraft(name, { version: base.version, base: base.draft, draft }, "browser"));
  }, [name, isDirty, base, draft]);

  const faults: Fault[] = [...(wasRefused ? checkConfig(draft) : []), ...(problem?.errors ?? [])];

  return {
    draft,
    faults,
    head: headOf(problem, faults, isBehind),
    isDirty,
    /** Leaving loses nothing: it is begun, and waits in this browser. */
    isKept,
    /** Somebody else saved it while it was edited here. */
    isBehind,
    began: base.version,
    now: theirs.version,
    both: partsChangedByBoth(configOf(base.draft), configOf(draft), configOf(theirs.draft), PART_WORDS),
    isSaving: save.isPending,
    change: (part: Partial<ConfigDraft>) => {
      setProblem(null);
      setDraft((before) => ({ ...before, ...part }));
    },
    discard: () => reset(isStale ? theirs : base),
    /** Made on the version that was read, or on top of the one that is there now. Says whether it was saved. */
    save: async (onTop = false): Promise<boolean> => {
      const found = checkConfig(draft);
      setRefused(found.length > 0);
      setProblem(null);
      if (found.length > 0) return false;
      try {
        const config = onTop ? putOnTop(base.draft, draft, theirs.draft) : configOf(draft);
        const expected = onTop ? theirs.version : base.version;
        const saved = await save.mutateAsync({ ...config, note: draft.note.trim(), version: expected });
        reset(baseOf(saved));
        onSaved(saved);
        return true;
      } catch (error) {
        setProblem(toProblem(error));
        return false;
      }
    },
  };
}

export type ConfigEditing = ReturnType<typeof useConfigEditor>;

const PLACES = [...Object.keys(PART_WORDS), "note"].map((part) => `/${part}`);

function headOf(problem: Problem | null, faults: readonly Fault[], isBehind: boolean): string | null {
  if (isBehind && isVersionConflict(problem)) return null; // said with a way on
  if (problem && problem.errors.length === 0) return problem.message;
  return faultsElsewhere(faults, PLACES).map(({ message }) => message).join(" ") || null;
}
