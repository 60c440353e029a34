/** What a criteria set may be: the same rules and words as on the server, before anything is sent. */
import { type Fault, fault } from "@/api/faults";
import { quoted } from "@/api/plain";
import type { Dimension, NewCriteriaSet } from "@/api/types";
import { type DisplayConfig, LIKERT_MATRIX, MAX_COLUMNS, countColumns } from "./columns";
import { isNumeric } from "./dimensionTypes";
import { KEY, checkDimension, checkScale, checkText } from "./dimensions";

export type Definition = Omit<NewCriteriaSet, "id">;
export type Kind = Definition["kind"];

const SLUG = /^[a-z0-9][a-z0-9_-]{0,119}$/; // room for `default-` before the slug of a type
const MAX_NAME = 200;
const MAX_DESCRIPTION = 5000;
const MAX_DIMENSIONS = 200; // as many as a type may have fields
const MAX_ALL_OPTIONS = 10_000; // over all dimensions: every response keeps them as they were
const MAX_TYPES = 100;
const MAX_ANCHOR = 100; // a column heading

/** Everything wrong with it, each with its place; nothing means that it can be sent. */
export function checkDefinition(definition: Definition): Fault[] {
  return [
    ...headFaults(definition),
    ...dimensionFaults(definition),
    ...scopeFaults(definition),
    ...displayFaults(definition),
  ];
}

function headFaults(definition: Definition): Fault[] {
  const faults: Fault[] = [];
  if (!SLUG.test(definition.slug)) {
    faults.push(fault("/slug", "invalid_slug", "A slug has 1 to 120 lower-case letters, digits, _ or -"));
  }
  faults.push(...checkText(definition.name, "/name", MAX_NAME));
  faults.push(...checkText(definition.description, "/description", MAX_DESCRIPTION, true));
  const types = definition.entity_type_slugs ?? null;
  if (types && (types.length === 0 || types.length > MAX_TYPES)) {
    faults.push(fault("/entity_type_slugs", "wrong_count", `Name 1 to ${MAX_TYPES} types, or null for all`));
  }
  types?.forEach((slug, place) => {
    if (types.indexOf(slug) < place) {
      faults.push(fault(`/entity_type_slugs/${place}`, "duplicate_type", `${quoted(slug)} is there twice`));
    }
  });
  return [...faults, ...temporalFaults(definition)];
}

function temporalFaults({ kind, temporal_key: key = null }: Definition): Fault[] {
  const at = "/temporal_key";
  if (kind === "temporal" && key === null) {
    return [fault(at, "temporal_key_missing", "A temporal set says what tells its snapshots apart")];
  }
  if (kind !== "temporal" && key !== null) {
    return [fault(at, "temporal_key_unused", "Only a temporal set has a temporal key")];
  }
  if (key !== null && !KEY.test(key)) {
    return [fault(at, "invalid_key", "A temporal key has the form of a dimension's key")];
  }
  return [];
}

/** A record set may be empty: that of a type whose fields are all lists, objects or relations is. */
function dimensionFaults({ kind, dimensions }: Definition): Fault[] {
  const faults: Fault[] = [];
  if (dimensions.length > MAX_DIMENSIONS) {
    faults.push(fault("/dimensions", "too_many", `A criteria set has at most ${MAX_DIMENSIONS} dimensions`));
  } else if (dimensions.length === 0 && kind !== "record") {
    faults.push(fault("/dimensions", "empty", "There is nothing to fill in: add a dimension"));
  }
  if (dimensions.reduce((sum, { options }) => sum + (options?.length ?? 0), 0) > MAX_ALL_OPTIONS) {
    faults.push(fault("/dimensions", "too_many_options", `A set has at most ${MAX_ALL_OPTIONS} options in all`));
  }
  const keys = new Set<string>();
  const fields = new Set<string>();
  dimensions.slice(0, MAX_DIMENSIONS).forEach((dimension, place) => {
    const at = `/dimensions/${place}`;
    faults.push(...checkDimension(dimension, at));
    if (keys.has(dimension.key)) {
      faults.push(fault(`${at}/key`, "duplicate_key", `${quoted(dimension.key)} is there twice`));
    }
    const field = dimension.fieldName ?? null;
    if (field !== null && fields.has(field)) {
      faults.push(fault(`${at}/fieldName`, "duplicate_field", "Another dimension is promoted into this field"));
    }
    keys.add(dimension.key);
    if (field !== null) fields.add(field);
  });
  return faults;
}

function scopeFaults({ scope, dimensions }: Definition): Fault[] {
  if (!scope) return [];
  const key = scope.fieldKey ?? null;
  if (scope.type !== "relation") {
    return key === null ? [] : [fault("/scope/fieldKey", "field_key_unused", "Only a relation scope has a field")];
  }
  const faults: Fault[] = [];
  if (!key?.trim()) {
    faults.push(fault("/scope/fieldKey", "field_key_missing", "A relation scope names its relation field"));
  }
  dimensions.slice(0, MAX_DIMENSIONS).forEach(({ fieldName = null }, place) => {
    if (fieldName === null) return;
    const message = "What is said about a connection is not promoted into a field";
    faults.push(fault(`/dimensions/${place}/fieldName`, "not_promotable", message));
  });
  return faults;
}

function displayFaults({ display_type: type = null, display_config: config = null, dimensions }: Definition): Fault[] {
  if (type === null) {
    const message = "The plain list has no display config";
    return config === null ? [] : [fault("/display_config", "display_config_unused", message)];
  }
  if (type !== LIKERT_MATRIX) {
    return [fault("/display_type", "unknown_display_type", `A display type is null or ${quoted(LIKERT_MATRIX)}`)];
  }
  return [
    ...configFaults(config ?? {}),
    ...dimensions.slice(0, MAX_DIMENSIONS).flatMap((dimension, place) => rowFaults(dimension, config ?? {}, place)),
  ];
}

export function configFaults(config: DisplayConfig): Fault[] {
  const labels = config.anchorLabels;
  return [
    ...checkScale(config.scale, config.step, "/display_config"),
    ...(["min", "mid", "max"] as const).flatMap((name) =>
      checkText(labels?.[name], `/display_config/anchorLabels/${name}`, MAX_ANCHOR),
    ),
  ];
}

export function rowFaults(dimension: Dimension, config: DisplayConfig, place: number): Fault[] {
  const at = `/dimensions/${place}`;
  if (!isNumeric(dimension.type)) {
    return [fault(`${at}/type`, "not_numeric", "The rows of a Likert matrix are numbers and ratings")];
  }
  const scale = dimension.scale ?? config.scale;
  if (!scale) {
    return [fault(`${at}/scale`, "scale_missing", "A row of a Likert matrix needs a scale, here or for all")];
  }
  const columns = countColumns(dimension, config);
  if (columns === null || columns <= MAX_COLUMNS) return [];
  const message = `${scale[0]} to ${scale[1]} makes ${columns} columns; a Likert matrix has at most ${MAX_COLUMNS}`;
  return [fault(dimension.scale ? `${at}/scale` : "/display_config/scale", "too_many_columns", message)];
}
