import type { View } from "@/api/types";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useViewActions } from "./useViews";

export function useRemoveView(onDeleted: () => void) {
  const { remove } = useViewActions();
  return (view: View) =>
    confirmDanger({
      title: `Delete ${view.name}?`,
      children: "Only the layout goes. Records and responses stay as they are.",
      action: "Delete",
      onConfirm: () =>
        remove.mutate(view.id, {
          onSuccess: () => {
            notifyDone(`${view.name} was deleted.`);
            onDeleted();
          },
          onError: (error) => notifyProblem("The view was not deleted", error),
        }),
    });
}
