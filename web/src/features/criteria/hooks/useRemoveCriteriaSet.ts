import type { CriteriaSet } from "@/api/types";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useCriteriaSetActions } from "./useCriteriaSets";

/** Asks, deletes, and says what became of it: deleted, or archived because somebody has used it. */
export function useRemoveCriteriaSet(onDeleted: () => void) {
  const { remove } = useCriteriaSetActions();
  return (set: CriteriaSet) =>
    confirmDanger({
      title: `Delete ${set.name}?`,
      children: "A set that has responses is archived instead: nobody can answer it any more, and its history stays.",
      action: "Delete",
      onConfirm: () =>
        remove.mutate(set.id, {
          onSuccess: (archived) => {
            notifyDone(archived ? `${set.name} has responses and was archived.` : `${set.name} was deleted.`);
            if (!archived) onDeleted();
          },
          onError: (error) => notifyProblem("The criteria set was not deleted", error),
        }),
    });
}
