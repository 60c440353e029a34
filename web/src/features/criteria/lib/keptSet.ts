/** A new criteria set that was begun and not saved, kept in this browser. */
import * as v from "valibot";
import { localId } from "@/ui/localId";
import { DIMENSION_TYPES } from "./dimensionTypes";
import type { SetDraft } from "./draft";
import { KINDS } from "./kinds";

/** What its draft is about. */
export const NEW_SET_DRAFT = ["criteria-set", "new"];

const text = v.string();
const typed = v.union([v.number(), v.string()]);
const type = v.picklist(DIMENSION_TYPES);

const kept = v.object({
  slugIsOwn: v.boolean(),
  slug: text,
  name: text,
  description: text,
  kind: v.picklist(KINDS),
  types: v.array(text),
  temporalKey: text,
  asMatrix: v.boolean(),
  matrixMin: typed,
  matrixMax: typed,
  matrixStep: typed,
  anchorMin: text,
  anchorMid: text,
  anchorMax: text,
  ofRelation: v.boolean(),
  relationField: text,
  dimensions: v.array(
    v.object({
      keyIsOwn: v.boolean(),
      key: text,
      label: text,
      type,
      weighedAs: v.nullable(type),
      min: typed,
      max: typed,
      step: typed,
      options: v.array(text),
      weight: typed,
      description: text,
      fieldName: text,
      required: v.boolean(),
      requiresApproval: v.boolean(),
    }),
  ),
});

/** What was kept; null where there is none that can be read. Its dimensions are told apart anew: ids are a page's own. */
export function parseKeptSet(stored: unknown): SetDraft | null {
  const read = v.safeParse(kept, stored);
  if (!read.success) return null;
  return { ...read.output, dimensions: read.output.dimensions.map((each) => ({ ...each, id: localId() })) };
}
