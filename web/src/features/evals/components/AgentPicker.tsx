import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useEveryPage } from "@/api/useEveryPage";
import { useAgentsOverview } from "@/features/agents/hooks/useAgentActivity";

interface AgentPickerProps extends Omit<NativeSelectProps, "onChange" | "value" | "data"> {
  /** A slug; every agent without it. */
  chosen: string | undefined;
  onChoose: (slug: string | undefined) => void;
}

/** Narrows what is shown to the runs of one agent. */
export function AgentPicker({ chosen, onChoose, ...rest }: AgentPickerProps) {
  const { rows: agents = [] } = useEveryPage(useAgentsOverview());
  const listed = agents.map(({ slug, name }) => ({ value: slug, label: name }));
  const isListed = chosen === undefined || listed.some(({ value }) => value === chosen);
  return (
    <NativeSelect
      aria-label="Agent"
      {...rest}
      value={chosen ?? ""}
      data={[{ value: "", label: "All agents" }, ...(isListed ? [] : [{ value: chosen, label: chosen }]), ...listed]}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  );
}
