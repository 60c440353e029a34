import { useProjects } from "../hooks/useConversations";
import { NameSelect } from "./NameSelect";

interface ProjectSelectProps {
  value: string | undefined;
  onChange: (project: string | undefined) => void;
}

export function ProjectSelect({ value, onChange }: ProjectSelectProps) {
  const { data: projects } = useProjects();
  return <NameSelect label="Project" none="All projects" names={projects} value={value} onChange={onChange} />;
}
