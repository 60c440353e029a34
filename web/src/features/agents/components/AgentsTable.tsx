import { Anchor, Badge, Code, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Agent, ListedAgent } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import type { Sort } from "@/ui/table/sort";
import { useAgentsOverview } from "../hooks/useAgentActivity";
import { useAgentDefaults } from "../hooks/useAgentConfig";
import { isSystemAgent, whereItRuns } from "../lib/runs";
import { AgentMenu } from "./AgentMenu";
import { SessionLink } from "./SessionLink";
import { SessionStatus } from "./SessionsTab";

export const AGENT_SORTS = ["name", "slug", "active", "runs", "last_session"] as const;

interface AgentsTableProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
  onEdit: (agent: Agent) => void;
  empty: ReactNode;
}

const agentColumns: Column<ListedAgent>[] = [
  {
    key: "name",
    header: "Agent",
    sortValue: (agent) => agent.name,
    cell: (agent) => (
      <Stack gap={0}>
        <Group gap={8}>
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            renderRoot={(props) => <Link to="/settings/agents/$id" params={{ id: agent.id }} {...props} />}
          >
            {agent.name}
          </Anchor>
          {isSystemAgent(agent) && <SystemBadge />}
        </Group>
        {agent.description && (
          <Text size="xs" c="dimmed" maw={360} lineClamp={2}>
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
    cell: ({ active }) => <ActiveBadge active={active} />,
  },
  {
    key: "runs",
    header: "Runs",
    sortValue: (agent) => (agent.runs_with ? `${whereItRuns(agent, undefined).where} ${agent.runs_with.model ?? ""}` : null),
    cell: (agent) => <WhereItRuns agent={agent} />,
  },
  {
    key: "last_session",
    header: "Last session",
    sortValue: (agent) => agent.last_session?.created_at,
    cell: ({ last_session }) => (last_session ? <LastSession session={last_session} /> : "Never"),
  },
];

export function ActiveBadge({ active }: { active: boolean }) {
  return <Badge color={active ? "green" : "gray"}>{active ? "Active" : "Inactive"}</Badge>;
}

export function SystemBadge() {
  return (
    <Badge color="blue" title="Every workspace has it">
      System
    </Badge>
  );
}

function WhereItRuns({ agent }: { agent: ListedAgent }) {
  const { where, model } = whereItRuns(agent, useAgentDefaults().data?.model);
  return (
    <Stack gap={0}>
      <Text size="sm" c={agent.runs_with ? undefined : "dimmed"}>
        {where}
      </Text>
      {model && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {model}
        </Text>
      )}
    </Stack>
  );
}

function LastSession({ session }: { session: NonNullable<ListedAgent["last_session"]> }) {
  return (
    <Stack gap={2} align="flex-start">
      <SessionLink id={session.id}>
        <RelativeTime value={session.created_at} />
      </SessionLink>
      <SessionStatus status={session.status} />
    </Stack>
  );
}

export function AgentsTable({ sort, onSort, onEdit, empty }: AgentsTableProps) {
  const agents = useAgentsOverview();
  const canManage = useCan()("agents.team.manage");
  const actions: Column<ListedAgent> = {
    key: "actions",
    header: "Actions",
    hideHeader: true,
    cell: (agent) => <AgentMenu agent={agent} onEdit={onEdit} />,
  };
  return (
    <PagedRows list={agents} what="agents" empty={empty} sorted>
      {(rows) => (
        <DataTable
          label="Agents"
          columns={canManage ? [...agentColumns, actions] : agentColumns}
          rows={rows}
          rowKey={(agent) => agent.id}
          sort={sort}
          onSort={onSort}
        />
      )}
    </PagedRows>
  );
}
