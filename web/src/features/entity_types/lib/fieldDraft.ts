/** A field of a type while it is being edited, and how it is read from and written as JSON Schema. */
import { localId } from "@/ui/localId";
import { isLongText } from "./longText";

export const FIELD_KINDS = ["text", "long_text", "number", "integer", "boolean", "choice", "date", "relation"] as const;
/** A field that only its JSON can describe is of kind `other`: it is kept as it is. */
export type FieldKind = (typeof FIELD_KINDS)[number] | "other";

export const KIND_LABEL: Record<FieldKind, string> = {
  text: "Text",
  long_text: "Long text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  choice: "Choice",
  date: "Date",
  relation: "Relation",
  other: "Other (JSON)",
};

export type Json = Record<string, unknown>;

export interface FieldDraft {
  id: string;
  nameIsOwn: boolean;
  name: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  description: string;
  /** As typed, a line each. */
  options: readonly string[];
  min: number | string;
  max: number | string;
  unit: string;
  targetType: string;
  multiple: boolean;
  relationshipType: string;
  /** What the schema and the config said, so that what the builder does not know survives it. */
  schema: Json | null;
  config: Json;
  /** The kind that `schema` is of. */
  schemaKind: FieldKind;
}

const LONG_WIDGET = "markdown";

export function newField(): FieldDraft {
  return {
    id: localId(),
    nameIsOwn: false,
    name: "",
    label: "",
    kind: "text",
    required: false,
    description: "",
    options: [],
    min: "",
    max: "",
    unit: "",
    targetType: "",
    multiple: false,
    relationshipType: "",
    schema: null,
    config: {},
    schemaKind: "text",
  };
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function readField(name: string, schema: Json | null, config: Json, required: boolean): FieldDraft {
  const relation = isObject(config.relation) ? config.relation : null;
  const kind = relation ? "relation" : kindOf(schema ?? {}, config);
  return {
    id: localId(),
    nameIsOwn: true,
    name,
    label: textOf(config.label) || textOf(schema?.title),
    kind,
    required,
    description: textOf(config.description) || textOf(schema?.description),
    options: kind === "choice" ? (schema?.enum as string[]) : [],
    min: typeof schema?.minimum === "number" ? schema.minimum : "",
    max: typeof schema?.maximum === "number" ? schema.maximum : "",
    unit: textOf(config.unit),
    targetType: textOf(relation?.target_type),
    multiple: relation?.multiple === true,
    relationshipType: textOf(relation?.relationship_type),
    schema,
    config,
    schemaKind: kind,
  };
}

function kindOf(schema: Json, config: Json): FieldKind {
  const { type, enum: members } = schema;
  if (Array.isArray(members)) {
    return members.every((member) => typeof member === "string") && (type === undefined || type === "string")
      ? "choice"
      : "other";
  }
  if (type === "number" || type === "integer" || type === "boolean") return type;
  if (type !== "string") return "other";
  if (schema.format === "date") return "date";
  return isLongText(schema, config) ? "long_text" : "text";
}

/** The property of the schema; null for a relation, whose connections are rows of their own. */
export function schemaOf(draft: FieldDraft): Json | null {
  if (draft.kind === "relation" || draft.kind === "other") return draft.schema;
  const kept = draft.schema && draft.schemaKind === draft.kind ? draft.schema : typeSchema(draft.kind);
  const { title, description, minimum: _minimum, maximum: _maximum, ...rest } = kept;
  return {
    ...rest,
    ...(draft.label && title === draft.label ? { title } : {}),
    ...(draft.description && description === draft.description ? { description } : {}),
    ...(draft.kind === "choice" ? { enum: draft.options.map((option) => option.trim()).filter(Boolean) } : {}),
    ...(isNumberKind(draft.kind) ? limits(draft) : {}),
  };
}

function typeSchema(kind: FieldKind): Json {
  if (kind === "number" || kind === "integer" || kind === "boolean") return { type: kind };
  return kind === "date" ? { type: "string", format: "date" } : { type: "string" };
}

export function isNumberKind(kind: FieldKind): boolean {
  return kind === "number" || kind === "integer";
}

function limits({ min, max }: FieldDraft): Json {
  return { ...(typeof min === "number" ? { minimum: min } : {}), ...(typeof max === "number" ? { maximum: max } : {}) };
}

/** The field's config, without what the schema says already. */
export function configOf(draft: FieldDraft): Json {
  const { label: _label, description: _description, relation, widget, unit, ...rest } = draft.config;
  const { title, description } = schemaOf(draft) ?? {};
  const keptWidget = draft.kind === draft.schemaKind || draft.kind === "other" ? widget : undefined;
  const ownUnit = isNumberKind(draft.kind) ? draft.unit.trim() : draft.kind === draft.schemaKind ? unit : undefined;
  const needsWidget = draft.kind === "long_text" && !isLongText(schemaOf(draft) ?? {}, { widget: keptWidget });
  return {
    ...rest,
    ...(draft.label.trim() && draft.label !== title ? { label: draft.label.trim() } : {}),
    ...(draft.description.trim() && draft.description !== description ? { description: draft.description.trim() } : {}),
    ...(needsWidget ? { widget: LONG_WIDGET } : keptWidget !== undefined ? { widget: keptWidget } : {}),
    ...(ownUnit ? { unit: ownUnit } : {}),
    ...(draft.kind === "relation" ? { relation: relationOf(draft, relation) } : {}),
  };
}

function relationOf(draft: FieldDraft, before: unknown): Json {
  const { relationship_type: _kind, ...kept } = isObject(before) ? before : {};
  return {
    ...kept,
    target_type: draft.targetType,
    multiple: draft.multiple,
    ...(draft.relationshipType.trim() ? { relationship_type: draft.relationshipType.trim() } : {}),
  };
}
