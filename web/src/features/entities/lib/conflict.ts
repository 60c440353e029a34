/** Two edits of one record that began at the same version, side by side. */
import type { Entity } from "@/api/types";
import type { Field } from "@/features/entity_types/lib/fields";
import { sameValue } from "./values";

export interface ConflictRow {
  key: string;
  label: string;
  before: unknown;
  theirs: unknown;
  mine: unknown;
  /** Both changed it, and not to the same. */
  clash: boolean;
}

/** Every field that either side changed; those that both changed come first. */
export function conflictRows(
  base: Entity,
  theirs: Entity,
  title: string,
  changes: ReadonlyMap<string, unknown>,
  fields: readonly Field[],
): ConflictRow[] {
  const all = [
    { key: "title", label: "Title", before: base.title, theirs: theirs.title, mine: title },
    ...fields.map(({ key, label }) => ({
      key: `content.${key}`,
      label,
      before: base.content[key],
      theirs: theirs.content[key],
      mine: changes.has(key) ? changes.get(key) : base.content[key],
    })),
  ];
  return all
    .map((row) => ({ ...row, changedByThem: !sameValue(row.before, row.theirs), changedByMe: !sameValue(row.before, row.mine) }))
    .filter((row) => row.changedByThem || row.changedByMe)
    .map(({ changedByThem, changedByMe, ...row }) => ({
      ...row,
      clash: changedByThem && changedByMe && !sameValue(row.theirs, row.mine),
    }))
    .sort((one, other) => Number(other.clash) - Number(one.clash));
}
