import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { AgentSession } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useSessionActions } from "../hooks/useSessions";
import { canDismiss, canRunAgain, isOpen } from "../lib/status";

/** What can be done with a session as it stands. */
export function SessionActs({ session }: { session: AgentSession }) {
  const can = useCan()("sessions.team.create");
  const navigate = useNavigate();
  const { cancel, dismiss, runAgain } = useSessionActions(session.id);
  if (!can) return null;
  const askToCancel = () =>
    confirmDanger({
      title: "Cancel this session?",
      children: "It ends now. What it has done so far stays, and whatever it sends from now on is refused.",
      action: "Cancel session",
      onConfirm: () =>
        cancel.mutate(undefined, {
          onSuccess: () => notifyDone("The session was cancelled."),
          onError: (error) => notifyProblem("The session was not cancelled", error),
        }),
    });
  return (
    <>
      {canDismiss(session) && (
        <Button
          variant="default"
          loading={dismiss.isPending}
          onClick={() =>
            dismiss.mutate(undefined, {
              onSuccess: () => notifyDone("It does not wait in the inbox any more."),
              onError: (error) => notifyProblem("The session was not dismissed", error),
            })
          }
        >
          Dismiss
        </Button>
      )}
      {canRunAgain(session) && (
        <Button
          variant={session.status === "failed" ? "filled" : "default"}
          loading={runAgain.isPending}
          onClick={() =>
            runAgain.mutate(undefined, {
              onSuccess: ({ id }) => void navigate({ to: "/sessions/$id", params: { id } }),
              onError: (error) => notifyProblem("It was not run again", error),
            })
          }
        >
          Run again
        </Button>
      )}
      {isOpen(session) && (
        <Button variant="default" loading={cancel.isPending} onClick={askToCancel}>
          Cancel
        </Button>
      )}
    </>
  );
}
