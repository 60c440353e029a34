import { Radio, Stack, TextInput } from "@mantine/core";
import { type Fault, messageAt } from "@/api/faults";
import { type ConfigDraft, RUNTIMES, RUNTIME_LABEL, type Runtime } from "../lib/config";

interface ConfigRuntimeProps {
  draft: ConfigDraft;
  faults: readonly Fault[];
  /** The installation's own model, where it has one. */
  installed: string | null | undefined;
  onChange: (part: Partial<ConfigDraft>) => void;
}

/** Where an agent runs, and what that needs. */
export function ConfigRuntime({ draft, faults, installed, onChange }: ConfigRuntimeProps) {
  const asksModel = draft.runtime === "built_in" || draft.model !== "" || draft.base_url !== "";
  return (
    <Stack gap="md">
      <Radio.Group
        label="Runtime"
        value={draft.runtime}
        error={messageAt(faults, "/runtime")}
        onChange={(value) => onChange({ runtime: value as Runtime })}
      >
        <Stack gap={8} mt={6}>
          {RUNTIMES.map((runtime) => (
            <Radio key={runtime} value={runtime} label={RUNTIME_LABEL[runtime]} />
          ))}
        </Stack>
      </Radio.Group>
      {draft.runtime === "http" && (
        <TextInput
          label="Address"
          description="Runs are sent there as JSON; the server must be allowed to reach it"
          placeholder="https://agents.example.com/run"
          inputMode="url"
          value={draft.url}
          error={messageAt(faults, "/url")}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
        />
      )}
      {draft.runtime === "python" && (
        <TextInput
          label="Entry point"
          description="The name under which an installed package offers the function"
          placeholder="my_agent"
          value={draft.entry_point}
          error={messageAt(faults, "/entry_point")}
          onChange={(event) => onChange({ entry_point: event.currentTarget.value })}
        />
      )}
      {asksModel && (
        <>
          <TextInput
            label="Model"
            description={
              installed ? `As provider:name; empty: the installation's, ${installed}` : "As provider:name, such as openai:gpt-6"
            }
            placeholder={installed ?? "provider:name"}
            value={draft.model}
            error={messageAt(faults, "/model")}
            onChange={(event) => onChange({ model: event.currentTarget.value })}
          />
          <TextInput
            label="Base URL"
            description="Optional: another server that speaks like the provider"
            placeholder="https://models.example.com/v1"
            inputMode="url"
            value={draft.base_url}
            error={messageAt(faults, "/base_url")}
            onChange={(event) => onChange({ base_url: event.currentTarget.value })}
          />
        </>
      )}
    </Stack>
  );
}
