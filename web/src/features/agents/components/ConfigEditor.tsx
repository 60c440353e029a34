import { Stack, Text, TextInput, Textarea } from "@mantine/core";
import { type FormEvent, useRef } from "react";
import { messageAt } from "@/api/faults";
import type { AgentVersion } from "@/api/types";
import { ChangedUnderForm } from "@/ui/ChangedMeanwhile";
import { SaveBar } from "@/ui/SaveBar";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { FormProblem } from "@/ui/states";
import { useUnsavedGuard } from "@/ui/useUnsavedGuard";
import { useAgentDefaults } from "../hooks/useAgentConfig";
import { useConfigEditor } from "../hooks/useConfigEditor";
import { LONGEST_INSTRUCTIONS } from "../lib/config";
import { AgentSection } from "./AgentSection";
import { ConfigLimits } from "./ConfigLimits";
import { ConfigRuntime } from "./ConfigRuntime";
import { ConfigTools } from "./ConfigTools";
import classes from "./agents.module.css";

interface ConfigEditorProps {
  agentId: string;
  /** Null: the agent has no configuration yet. */
  version: AgentVersion | null;
  onSaved: (saved: AgentVersion) => void;
}

/** Everything that an agent runs with. Saving makes the next version. */
export function ConfigEditor({ agentId, version, onSaved }: ConfigEditorProps) {
  const editing = useConfigEditor(agentId, version, onSaved);
  const { draft, faults, change } = editing;
  const installed = useAgentDefaults().data?.model;
  const form = useRef<HTMLFormElement>(null);
  useUnsavedGuard(editing.isDirty && !editing.isKept);

  const save = async (onTop = false) => {
    if (!(await editing.save(onTop))) focusFirstInvalid(form.current);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Configuration">
      <Stack gap="md">
        <FormProblem>{editing.head}</FormProblem>
        {editing.isBehind && (
          <ChangedUnderForm
            what="configuration"
            began={editing.began}
            now={editing.now}
            both={editing.both}
            isSaving={editing.isSaving}
            onReload={editing.discard}
            onSaveOnTop={() => void save(true)}
          />
        )}
        <div className={classes.columns}>
          <div className={classes.column}>
            <AgentSection title="Instructions">
              <Textarea
                aria-label="Instructions"
                description="What the agent is told at the beginning of each run"
                className={classes.instructions}
                value={draft.instructions}
                error={messageAt(faults, "/instructions")}
                onChange={(event) => change({ instructions: event.currentTarget.value })}
              />
              <Text size="xs" c="dimmed" mt={6} ta="right">
                {draft.instructions.length.toLocaleString("en")} of {LONGEST_INSTRUCTIONS.toLocaleString("en")} characters
              </Text>
            </AgentSection>
            <AgentSection title="Tools">
              <ConfigTools
                chosen={draft.tool_groups}
                faults={faults}
                onChange={(tool_groups) => change({ tool_groups })}
              />
            </AgentSection>
          </div>
          <div className={classes.column}>
            <AgentSection title="Where it runs">
              <ConfigRuntime draft={draft} faults={faults} installed={installed} onChange={change} />
            </AgentSection>
            <AgentSection title="Limits">
              <ConfigLimits limits={draft.limits} faults={faults} onChange={(limits) => change({ limits })} />
            </AgentSection>
            <AgentSection title="Note">
              <TextInput
                aria-label="Note"
                description="Optional: why this was changed, for whoever reads the versions"
                value={draft.note}
                error={messageAt(faults, "/note")}
                onChange={(event) => change({ note: event.currentTarget.value })}
              />
            </AgentSection>
          </div>
        </div>
      </Stack>
      <SaveBar
        isDirty={editing.isDirty}
        isSaving={editing.isSaving}
        problems={faults.length + Number(editing.isBehind)}
        saveLabel={`Save version ${editing.now + 1}`}
        isNew={version === null}
        isKept={editing.isKept}
        onDiscard={editing.discard}
      />
    </form>
  );
}
