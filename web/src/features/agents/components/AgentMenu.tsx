import { ActionIcon, Group, Menu } from "@mantine/core";
import { DotsHorizontalIcon, PauseIcon, Pencil1Icon, PlayIcon } from "@radix-ui/react-icons";
import type { Agent } from "@/api/types";
import { useAgentActions } from "@/features/tenants/hooks/useAgents";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { isSystemAgent } from "../lib/runs";

interface AgentMenuProps {
  agent: Agent;
  onEdit: (agent: Agent) => void;
}

/** What may be done with who an agent is. */
export function AgentMenu({ agent, onEdit }: AgentMenuProps) {
  const { change } = useAgentActions();
  const setActive = (active: boolean) =>
    change.mutate(
      { id: agent.id, active },
      {
        onSuccess: () => notifyDone(`${agent.name} is now ${active ? "active" : "inactive"}.`),
        onError: (error) => notifyProblem("The agent was not changed", error),
      },
    );
  const toggle = () => {
    if (!agent.active) return setActive(true);
    return confirmDanger({
      title: `Deactivate ${agent.name}?`,
      children: "Its keys stop working until it is activated again. What it wrote stays.",
      action: "Deactivate",
      onConfirm: () => setActive(false),
    });
  };
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${agent.name}`}>
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil1Icon />} onClick={() => onEdit(agent)}>
            Edit
          </Menu.Item>
          {!isSystemAgent(agent) && (
            <Menu.Item
              color={agent.active ? "var(--mantine-color-error)" : undefined}
              leftSection={agent.active ? <PauseIcon /> : <PlayIcon />}
              onClick={toggle}
            >
              {agent.active ? "Deactivate" : "Activate"}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
