/** Which fields of the types a criteria set is for its dimensions can be promoted into or rate. */
import type { EntityType } from "@/api/types";

function typesFor(types: readonly EntityType[], slugs: readonly string[]): readonly EntityType[] {
  return slugs.length > 0 ? types.filter(({ slug }) => slugs.includes(slug)) : types;
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) => a.localeCompare(b, "en"));
}

function isRelation(type: EntityType, field: string): boolean {
  const config = type.field_configs[field];
  return typeof config === "object" && config !== null && "relation" in config && config.relation !== null;
}

/** No types means all of them. */
export function contentFields(types: readonly EntityType[], slugs: readonly string[]): string[] {
  return sorted(
    typesFor(types, slugs).flatMap((type) => {
      const properties = (type.json_schema.properties as object | undefined) ?? {};
      return Object.keys(properties).filter((field) => !isRelation(type, field));
    }),
  );
}

export function relationFields(types: readonly EntityType[], slugs: readonly string[]): string[] {
  return sorted(
    typesFor(types, slugs).flatMap((type) =>
      Object.keys(type.field_configs).filter((field) => isRelation(type, field)),
    ),
  );
}
