import { ActionIcon, Group, NativeSelect } from "@mantine/core";
import { Cross2Icon } from "@radix-ui/react-icons";
import type { ListedAgent } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useVersions } from "@/features/agents/hooks/useAgentConfig";
import type { ChosenAgent } from "../lib/newRun";

interface AgentChoiceProps {
  label: string;
  agents: readonly ListedAgent[];
  chosen: ChosenAgent;
  /** What choosing no agent means; absent where one must be chosen. */
  own?: string | undefined;
  onChange: (chosen: ChosenAgent) => void;
  onRemove?: (() => void) | undefined;
}

/** An agent in one of its versions. */
export function AgentChoice({ label, agents, chosen, own, onChange, onRemove }: AgentChoiceProps) {
  const agent = agents.find(({ slug }) => slug === chosen.agent);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <NativeSelect
        aria-label={label}
        flex={2}
        value={chosen.agent}
        data={[{ value: "", label: own ?? "Choose…" }, ...agents.map(({ slug, name }) => ({ value: slug, label: name }))]}
        onChange={(event) => onChange({ agent: event.currentTarget.value, version: 0 })}
      />
      {agent ? (
        <VersionChoice label={`Version of ${label.toLowerCase()}`} agentId={agent.id} version={chosen.version} onChange={(version) => onChange({ ...chosen, version })} />
      ) : (
        <NativeSelect aria-label={`Version of ${label.toLowerCase()}`} flex={1} disabled data={["As it is now"]} />
      )}
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
          <Cross2Icon />
        </ActionIcon>
      )}
    </Group>
  );
}

interface VersionChoiceProps {
  label: string;
  agentId: string;
  version: number;
  onChange: (version: number) => void;
}

function VersionChoice({ label, agentId, version, onChange }: VersionChoiceProps) {
  const { rows = [] } = useEveryPage(useVersions(agentId));
  return (
    <NativeSelect
      aria-label={label}
      flex={1}
      value={String(version)}
      data={[{ value: "0", label: "As it is now" }, ...rows.map((each) => ({ value: String(each.version), label: `Version ${each.version}` }))]}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
