import { useAgentNames, useProjects } from "../hooks/useConversations";
import type { AgentReviewSearch } from "../lib/search";
import { NameSelect } from "./NameSelect";

interface ProjectAndAgentProps {
  search: AgentReviewSearch;
  onChange: (change: Partial<AgentReviewSearch>) => void;
}

export function ProjectAndAgent({ search, onChange }: ProjectAndAgentProps) {
  const { data: projects } = useProjects();
  const { data: agents } = useAgentNames();
  return (
    <>
      <NameSelect
        label="Project"
        none="All projects"
        names={projects}
        value={search.project}
        onChange={(project) => onChange({ project })}
      />
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
