import { Alert, Anchor, Code } from "@mantine/core";
import { ExclamationTriangleIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { ListedAgent } from "@/api/types";
import { useAgentsOverview } from "@/features/agents/hooks/useAgentActivity";
import { useAgentDefaults } from "@/features/agents/hooks/useAgentConfig";
import { ListSelect } from "@/ui/ListSelect";
import { canRun } from "../lib/population";

interface AgentChoiceProps {
  /** By slug. */
  value: string;
  onChange: (slug: string) => void;
  error?: string | undefined;
}

/** A choice among the agents that run here, and what the chosen one lacks to run. */
export function AgentChoice({ value, onChange, error }: AgentChoiceProps) {
  const agents = useAgentsOverview();
  const chosen = agents.rows?.find(({ slug }) => slug === value);
  const option = (agent: ListedAgent) => (canRun(agent) ? { value: agent.slug, label: agent.name } : null);
  return (
    <>
      <ListSelect label="Agent" list={agents} option={option} value={value} onChange={onChange} error={error} />
      {chosen && <AgentLacksModel agent={chosen} />}
    </>
  );
}

/** That a run would end for want of a model, and where to set one. */
function AgentLacksModel({ agent: { id, runs_with } }: { agent: ListedAgent }) {
  const installed = useAgentDefaults().data?.model;
  if (installed !== null || runs_with?.runtime !== "built_in" || runs_with.model) return null;
  return (
    <Alert color="orange" icon={<ExclamationTriangleIcon />} title="No model is configured">
      A run of this agent would end with <Code>no_model</Code>.{" "}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => <Link to="/settings/agents/$id" params={{ id }} search={{}} {...props} />}
      >
        Give it a model and a key
      </Anchor>
      , or start the server with <Code>GOLDLOOP_MODEL</Code> for all agents.
    </Alert>
  );
}
