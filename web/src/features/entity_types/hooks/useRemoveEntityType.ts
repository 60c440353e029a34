import type { EntityType } from "@/api/types";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useEntityTypeActions } from "./useEntityTypes";

export function useRemoveEntityType(onDeleted: () => void) {
  const { remove } = useEntityTypeActions();
  return (type: EntityType) =>
    confirmDanger({
      title: `Delete ${type.name}?`,
      children: "Only a type without records can be deleted. This cannot be taken back.",
      action: "Delete",
      onConfirm: () =>
        remove.mutate(type.slug, {
          onSuccess: () => {
            notifyDone(`${type.name} was deleted.`);
            onDeleted();
          },
          onError: (error) => notifyProblem("The entity type was not deleted", error),
        }),
    });
}
