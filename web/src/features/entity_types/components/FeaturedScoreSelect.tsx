import { NativeSelect } from "@mantine/core";
import { useCriteriaSets } from "@/features/criteria/hooks/useCriteriaSets";
import { isScored } from "@/features/responses/lib/scoring";

interface FeaturedScoreSelectProps {
  typeSlug: string;
  value: string;
  onChange: (criteriaSetId: string) => void;
}

/** Whose score the records of a type show. It is changed, never cleared. */
export function FeaturedScoreSelect({ typeSlug, value, onChange }: FeaturedScoreSelectProps) {
  const sets = useCriteriaSets(typeSlug).rows ?? [];
  const scored = sets.filter((set) => set.dimensions.some(isScored) && set.scope?.type !== "relation");
  const known = scored.map(({ id, name }) => ({ value: id, label: name }));
  const isUnknown = value !== "" && !scored.some(({ id }) => id === value);
  const current = sets.find(({ id }) => id === value)?.name ?? "A set that is no longer in use";
  return (
    <NativeSelect
      label="Featured score"
      description="The criteria set whose score records of this type show"
      maw={380}
      disabled={known.length === 0 && !isUnknown}
      data={[
        ...(value === "" ? [{ value: "", label: known.length === 0 ? "No scored criteria set yet" : "None" }] : []),
        ...(isUnknown ? [{ value, label: current }] : []),
        ...known,
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
