import { Button } from "@mantine/core";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useFeedbackActions } from "../hooks/useFeedback";

/** One's own can be taken back while nobody has reviewed it. */
export function TakeBackButton({ id }: { id: string }) {
  const { takeBack } = useFeedbackActions();
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={takeBack.isPending}
      onClick={() =>
        takeBack.mutate(id, {
          onSuccess: () => notifyDone("Your feedback was taken back."),
          onError: (error) => notifyProblem("Your feedback was not taken back", error),
        })
      }
    >
      Take back
    </Button>
  );
}
