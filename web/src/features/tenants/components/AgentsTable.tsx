import { ActionIcon, Badge, Code, Group, Menu, Stack, Text } from "@mantine/core";
import { DotsHorizontalIcon, Pencil1Icon, PauseIcon, PlayIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import type { Agent } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { useAgentActions, useAgents } from "../hooks/useAgents";
import { useCan } from "../hooks/useWorkspace";

export const AGENT_SORTS = ["name", "slug", "active", "created_at"] as const;

interface AgentsTableProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
  onEdit: (agent: Agent) => void;
  empty: ReactNode;
}

const agentColumns: Column<Agent>[] = [
  {
    key: "name",
    header: "Agent",
    sortValue: (agent) => agent.name,
    cell: (agent) => (
      <Stack gap={0}>
        <Text size="sm" fw={550}>
          {agent.name}
        </Text>
        {agent.description && (
          <Text size="xs" c="dimmed" maw={420}>
            {agent.description}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: "slug", header: "Slug", sortValue: (agent) => agent.slug, cell: (agent) => <Code>{agent.slug}</Code> },
  {
    key: "active",
    header: "Status",
    sortValue: (agent) => (agent.active ? 0 : 1),
    cell: (agent) => <Badge color={agent.active ? "green" : "gray"}>{agent.active ? "Active" : "Inactive"}</Badge>,
  },
  {
    key: "created_at",
    header: "Added",
    sortValue: (agent) => agent.created_at,
    cell: (agent) => <RelativeTime value={agent.created_at} />,
  },
];

export function AgentsTable({ sort, onSort, onEdit, empty }: AgentsTableProps) {
  const agents = useAgents();
  const canManage = useCan()("agents.team.manage");
  const { change } = useAgentActions();

  const setActive = (agent: Agent, active: boolean) =>
    change.mutate(
      { id: agent.id, active },
      {
        onSuccess: () => notifyDone(`${agent.name} is now ${active ? "active" : "inactive"}.`),
        onError: (error) => notifyProblem("The agent was not changed", error),
      },
    );
  const toggle = (agent: Agent) => {
    if (!agent.active) return setActive(agent, true);
    return confirmDanger({
      title: `Deactivate ${agent.name}?`,
      children: "Its keys stop working until it is activated again. What it wrote stays.",
      action: "Deactivate",
      onConfirm: () => setActive(agent, false),
    });
  };

  const columns: Column<Agent>[] = canManage
    ? [
        ...agentColumns,
        {
          key: "actions",
          header: "Actions",
          hideHeader: true,
          cell: (agent) => <AgentMenu agent={agent} onEdit={onEdit} onToggle={toggle} />,
        },
      ]
    : agentColumns;

  return (
    <PagedRows list={agents} what="agents" empty={empty} sorted>
      {(rows) => (
        <DataTable
          label="Agents"
          columns={columns}
          rows={rows}
          rowKey={(agent) => agent.id}
          sort={sort}
          onSort={onSort}
        />
      )}
    </PagedRows>
  );
}

interface AgentMenuProps {
  agent: Agent;
  onEdit: (agent: Agent) => void;
  onToggle: (agent: Agent) => void;
}

function AgentMenu({ agent, onEdit, onToggle }: AgentMenuProps) {
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
          <Menu.Item
            color={agent.active ? "var(--mantine-color-error)" : undefined}
            leftSection={agent.active ? <PauseIcon /> : <PlayIcon />}
            onClick={() => onToggle(agent)}
          >
            {agent.active ? "Deactivate" : "Activate"}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
