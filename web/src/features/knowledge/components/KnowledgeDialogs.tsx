import { Button, Group, Stack, Switch, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Knowledge, KnowledgeChange, KnowledgeType } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import type { KnowledgeActions } from "../hooks/useKnowledge";
import type { KnowledgeDecisions } from "../hooks/useKnowledgeDecisions";
import type { Scopes } from "../hooks/useScopes";
import { changesOf, draftOf } from "../lib/draft";
import { PAUSE_MS, submitOnEnter } from "./DecideDialog";
import { KnowledgeFields } from "./KnowledgeFields";
import { PromptDiffView } from "./PromptDiffView";

interface EditDialogProps {
  /** Null: the dialog is closed. */
  row: Knowledge | null;
  first: "type" | "content";
  scopes: Scopes;
  decisions: KnowledgeDecisions;
  onClose: () => void;
}

/** What it says, its type and where it holds, with what that does to prompts. */
export function EditDialog({ row, ...rest }: EditDialogProps) {
  return (
    <Modal opened={row !== null} onClose={rest.onClose} title={rest.first === "type" ? "Change type" : "Edit knowledge"} size="lg">
      {row && <EditForm row={row} {...rest} />}
    </Modal>
  );
}

function EditForm({ row, first, scopes, decisions, onClose }: EditDialogProps & { row: Knowledge }) {
  const form = useForm({ initialValues: draftOf(row) });
  const problem = useProblemForm(form);
  const [reason, setReason] = useState("");
  const [typed] = useDebouncedValue(form.values, PAUSE_MS);
  const changes = changesOf(row, form.values);
  const preview = changesOf(row, typed);
  const isReady = Object.keys(changes).length > 0 && form.values.content.trim() !== "";
  const submit = async () => {
    problem.clear();
    const body: KnowledgeChange = { ...changes, version: row.version, ...(reason.trim() ? { reason: reason.trim() } : {}) };
    try {
      decisions.changed(await decisions.actions.change.mutateAsync({ id: row.id, ...body }));
      onClose();
    } catch (error) {
      problem.place(error);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !decisions.isBusy) void submit();
      }}
    >
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <KnowledgeFields form={form} first={first} isThere />
        {Object.keys(preview).length > 0 && typed.content.trim() !== "" && <PromptDiffView id={row.id} scopes={scopes} preview={preview} />}
        <Textarea
          label="Reason"
          description="In its history. Optional."
          autosize
          maxRows={6}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={submitOnEnter}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={decisions.isBusy} disabled={!isReady}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface NewDialogProps {
  opened: boolean;
  type: KnowledgeType | undefined;
  actions: KnowledgeActions;
  onClose: () => void;
  onMade: (id: string) => void;
}

export function NewDialog({ opened, ...rest }: NewDialogProps) {
  return (
    <Modal opened={opened} onClose={rest.onClose} title="New knowledge" size="lg">
      {opened && <NewForm {...rest} />}
    </Modal>
  );
}

function NewForm({ type, actions, onClose, onMade }: Omit<NewDialogProps, "opened">) {
  const form = useForm({ initialValues: draftOf(null, type) });
  const problem = useProblemForm(form);
  const [isActive, setActive] = useState(true);
  const isReady = form.values.content.trim() !== "";
  const submit = async () => {
    problem.clear();
    const { content, context, agent_id, entity_type_id } = form.values;
    try {
      const made = await actions.create.mutateAsync({
        type: form.values.type,
        content: content.trim(),
        context: context.trim() || null,
        agent_id: agent_id || null,
        entity_type_id: entity_type_id || null,
        active: isActive,
      });
      notifyDone(isActive ? "Saved. It is in prompts from now on." : "Saved, in shadow.");
      onMade(made.id);
    } catch (error) {
      problem.place(error);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !actions.create.isPending) void submit();
      }}
    >
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <KnowledgeFields form={form} first="content" isThere={false} />
        <Switch
          label="Active at once"
          description="Off: it is in shadow, out of prompts"
          checked={isActive}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={actions.create.isPending} disabled={!isReady}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
