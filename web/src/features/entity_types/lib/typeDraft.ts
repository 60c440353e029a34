/** An entity type while it is being edited: its fields one by one, the rest of its schema untouched. */
import { type Fault, fault, pointer } from "@/api/faults";
import type { EntityType } from "@/api/types";
import { moved } from "@/ui/move";
import { type FieldDraft, type Json, configOf, isObject, newField, readField, schemaOf } from "./fieldDraft";

export interface TypeDraft {
  name: string;
  featured: string;
  fields: readonly FieldDraft[];
  /** The schema without its properties and which of them are required. */
  schemaRest: Json;
  /** Required names that are no property. */
  requiredRest: readonly string[];
}

export interface TypeJson {
  json_schema: Json;
  field_configs: Json;
}

export const EMPTY_TYPE: TypeJson = {
  json_schema: { type: "object", properties: {}, additionalProperties: false },
  field_configs: {},
};

export function readFields({ json_schema, field_configs }: TypeJson): Omit<TypeDraft, "name" | "featured"> {
  const { properties, required, ...schemaRest } = json_schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const needed = Array.isArray(required) ? required.map(String) : [];
  const lone = Object.keys(field_configs).filter((name) => !names.includes(name));
  return {
    schemaRest,
    requiredRest: needed.filter((name) => !names.includes(name)),
    fields: [...names, ...lone].map((name) => {
      const schema = isObject(properties) ? properties[name] : undefined;
      const config = field_configs[name];
      return readField(
        name,
        isObject(schema) ? schema : schema === undefined ? null : {},
        isObject(config) ? config : {},
        needed.includes(name),
      );
    }),
  };
}

export function draftOfType(type: EntityType): TypeDraft {
  const featured = isObject(type.config.featuredScore) ? type.config.featuredScore.criteriaSetId : null;
  return {
    name: type.name,
    featured: typeof featured === "string" ? featured : "",
    ...readFields({ json_schema: type.json_schema, field_configs: type.field_configs }),
  };
}

export function writeFields({ fields, schemaRest, requiredRest }: Omit<TypeDraft, "name" | "featured">): TypeJson {
  const properties: Json = {};
  const field_configs: Json = {};
  const required: string[] = [...requiredRest];
  for (const field of fields) {
    const name = field.name.trim();
    const schema = schemaOf(field);
    const config = configOf(field);
    if (schema) properties[name] = schema;
    if (Object.keys(config).length > 0) field_configs[name] = config;
    if (schema && field.required) required.push(name);
  }
  return {
    json_schema: { ...schemaRest, properties, ...(required.length > 0 ? { required } : {}) },
    field_configs,
  };
}

/** What the server could not see: two fields of one name are one field to it. */
export function checkFields(fields: readonly FieldDraft[]): Fault[] {
  const seen = new Set<string>();
  return fields.flatMap((field, place) => {
    const name = field.name.trim();
    const at = `/fields/${place}`;
    const faults: Fault[] = [];
    if (!name) faults.push(fault(`${at}/name`, "empty_name", "A field has a name"));
    else if (seen.has(name)) faults.push(fault(`${at}/name`, "duplicate_name", "Another field has this name"));
    seen.add(name);
    if (field.kind === "choice" && !field.options.some((option) => option.trim())) {
      faults.push(fault(`${at}/options`, "options_missing", "A choice needs at least one option"));
    }
    if (field.kind === "relation" && !field.targetType) {
      faults.push(fault(`${at}/target_type`, "missing", "A relation names the slug of the type it leads to"));
    }
    return faults;
  });
}

/** The server names places in the JSON; the builder has them at its fields. */
export function placeAtFields(faults: readonly Fault[], fields: readonly FieldDraft[]): Fault[] {
  return faults.map((each) => {
    const place = fields.findIndex((field) => {
      const name = field.name.trim();
      return [pointer("json_schema", "properties", name), pointer("field_configs", name)].some(
        (at) => name && (each.path === at || each.path.startsWith(`${at}/`)),
      );
    });
    if (place < 0) return each;
    const last = each.path.split("/").at(-1) ?? "";
    return { ...each, path: `/fields/${place}/${INPUT_OF[last] ?? "name"}` };
  });
}

/** Which input shows what is wrong with a keyword. */
const INPUT_OF: Record<string, string> = {
  label: "label",
  title: "label",
  unit: "unit",
  description: "description",
  enum: "options",
  minimum: "min",
  maximum: "max",
  target_type: "target_type",
  relationship_type: "relationship_type",
  type: "kind",
  format: "kind",
};

export type TypeAction =
  | { do: "change"; part: Partial<Pick<TypeDraft, "name" | "featured">> }
  | { do: "read"; json: TypeJson }
  | { do: "add" }
  | { do: "changeField"; id: string; part: Partial<Omit<FieldDraft, "id">> }
  | { do: "move"; id: string; delta: -1 | 1 }
  | { do: "remove"; id: string }
  | { do: "reset"; draft: TypeDraft };

export function editType(draft: TypeDraft, action: TypeAction): TypeDraft {
  const { fields } = draft;
  switch (action.do) {
    case "change":
      return { ...draft, ...action.part };
    case "read":
      return { ...draft, ...readFields(action.json) };
    case "add":
      return { ...draft, fields: [...fields, newField()] };
    case "changeField":
      return {
        ...draft,
        fields: fields.map((each) => (each.id === action.id ? withName({ ...each, ...action.part }) : each)),
      };
    case "move": {
      const place = fields.findIndex(({ id }) => id === action.id);
      return place < 0 ? draft : { ...draft, fields: moved(fields, place, action.delta) };
    }
    case "remove":
      return { ...draft, fields: fields.filter(({ id }) => id !== action.id) };
    case "reset":
      return action.draft;
  }
}

/** Until somebody chooses a name it follows the label. */
function withName(field: FieldDraft): FieldDraft {
  if (field.nameIsOwn) return field;
  const words = field.label.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return { ...field, name: words.split(/[^\p{L}\p{N}]+/u).filter(Boolean).join("_") };
}
