import type { CriteriaSet } from "@/api/types";
import { useCriteriaSet } from "../hooks/useCriteriaSets";
import { isScored } from "../lib/scoring";
import { CriteriaSetSelect } from "./CriteriaSetSelect";

interface FeaturedScoreSelectProps {
  typeSlug: string;
  value: string;
  onChange: (criteriaSetId: string) => void;
}

function canBeFeatured(set: CriteriaSet): boolean {
  return set.dimensions.some(isScored) && set.scope?.type !== "relation";
}

/** Whose score the records of a type show. It is changed, never cleared. */
export function FeaturedScoreSelect({ typeSlug, value, onChange }: FeaturedScoreSelectProps) {
  const { data: chosen } = useCriteriaSet(value || undefined);
  return (
    <CriteriaSetSelect
      label="Featured score"
      description="The criteria set whose score records of this type show"
      placeholder="No scored criteria set chosen"
      maw={380}
      typeSlug={typeSlug}
      by="id"
      offers={canBeFeatured}
      unknown={chosen ? `${chosen.name}${chosen.archived_at ? " (archived)" : ""}` : "A set that is no longer in use"}
      value={value}
      onChange={onChange}
    />
  );
}
