/** The fields of a type as the UI sees them: its JSON schema and field configs read together. */
import type { EntityType } from "@/api/types";
import { isLongText } from "./longText";

export type FieldKind =
  | "text"
  | "longtext"
  | "date"
  | "url"
  | "number"
  | "integer"
  | "boolean"
  | "enum"
  | "texts"
  | "json";

export interface Field {
  key: string;
  label: string;
  description: string | null;
  kind: FieldKind;
  required: boolean;
  options: unknown[];
  min: number | undefined;
  max: number | undefined;
}

/** What the schema says about a field, its references resolved, and what a number of it counts. */
export interface FieldRules {
  key: string;
  rules: Readonly<Rules>;
  unit: string | null;
}

export interface RelationField {
  key: string;
  label: string;
  targetType: string;
  multiple: boolean;
}

type Rules = Record<string, unknown>;

const MAX_HOPS = 16; // references and wrappers followed before a field counts as too involved for a form

function isRules(value: unknown): value is Rules {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

/** "net_revenue" and "netRevenue" are both "Net revenue". */
export function humanize(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_\-\s]+/g, " ")
    .trim()
    .toLowerCase();
  return words === "" ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

function lookUp(reference: string, root: Rules): Rules {
  if (!reference.startsWith("#/")) return {};
  let node: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    node = isRules(node) ? node[token.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isRules(node) ? node : {};
}

/** Follows local references, and choices with a single branch beside null. */
function flatten(node: unknown, root: Rules): Rules {
  let rules: Rules = isRules(node) ? { ...node } : {};
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const { $ref: reference, ...rest } = rules;
    if (typeof reference === "string") {
      rules = { ...lookUp(reference, root), ...rest };
      continue;
    }
    const wrapper = ["anyOf", "oneOf", "allOf"].find((name) => Array.isArray(rules[name]));
    if (!wrapper) return rules;
    const { [wrapper]: branches, ...others } = rules;
    const real = (branches as unknown[]).filter((branch) => !(isRules(branch) && branch.type === "null"));
    if (real.length !== 1 || !isRules(real[0])) return { title: rules.title, description: rules.description };
    rules = { ...real[0], ...others };
  }
  return {};
}

function kindOf(rules: Rules, config: Rules): FieldKind {
  if (Array.isArray(rules.enum)) return "enum";
  const types = (Array.isArray(rules.type) ? rules.type : [rules.type]).filter((type) => type !== "null");
  const [type] = types;
  if (types.length !== 1) return "json";
  if (type === "number" || type === "integer" || type === "boolean") return type;
  if (type === "string") {
    if (rules.format === "date") return "date";
    if (rules.format === "uri" || rules.format === "url") return "url";
    return isLongText(rules, config) ? "longtext" : "text";
  }
  const items = isRules(rules.items) ? rules.items : {};
  return type === "array" && items.type === "string" && !Array.isArray(items.enum) ? "texts" : "json";
}

function configOf(entityType: EntityType, key: string): Rules {
  const config = entityType.field_configs[key];
  return isRules(config) ? config : {};
}

function bound(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Everything that `content` may hold, relations left out: those are rows of their own. */
export function listFields(entityType: EntityType): Field[] {
  const schema = entityType.json_schema;
  const properties = isRules(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties)
    .filter(([key]) => !isRules(configOf(entityType, key).relation))
    .map(([key, node]) => {
      const rules = flatten(node, schema);
      const config = configOf(entityType, key);
      return {
        key,
        label: text(config.label) ?? text(rules.title) ?? humanize(key),
        description: text(config.description) ?? text(rules.description),
        kind: kindOf(rules, config),
        required: required.includes(key),
        options: Array.isArray(rules.enum) ? rules.enum.filter((option) => option !== null) : [],
        min: bound(rules.minimum),
        max: bound(rules.maximum),
      };
    });
}

/** Null where the schema has no such field. */
export function findFieldRules(entityType: EntityType, key: string): FieldRules | null {
  const schema = entityType.json_schema;
  const properties = isRules(schema.properties) ? schema.properties : {};
  if (!Object.hasOwn(properties, key)) return null;
  return { key, rules: flatten(properties[key], schema), unit: text(configOf(entityType, key).unit) };
}

/** How fields are called where their values stand alone: "Notice period (days)". */
export function labelFields(entityType: EntityType): Map<string, string> {
  return new Map(
    listFields(entityType).map(({ key, label }) => {
      const unit = findFieldRules(entityType, key)?.unit;
      return [key, unit ? `${label} (${unit})` : label];
    }),
  );
}

export function listRelationFields(entityType: EntityType): RelationField[] {
  return Object.entries(entityType.field_configs).flatMap(([key, config]) => {
    const relation = isRules(config) ? config.relation : null;
    if (!isRules(config) || !isRules(relation) || typeof relation.target_type !== "string") return [];
    return [
      {
        key,
        label: text(config.label) ?? humanize(key),
        targetType: relation.target_type,
        multiple: relation.multiple === true,
      },
    ];
  });
}

/** The named fields in their order, then nothing; all of the type's when none is named. Unknown names are kept:
 * content may hold what the schema does not describe. */
export function chooseFields(entityType: EntityType, content: object, names?: readonly string[] | null): Field[] {
  const known = listFields(entityType);
  const keys = names ?? [
    ...known.map((field) => field.key),
    ...Object.keys(content).filter((key) => !known.some((field) => field.key === key)),
  ];
  return keys.map(
    (key) =>
      known.find((field) => field.key === key) ?? {
        key,
        label: humanize(key),
        description: null,
        kind: "json",
        required: false,
        options: [],
        min: undefined,
        max: undefined,
      },
  );
}
