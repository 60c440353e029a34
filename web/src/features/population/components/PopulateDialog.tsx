import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type Problem, toProblem } from "@/api/problem";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { EMPTY, type Material, type PopulationDraft, toMaterial, tooMuch } from "../lib/population";
import { AgentChoice } from "./AgentChoice";
import { FieldChoice } from "./FieldChoice";
import { MaterialInput } from "./MaterialInput";

interface PopulateDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  typeSlug: string;
  /** What happens when it is sent. */
  note: ReactNode;
  /** Sends it; throws the problem it ended in. */
  onSend: (material: Material) => Promise<void>;
}

/** Asks which fields an agent is to fill in, and from what. */
export function PopulateDialog({ opened, onClose, title, ...form }: PopulateDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      <PopulateForm {...form} title={title} onClose={onClose} />
    </Modal>
  );
}

function PopulateForm({ title, typeSlug, note, onSend, onClose }: Omit<PopulateDialogProps, "opened">) {
  const [draft, setDraft] = useState<PopulationDraft>(EMPTY);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);
  const change = (part: Partial<PopulationDraft>) => {
    setProblem(null);
    setDraft((before) => ({ ...before, ...part }));
  };
  const faultAt = (...places: string[]) =>
    problem?.errors.find(({ path }) => places.some((place) => path.startsWith(place)))?.message;
  const send = async () => {
    if (tooMuch(draft)) return;
    setSending(true);
    try {
      await onSend(toMaterial(draft));
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setSending(false);
    }
  };
  const fields = faultAt("/dimensions", "/criteria_set");
  const material = faultAt("/text", "/documents");
  return (
    <form
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack>
        <FormProblem>{problem && !fields && !material ? problem.message : null}</FormProblem>
        <AgentChoice value={draft.agent} onChange={(agent) => change({ agent })} />
        <FieldChoice typeSlug={typeSlug} setId={draft.setId} dimensions={draft.dimensions} onChange={change} error={fields} />
        <MaterialInput text={draft.text} documents={draft.documents} onChange={change} error={material} />
        <Textarea
          label="Instructions"
          description="Optional. What the agent is to keep to this time."
          autosize
          minRows={1}
          maxRows={6}
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.currentTarget.value })}
        />
        <Text size="xs" c="dimmed">
          {note}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Populate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
