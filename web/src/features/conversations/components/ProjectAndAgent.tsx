import { useAgentNames } from "../hooks/useConversations";
import type { AgentReviewSearch } from "../lib/search";
import { NameSelect } from "./NameSelect";
import { ProjectSelect } from "./ProjectSelect";

interface ProjectAndAgentProps {
  search: AgentReviewSearch;
  onChange: (change: Partial<AgentReviewSearch>) => void;
}

export function ProjectAndAgent({ search, onChange }: ProjectAndAgentProps) {
  const { data: agents } = useAgentNames();
  return (
    <>
      <ProjectSelect value={search.project} onChange={(project) => onChange({ project })} />
      <NameSelect
        label="Agent"
        none="All agents"
        names={agents}
        value={search.agent}
        onChange={(agent) => onChange({ agent })}
      />
    </>
  );
}
