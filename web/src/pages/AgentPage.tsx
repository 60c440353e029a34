import { Code, Group } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Agent, AgentVersion } from "@/api/types";
import { AgentKeys } from "@/features/agents/components/AgentKeys";
import { AgentMenu } from "@/features/agents/components/AgentMenu";
import { AgentTabs } from "@/features/agents/components/AgentTabs";
import { ActiveBadge, SystemBadge } from "@/features/agents/components/AgentsTable";
import { ConfigurationTab } from "@/features/agents/components/ConfigurationTab";
import { NoModel } from "@/features/agents/components/NoModel";
import { ResponsesTab } from "@/features/agents/components/ResponsesTab";
import { SessionsTab } from "@/features/agents/components/SessionsTab";
import { TryIt } from "@/features/agents/components/TryIt";
import { VersionsTab } from "@/features/agents/components/VersionsTab";
import { useAgentDefaults, useCurrentVersion } from "@/features/agents/hooks/useAgentConfig";
import { useConfigDraftName } from "@/features/agents/hooks/useConfigEditor";
import { isSystemAgent, lacksModel } from "@/features/agents/lib/runs";
import { AgentDialog } from "@/features/tenants/components/AgentDialog";
import { useAgent } from "@/features/tenants/hooks/useAgents";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { BackLink } from "@/ui/BackLink";
import { DraftBadge } from "@/ui/DraftBadge";
import { Loaded } from "@/ui/Loaded";
import { PageHeader } from "@/ui/PageHeader";
import { useIsDraftKept } from "@/ui/useIsDraftKept";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/agents/$id");

export function AgentPage() {
  const { id } = route.useParams();
  const agent = useAgent(id);
  const version = useCurrentVersion(id);
  useTitle(agent.data?.name ?? "Agent", "Settings");
  return (
    <>
      <BackLink to="/settings/agents">Agents</BackLink>
      <Loaded query={agent} what="the agent">
        {(found) => (
          <Loaded query={version} what="the agent">
            {(current) => <AgentView key={found.id} agent={found} version={current} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

interface AgentViewProps {
  agent: Agent;
  version: AgentVersion | null;
}

function AgentView({ agent, version }: AgentViewProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab = "configuration" } = search;
  const isBegun = useIsDraftKept(useConfigDraftName(agent.id));
  const installed = useAgentDefaults().data?.model;
  const isWithoutModel = lacksModel(version, installed);
  return (
    <>
      <AgentHead agent={agent} version={version} isWithoutModel={isWithoutModel} />
      {isWithoutModel && <NoModel />}
      <AgentTabs agentId={agent.id} tab={tab} marks={{ configuration: isBegun && <DraftBadge ml={6} /> }}>
        {tab === "configuration" && <ConfigurationTab agent={agent} version={version} />}
        {tab === "versions" && (
          <VersionsTab
            agent={agent}
            from={search.from}
            to={search.to}
            onPair={(pair) => void navigate({ search: { tab, ...pair }, replace: true, resetScroll: false })}
          />
        )}
        {tab === "sessions" && <SessionsTab agent={agent} />}
        {tab === "responses" && <ResponsesTab agent={agent} />}
        {tab === "keys" && (
          <AgentKeys
            agent={agent}
            search={search}
            onSort={({ key, dir }) => void navigate({ search: { tab, sort: key, dir }, replace: true })}
          />
        )}
      </AgentTabs>
    </>
  );
}

function AgentHead({ agent, version, isWithoutModel }: AgentViewProps & { isWithoutModel: boolean }) {
  const can = useCan();
  const [editing, setEditing] = useState<Agent | null>(null);
  return (
    <>
      <PageHeader
        order={2}
        title={agent.name}
        description={
          <Group gap={8} component="span">
            <Code>{agent.slug}</Code>
            <ActiveBadge active={agent.active} />
            {isSystemAgent(agent) && <SystemBadge />}
            {agent.description}
          </Group>
        }
        actions={
          <>
            {version && can("sessions.team.create") && (
              <TryIt agent={agent} version={version} whyNot={whyNot(agent, isWithoutModel)} />
            )}
            {can("agents.team.manage") && <AgentMenu agent={agent} onEdit={setEditing} />}
          </>
        }
      />
      <AgentDialog agent={editing} onClose={() => setEditing(null)} />
    </>
  );
}

function whyNot(agent: Agent, isWithoutModel: boolean): string | null {
  if (!agent.active) return "The agent is inactive: activate it to run it.";
  return isWithoutModel ? "No model is configured: name one in the configuration first." : null;
}
