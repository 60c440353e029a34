import { RatersNote } from "@/features/entities/components/RatersNote";
import { useAggregation } from "../hooks/useResponses";

interface SetRatersProps {
  entityId: string;
  criteriaSetId: string;
}

/** Beside the latest score of a criteria set: who rated the record with it. */
export function SetRaters({ entityId, criteriaSetId }: SetRatersProps) {
  const { data } = useAggregation(entityId, criteriaSetId);
  return data?.raters ? <RatersNote raters={data.raters} short /> : null;
}
