/** What the address of the audit log may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { PERIODS, bounds } from "@/features/conversations/lib/period";

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

const MAX_TEXT = 500; // the server's limit of a subject
/** The router reads `?subject=7` as a number; ids are text. */
const text = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim(), v.minLength(1), v.maxLength(MAX_TEXT));
const uuid = v.pipe(v.string(), v.uuid());
const day = v.pipe(v.string(), v.isoDate());

export const ACTOR_KINDS = ["user", "agent", "system"] as const;

export const auditSearch = v.object({
  name: lenient(text),
  topic: lenient(text),
  kind: lenient(v.picklist(ACTOR_KINDS)),
  actor: lenient(uuid),
  key: lenient(uuid),
  subject: lenient(text),
  days: lenient(v.picklist(PERIODS)),
  start: lenient(day),
  end: lenient(day),
  /** The entry that is open. */
  entry: lenient(uuid),
});
export type AuditSearch = v.InferOutput<typeof auditSearch>;

/** The same as the server wants it. */
export function toQuery({ name, topic, kind, actor, key, subject, ...period }: AuditSearch, now: Date) {
  const { start, end } = bounds(period, now);
  return {
    ...(name ? { name: [name] } : {}),
    ...(topic ? { topic } : {}),
    ...(kind ? { actor_kind: kind } : {}),
    ...(actor ? { actor_id: actor } : {}),
    ...(key ? { key_id: key } : {}),
    ...(subject ? { subject_id: subject } : {}),
    ...(start ? { since: start } : {}),
    ...(end ? { until: end } : {}),
  };
}

/** Whether anything is left out of the list. */
export function isNarrowed(search: AuditSearch): boolean {
  const { entry: _entry, ...rest } = search;
  return Object.values(rest).some((value) => value !== undefined);
}
