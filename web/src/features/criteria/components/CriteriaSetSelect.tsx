import type { ComponentProps } from "react";
import type { CriteriaSet } from "@/api/types";
import { ListSelect } from "@/ui/ListSelect";
import { useCriteriaSets } from "../hooks/useCriteriaSets";

interface CriteriaSetSelectProps extends Omit<ComponentProps<typeof ListSelect>, "list" | "option"> {
  /** Only those that fit its records; all when absent. */
  typeSlug: string | undefined;
  /** What tells a set apart where it is chosen. */
  by: "id" | "slug";
  /** Whether a set can be chosen. */
  offers?: (set: CriteriaSet) => boolean;
}

/** A choice among all criteria sets in use. */
export function CriteriaSetSelect({ typeSlug, by, offers = () => true, ...select }: CriteriaSetSelectProps) {
  const option = (set: CriteriaSet) => (offers(set) ? { value: set[by], label: set.name } : null);
  return <ListSelect list={useCriteriaSets(typeSlug)} option={option} {...select} />;
}
