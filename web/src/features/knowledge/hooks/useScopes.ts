import { useEveryPage } from "@/api/useEveryPage";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { useAgents } from "@/features/tenants/hooks/useAgents";

interface Scope {
  agent_id: string | null;
  entity_type_id: string | null;
}

/** Says where knowledge holds, by name. */
export function useScopes() {
  const { rows: agents = [] } = useEveryPage(useAgents());
  const { rows: types = [] } = useEveryPage(useEntityTypes());
  const agentOf = (id: string) => agents.find((agent) => agent.id === id)?.name ?? "an agent";
  const typeOf = (id: string) => types.find((type) => type.id === id)?.name ?? "a type";
  /** "Everywhere", "Reader", "Company", "Reader · Company". */
  const nameOf = ({ agent_id, entity_type_id }: Scope): string =>
    [agent_id && agentOf(agent_id), entity_type_id && typeOf(entity_type_id)].filter(Boolean).join(" · ") || "Everywhere";
  /** "everywhere", "for Reader and records of type Company". */
  const inWords = ({ agent_id, entity_type_id }: Scope): string => {
    if (agent_id && entity_type_id) return `for ${agentOf(agent_id)} about records of type ${typeOf(entity_type_id)}`;
    if (agent_id) return `for ${agentOf(agent_id)}`;
    return entity_type_id ? `about records of type ${typeOf(entity_type_id)}` : "everywhere";
  };
  /** Of which runs the prompts of a scope are. */
  const promptsOf = (scope: Scope): string => (scope.agent_id || scope.entity_type_id ? `Prompts ${inWords(scope)}` : "Prompts of no agent or type in particular");
  return { nameOf, promptsOf, inWords, agents, types };
}

export type Scopes = ReturnType<typeof useScopes>;
