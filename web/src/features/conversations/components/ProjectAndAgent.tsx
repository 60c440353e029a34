import { useAgentNames } from "../hooks/useConversations";
import type { ConversationsSearch } from "../lib/search";
import { NameSelect } from "./NameSelect";
import { ProjectSelect } from "./ProjectSelect";

type Chosen = Pick<ConversationsSearch, "project" | "agent">;

interface ProjectAndAgentProps {
  search: Chosen;
  onChange: (change: Partial<Chosen>) => void;
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
