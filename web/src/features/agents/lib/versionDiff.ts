/** What differs between two versions of an agent: the instructions line by line, the rest key by key. Pure. */
import type { AgentConfig } from "@/api/types";
import { LIMITS, LIMIT_RULE, PART_WORDS, RUNTIME_LABEL, configOf, draftOf } from "./config";
import { type Line, diffLines } from "./lineDiff";

export interface KeyChange {
  label: string;
  /** In words; null where there is nothing. */
  before: string | null;
  after: string | null;
}

export interface VersionDiff {
  keys: KeyChange[];
  /** Labels of what is the same in both. */
  same: string[];
  instructions: Line[];
}

type Row = [label: string, value: string | null];

/** Null is an agent before its first version. */
export function diffVersions(before: AgentConfig | null, after: AgentConfig | null): VersionDiff {
  const [left, right] = [rowsOf(before), rowsOf(after)];
  const keys = right.map(([label, value], place) => ({ label, before: left[place]?.[1] ?? null, after: value }));
  return {
    keys: keys.filter((change) => change.before !== change.after),
    same: keys.filter((change) => change.before === change.after).map(({ label }) => label),
    instructions: diffLines(before?.instructions ?? "", after?.instructions ?? ""),
  };
}

/** All but the instructions, in words. */
export function rowsOf(config: AgentConfig | null): Row[] {
  const { runtime, model, base_url, url, entry_point, tool_groups, limits } = configOf(draftOf(config));
  const isThere = config !== null;
  return [
    [PART_WORDS.runtime, isThere ? RUNTIME_LABEL[runtime] : null],
    [PART_WORDS.model, model],
    [PART_WORDS.base_url, base_url],
    [PART_WORDS.url, url],
    [PART_WORDS.entry_point, entry_point],
    [PART_WORDS.tool_groups, tool_groups.length > 0 ? tool_groups.join(", ") : null],
    ...LIMITS.map((limit): Row => {
      const amount = limits[limit];
      return [`Limit: ${LIMIT_RULE[limit].label.toLowerCase()}`, isThere && amount != null ? amount.toLocaleString("en") : null];
    }),
  ];
}

export function isSame({ keys, instructions }: VersionDiff): boolean {
  return keys.length === 0 && instructions.every(({ kind }) => kind === "same");
}

/** Which two versions the address means: what it says, or the newest beside the one before it. 0 is before the first. */
export function chosenPair(newest: number, from: number | undefined, to: number | undefined): { from: number; to: number } {
  const within = (version: number | undefined) => (version !== undefined && version <= newest ? version : undefined);
  const after = within(to) ?? newest;
  return { from: within(from) ?? Math.max(after - 1, 0), to: after };
}
