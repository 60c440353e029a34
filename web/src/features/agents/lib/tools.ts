/** Tools as agents are given them: by group. Pure. */
import type { Tool } from "@/api/types";

export interface ToolGroup {
  name: string;
  tools: readonly Tool[];
  writes: boolean;
}

/** In the order of the server; `chosen` that it does not offer (any more, or not to this person) come last, without tools. */
export function groupTools(tools: readonly Tool[], chosen: readonly string[]): ToolGroup[] {
  const names = [...new Set([...tools.map(({ group }) => group), ...chosen])];
  return names.map((name) => {
    const own = tools.filter(({ group }) => group === name);
    return { name, tools: own, writes: own.some(({ writes }) => writes) };
  });
}

/** Ticks a group or takes the tick away; the others keep their order. */
export function toggled(chosen: readonly string[], group: string): string[] {
  return chosen.includes(group) ? chosen.filter((name) => name !== group) : [...chosen, group];
}
