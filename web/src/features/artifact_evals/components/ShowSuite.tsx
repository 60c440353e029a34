import { Button, Menu } from "@mantine/core";
import { ChevronDownIcon, EyeNoneIcon } from "@radix-ui/react-icons";
import type { ArtifactEvalSuite } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useArtifactEvalActions, useHiddenSuites } from "../hooks/useArtifactEvals";
import { settingsOf } from "../lib/settings";

/** The suites of the server that are not shown here, to be shown. Nothing where there is none, or for who may not. */
export function ShowSuiteMenu() {
  const canManage = useCan()("artifact_evals.team.manage");
  const hidden = useHiddenSuites(canManage).data?.data ?? [];
  if (!canManage || hidden.length === 0) return null;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon />}>
          Show suite
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hidden.map((suite) => (
          <ShowSuite key={suite.slug} suite={suite} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ShowSuite({ suite }: { suite: ArtifactEvalSuite }) {
  const { changeSettings } = useArtifactEvalActions(suite.slug);
  return (
    <Menu.Item
      onClick={() =>
        changeSettings.mutate(
          { ...settingsOf(suite), added: true },
          {
            onSuccess: () => notifyDone(`${suite.title} is shown.`),
            onError: (error) => notifyProblem("The suite is not shown", error),
          },
        )
      }
    >
      {suite.title}
    </Menu.Item>
  );
}

/** Only for a suite that is shown because somebody wanted it; one whose type is there is always shown. */
export function HideSuite({ suite }: { suite: ArtifactEvalSuite }) {
  const canManage = useCan()("artifact_evals.team.manage");
  const { changeSettings } = useArtifactEvalActions(suite.slug);
  if (!canManage) return null;
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        leftSection={<EyeNoneIcon />}
        loading={changeSettings.isPending}
        aria-label={`Hide ${suite.title}`}
        onClick={() =>
          changeSettings.mutate(
            { ...settingsOf(suite), added: false },
            { onError: (error) => notifyProblem("The suite is still shown", error) },
          )
        }
      >
        Hide suite
      </Button>
    </div>
  );
}
