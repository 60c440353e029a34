/** The records that keep a schema from being changed, as the server names some of them. */
import * as v from "valibot";
import type { Problem } from "@/api/problem";

const Break = v.object({ id: v.string(), title: v.string(), path: v.string(), message: v.string() });
const Conflict = v.object({ records: v.array(Break) });

export type SchemaBreak = v.InferOutput<typeof Break>;

export function readBreaks(problem: Problem | null): SchemaBreak[] {
  if (problem?.code !== "content_breaks_schema") return [];
  const parsed = v.safeParse(Conflict, problem.conflict);
  return parsed.success ? parsed.output.records : [];
}
