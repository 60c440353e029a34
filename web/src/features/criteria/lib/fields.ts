/** Which fields of the types a criteria set is for its dimensions can be promoted into or rate, as people know them. */
import type { EntityType } from "@/api/types";
import { listFields, listRelationFields } from "@/features/entity_types/lib/fields";

/** A field as a select offers it. */
export interface FieldChoice {
  value: string;
  label: string;
}

interface Named {
  key: string;
  label: string;
}

/** No types means all of them. */
export function contentFields(types: readonly EntityType[], slugs: readonly string[]): FieldChoice[] {
  return choicesOf(typesFor(types, slugs).flatMap(listFields));
}

export function relationFields(types: readonly EntityType[], slugs: readonly string[]): FieldChoice[] {
  return choicesOf(typesFor(types, slugs).flatMap(listRelationFields));
}

/** What was chosen stays a choice, also when it is no longer there. */
export function withChosen(known: readonly FieldChoice[], chosen: readonly string[]): FieldChoice[] {
  const missing = [...new Set(chosen)].filter((key) => !known.some(({ value }) => value === key));
  return [...known, ...missing.map((key) => ({ value: key, label: key }))];
}

function typesFor(types: readonly EntityType[], slugs: readonly string[]): readonly EntityType[] {
  return slugs.length > 0 ? types.filter(({ slug }) => slugs.includes(slug)) : types;
}

/** One choice a key, by label. Where types call it differently it has all names; where two share one, the key tells. */
function choicesOf(fields: readonly Named[]): FieldChoice[] {
  const names = new Map<string, Set<string>>();
  for (const { key, label } of fields) names.set(key, (names.get(key) ?? new Set()).add(label));
  const labels = [...names].map(([value, all]) => ({ value, label: [...all].join(" / ") }));
  const isShared = (label: string) => labels.filter((other) => other.label === label).length > 1;
  return labels
    .map(({ value, label }) => ({ value, label: isShared(label) ? `${label} (${value})` : label }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
}
