import type { ComponentProps } from "react";
import { ListSelect } from "@/ui/ListSelect";
import { useEntityTypes } from "../hooks/useEntityTypes";

type TypeSelectProps = Omit<ComponentProps<typeof ListSelect>, "list" | "option">;

/** A choice among all entity types, by slug. */
export function TypeSelect(props: TypeSelectProps) {
  return <ListSelect list={useEntityTypes()} option={({ slug, name }) => ({ value: slug, label: name })} {...props} />;
}
