/** Which criteria set gives the score that a type's records show; undefined where none is chosen. */
import type { EntityType } from "@/api/types";

export function featuredSetId({ config }: Pick<EntityType, "config">): string | undefined {
  const featured = config.featuredScore as { criteriaSetId?: unknown } | null | undefined;
  return typeof featured?.criteriaSetId === "string" ? featured.criteriaSetId : undefined;
}
