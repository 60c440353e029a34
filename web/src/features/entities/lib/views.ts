/** Through which view a record is seen. */
import type { View } from "@/api/types";
import { ALL_FIELDS } from "./search";

export interface ViewChoice {
  /** Those that show something, with the type's own before those for all types. */
  offered: View[];
  /** Null: all fields, as they are. */
  shown: View | null;
}

/** What the address asks for, if it is there; else the first that was laid out for the type, else the first. */
export function chooseView(views: readonly View[], typeSlug: string, wanted: string | undefined): ViewChoice {
  const filled = views.filter(({ blocks }) => blocks.length > 0);
  const own = filled.filter(({ entity_type }) => entity_type === typeSlug);
  const offered = [...own, ...filled.filter((view) => !own.includes(view))];
  if (wanted === ALL_FIELDS) return { offered, shown: null };
  return { offered, shown: offered.find(({ slug }) => slug === wanted) ?? offered[0] ?? null };
}
