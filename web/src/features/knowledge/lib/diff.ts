/** What a change does to prompts, in words. Pure. */
import type { LeftOut, PromptChange, ScopeDiff } from "@/api/types";
import { plural } from "@/features/feedback/lib/words";

/** Scopes whose prompts change; the others stay as they are. */
export function changedScopes({ scopes }: PromptChange): ScopeDiff[] {
  return scopes.filter(({ added, removed }) => added.length > 0 || removed.length > 0);
}

/** Scopes in which the same lines come and go; at least one. */
export type Alike = [ScopeDiff, ...ScopeDiff[]];

/** The scopes that change, those with the same lines together. */
export function alikeScopes(change: PromptChange): Alike[] {
  const found = new Map<string, Alike>();
  for (const scope of changedScopes(change)) {
    const key = JSON.stringify([scope.removed, scope.added]);
    const alike = found.get(key);
    if (alike) alike.push(scope);
    else found.set(key, [scope]);
  }
  return [...found.values()];
}

/** "212 → 240 tokens (+28)". */
export function tokensText({ tokens_before, tokens_after }: Pick<ScopeDiff, "tokens_before" | "tokens_after">): string {
  const more = tokens_after - tokens_before;
  const difference = more === 0 ? "as many" : `${more > 0 ? "+" : "−"}${Math.abs(more).toLocaleString("en")}`;
  return `${tokens_before.toLocaleString("en")} → ${tokens_after.toLocaleString("en")} tokens (${difference})`;
}

/** From where on what models have cached of the prompt is made anew. */
export function cacheText(line: number | null): string {
  if (line === null) return "caches stay";
  return line === 1 ? "caches are made anew" : `caches are made anew from line ${line.toLocaleString("en")} on`;
}

/** One sentence for all of it. */
export function changeText(change: PromptChange): string {
  const changed = changedScopes(change).length;
  const shown = change.truncated ? " There are more prompts than are looked at here." : "";
  if (changed === 0) return `No prompt changes.${shown}`;
  const rest = change.scopes.length - changed;
  const others = rest === 0 ? "" : ` ${plural(rest, "other stays", "others stay")} as ${rest === 1 ? "it is" : "they are"}.`;
  return `${plural(changed, "prompt changes", "prompts change")}.${others}${shown}`;
}

export interface Left {
  count: number;
  why: string;
}

/** What a prompt does not hold, by why; nothing of what is 0. */
export function leftOutLines({ by_rank, by_budget, by_scope, shadow }: Pick<LeftOut, "by_rank" | "by_budget" | "by_scope" | "shadow">): Left[] {
  const lines = [
    { count: by_rank, why: "others of their type rank higher; a prompt has at most eight of each type" },
    { count: by_budget, why: "the budget of 1,200 tokens was spent" },
    { count: by_scope, why: "they hold for other agents or types of record" },
    { count: shadow, why: "they would hold here and are in shadow" },
  ];
  return lines.filter(({ count }) => count > 0);
}
