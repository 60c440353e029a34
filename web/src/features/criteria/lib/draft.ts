/** A criteria set while it is being edited: every input has its place, also those that do not apply just now. */
import type { CriteriaSet, Dimension } from "@/api/types";
import { localId } from "@/ui/localId";
import { type DisplayConfig, LIKERT_MATRIX } from "./columns";
import type { Definition, Kind } from "./definition";
import { type DimensionType, isNumeric, typeRow } from "./dimensionTypes";
import type { Scale } from "./dimensions";

/** What a number input holds: "" is empty, and other text is not a number yet. */
export type Typed = number | string;

export interface DimensionDraft {
  id: string;
  /** Whether the key was chosen, or follows the label. */
  keyIsOwn: boolean;
  key: string;
  label: string;
  type: DimensionType;
  /** The type that a weight is stored with; null when none is. */
  weighedAs: DimensionType | null;
  min: Typed;
  max: Typed;
  step: Typed;
  /** As typed, a line each; empty lines are nothing. */
  options: readonly string[];
  weight: Typed;
  description: string;
  fieldName: string;
  required: boolean;
  requiresApproval: boolean;
}

export interface SetDraft {
  slugIsOwn: boolean;
  slug: string;
  name: string;
  description: string;
  kind: Kind;
  /** None means all. */
  types: readonly string[];
  temporalKey: string;
  asMatrix: boolean;
  matrixMin: Typed;
  matrixMax: Typed;
  matrixStep: Typed;
  anchorMin: string;
  anchorMid: string;
  anchorMax: string;
  ofRelation: boolean;
  relationField: string;
  dimensions: readonly DimensionDraft[];
}

export const NEW_SET: SetDraft = {
  slugIsOwn: false,
  slug: "",
  name: "",
  description: "",
  kind: "assessment",
  types: [],
  temporalKey: "",
  asMatrix: false,
  matrixMin: "",
  matrixMax: "",
  matrixStep: "",
  anchorMin: "",
  anchorMid: "",
  anchorMax: "",
  ofRelation: false,
  relationField: "",
  dimensions: [],
};

export function newDimension(type: DimensionType): DimensionDraft {
  return {
    id: localId(),
    keyIsOwn: false,
    key: "",
    label: "",
    type,
    weighedAs: null,
    ...typeRow(type).first,
    step: "",
    options: [],
    description: "",
    fieldName: "",
    required: false,
    requiresApproval: false,
  };
}

export function draftOf(set: CriteriaSet): SetDraft {
  const { scale, step, anchorLabels } = set.display_config ?? {};
  return {
    slugIsOwn: true,
    slug: set.slug,
    name: set.name,
    description: set.description ?? "",
    kind: set.kind,
    types: set.entity_type_slugs ?? [],
    temporalKey: set.temporal_key ?? "",
    asMatrix: set.display_type === LIKERT_MATRIX,
    matrixMin: scale?.[0] ?? "",
    matrixMax: scale?.[1] ?? "",
    matrixStep: step ?? "",
    anchorMin: anchorLabels?.min ?? "",
    anchorMid: anchorLabels?.mid ?? "",
    anchorMax: anchorLabels?.max ?? "",
    ofRelation: set.scope?.type === "relation",
    relationField: set.scope?.fieldKey ?? "",
    dimensions: set.dimensions.map(dimensionDraft),
  };
}

function dimensionDraft(dimension: Dimension): DimensionDraft {
  return {
    id: localId(),
    keyIsOwn: true,
    key: dimension.key,
    label: dimension.label,
    type: dimension.type,
    weighedAs: typeof dimension.weight === "number" ? dimension.type : null,
    min: dimension.scale?.[0] ?? "",
    max: dimension.scale?.[1] ?? "",
    step: dimension.step ?? "",
    options: dimension.options ?? [],
    weight: dimension.weight ?? "",
    description: dimension.description ?? "",
    fieldName: dimension.fieldName ?? "",
    required: dimension.required ?? false,
    requiresApproval: dimension.extraction?.requiresApproval ?? false,
  };
}

/** What would be sent; half a scale is one without an end, which `checkDefinition` names. */
export function definitionOf(draft: SetDraft): Definition {
  return {
    slug: draft.slug.trim(),
    name: draft.name.trim(),
    kind: draft.kind,
    description: draft.description.trim() || null,
    entity_type_slugs: draft.types.length > 0 ? [...draft.types] : null,
    temporal_key: draft.kind === "temporal" ? draft.temporalKey.trim() || null : null,
    display_type: draft.asMatrix ? LIKERT_MATRIX : null,
    display_config: draft.asMatrix ? displayConfig(draft) : null,
    scope: draft.ofRelation ? { type: "relation", fieldKey: draft.relationField || null } : null,
    dimensions: draft.dimensions.map((dimension) => dimensionOf(dimension, draft.ofRelation)),
  };
}

/** Only numbers and ratings are scored. A weight that something else came with says nothing, and is not ours to drop. */
function keepsWeight({ type, weighedAs }: DimensionDraft): boolean {
  return isNumeric(type) || type === weighedAs;
}

/** What was typed for another type and is not sent with this one, in words; null when there is nothing. */
export function leftOut(draft: DimensionDraft): string | null {
  const { type, min, max, step, weight, options } = draft;
  const parts = isNumeric(type)
    ? []
    : [
        (min !== "" || max !== "") && `the scale ${min}–${max}`,
        step !== "" && `the step ${step}`,
        weight !== "" && !keepsWeight(draft) && `the weight ${weight}`,
      ];
  const given = options.filter((option) => option.trim()).length;
  const all = [...parts, !typeRow(type).hasOptions && given > 0 && `${given === 1 ? "1 option" : `${given} options`}`];
  return listed.format(all.filter((part) => part !== false)) || null;
}

const listed = new Intl.ListFormat("en", { type: "conjunction" });

function dimensionOf(draft: DimensionDraft, ofRelation: boolean): Dimension {
  const numeric = isNumeric(draft.type);
  const scale = numeric ? scaleOf(draft.min, draft.max) : null;
  const step = numeric ? numberOf(draft.step) : null;
  const weight = keepsWeight(draft) ? numberOf(draft.weight) : null;
  return {
    key: draft.key.trim(),
    label: draft.label.trim(),
    type: draft.type,
    required: draft.required,
    ...(scale ? { scale } : {}),
    ...(step !== null ? { step } : {}),
    ...(weight !== null ? { weight } : {}),
    ...(typeRow(draft.type).hasOptions ? { options: draft.options.map((each) => each.trim()).filter(Boolean) } : {}),
    ...(draft.description.trim() ? { description: draft.description.trim() } : {}),
    ...(draft.fieldName && !ofRelation ? { fieldName: draft.fieldName } : {}),
    ...(draft.requiresApproval ? { extraction: { requiresApproval: true } } : {}),
  };
}

function displayConfig(draft: SetDraft): DisplayConfig | null {
  const scale = scaleOf(draft.matrixMin, draft.matrixMax);
  const step = numberOf(draft.matrixStep);
  const [min, mid, max] = [draft.anchorMin, draft.anchorMid, draft.anchorMax].map((text) => text.trim());
  const anchorLabels = min || mid || max ? { min: min ?? "", ...(mid ? { mid } : {}), max: max ?? "" } : null;
  if (!scale && step === null && !anchorLabels) return null;
  return { ...(scale ? { scale } : {}), ...(step !== null ? { step } : {}), ...(anchorLabels ? { anchorLabels } : {}) };
}

function numberOf(typed: Typed): number | null {
  if (typeof typed === "number") return typed;
  return typed.trim() ? Number(typed) : null;
}

function scaleOf(min: Typed, max: Typed): Scale | null {
  const [low, high] = [numberOf(min), numberOf(max)];
  return low === null && high === null ? null : [low ?? Number.NaN, high ?? Number.NaN];
}
