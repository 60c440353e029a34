/** What the address of the review queue may say; a value that cannot be used counts as not given. */
import * as v from "valibot";

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

const text = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim(), v.minLength(1), v.maxLength(120));
const uuid = v.pipe(v.string(), v.uuid());

export const reviewSearch = v.object({
  /** The type of the records, by slug. */
  type: lenient(text),
  /** The criteria set, by id. */
  set: lenient(uuid),
  /** Of people, of agents, or of one of them by id. */
  by: lenient(v.union([v.picklist(["person", "agent"]), uuid])),
  to: lenient(v.union([v.picklist(["me", "nobody"]), uuid])),
  /** The response at hand. */
  response: lenient(uuid),
});
export type ReviewSearch = v.InferOutput<typeof reviewSearch>;
export type ReviewFilters = Omit<ReviewSearch, "response">;

/** What the server is asked for: whatever waits, narrowed by the address. */
export function toQuery({ type, set, by, to }: ReviewFilters) {
  return {
    promotable: true,
    ...(type ? { type } : {}),
    ...(set ? { criteria_set: set } : {}),
    ...(by ? { submitted_by: by } : {}),
    ...(to ? { assigned_to: to } : {}),
  };
}

export function isNarrowed({ type, set, by, to }: ReviewFilters): boolean {
  return [type, set, by, to].some((part) => part !== undefined);
}
