import { Button, type ButtonProps } from "@mantine/core";
import { PlayIcon } from "@radix-ui/react-icons";
import type { ArtifactEvalSuite } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem } from "@/ui/notify";
import { useArtifactEvalActions } from "../hooks/useArtifactEvals";
import { isOpen } from "../lib/runs";

interface RunButtonProps extends ButtonProps {
  suite: ArtifactEvalSuite;
  onStarted?: () => void;
}

/** Nothing for those who may not run, and where there is no type to run on. */
export function RunButton({ suite, onStarted, ...look }: RunButtonProps) {
  const canRun = useCan()("artifact_evals.team.manage");
  const { start } = useArtifactEvalActions(suite.slug);
  if (!canRun || !suite.entity_type_exists) return null;
  const open = isOpen(suite.newest_run);
  return (
    <Button
      leftSection={<PlayIcon aria-hidden />}
      loading={start.isPending || open}
      aria-label={`Run ${suite.title}`}
      onClick={() =>
        start.mutate(undefined, {
          onSuccess: onStarted,
          onError: (error) => notifyProblem("The run was not started", error),
        })
      }
      {...look}
    >
      Run
    </Button>
  );
}
