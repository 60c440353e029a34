import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useGoldenActions } from "./useGoldens";

/** Asks, and then the golden is an ordinary session again. */
export function useRevoke(id: string, onRevoked?: () => void) {
  const { revoke } = useGoldenActions();
  const askToRevoke = () =>
    confirmDanger({
      title: "Revoke this golden?",
      children: "Its session is an ordinary one again, and what was frozen of it is gone. Runs that replayed it stay as they are.",
      action: "Revoke",
      onConfirm: () =>
        revoke.mutate(id, {
          onSuccess: () => {
            notifyDone("Revoked. It is an ordinary session again.");
            onRevoked?.();
          },
          onError: (error) => notifyProblem("It was not revoked", error),
        }),
    });
  return { askToRevoke, isPending: revoke.isPending };
}
