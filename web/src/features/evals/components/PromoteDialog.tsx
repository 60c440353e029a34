import { Autocomplete, Button, Checkbox, Group, NumberInput, Radio, Stack, Switch, Text, TextInput, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { Golden } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useCriteriaSets } from "@/features/criteria/hooks/useCriteriaSets";
import { ListSelect } from "@/ui/ListSelect";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useGoldenActions, useGoldenSets, useProposedFacts } from "../hooks/useGoldens";
import { type GoldenDraft, changesOf, draftOf, newGoldenOf } from "../lib/draft";
import { EFFECTS, EFFECTS_LOOK, type EffectsRule } from "../lib/words";
import classes from "./evals.module.css";

interface PromoteDialogProps {
  /** Null: the dialog is closed. */
  sessionId: string | null;
  /** The set that is proposed. */
  set?: string | undefined;
  onClose: () => void;
  /** After it is golden, before the dialog closes. */
  onPromoted?: (golden: Golden) => Promise<unknown> | void;
}

/** Makes a session one that others are held to. */
export function PromoteDialog({ sessionId, ...rest }: PromoteDialogProps) {
  return (
    <Modal opened={sessionId !== null} onClose={rest.onClose} title="Promote to golden" size="lg">
      {sessionId !== null && <PromoteForm sessionId={sessionId} {...rest} />}
    </Modal>
  );
}

function PromoteForm({ sessionId, set, onClose, onPromoted }: PromoteDialogProps & { sessionId: string }) {
  const { promote } = useGoldenActions();
  const submit = async (draft: GoldenDraft) => {
    const golden = await promote.mutateAsync(newGoldenOf(sessionId, draft));
    await onPromoted?.(golden);
    notifyDone(`It is golden now, in the set “${golden.set}”.`);
    onClose();
  };
  return <GoldenForm sessionId={sessionId} draft={draftOf(null, set)} isThere={false} isBusy={promote.isPending} action="Promote" onSubmit={submit} onClose={onClose} />;
}

interface EditGoldenDialogProps {
  golden: Golden | null;
  onClose: () => void;
}

/** The set and the note of a golden, and what its replays are held to. */
export function EditGoldenDialog({ golden, onClose }: EditGoldenDialogProps) {
  const { change } = useGoldenActions();
  const submit = async (draft: GoldenDraft) => {
    if (golden === null) return;
    const changes = changesOf(golden, draft);
    if (Object.keys(changes).length > 0) {
      const { revision } = await change.mutateAsync({ id: golden.sessionId, ...changes });
      notifyDone(revision === golden.revision ? "Saved." : "Saved. Replays are compared otherwise from now on, so its noise floor is measured again.");
    }
    onClose();
  };
  return (
    <Modal opened={golden !== null} onClose={onClose} title="Edit golden" size="lg">
      {golden && (
        <GoldenForm
          sessionId={golden.sessionId}
          draft={draftOf(golden)}
          isThere
          isBusy={change.isPending}
          action="Save"
          onSubmit={submit}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface GoldenFormProps {
  sessionId: string;
  draft: GoldenDraft;
  /** Whether it is golden already. */
  isThere: boolean;
  isBusy: boolean;
  action: string;
  onSubmit: (draft: GoldenDraft) => Promise<void>;
  onClose: () => void;
}

function GoldenForm({ sessionId, draft, isThere, isBusy, action, onSubmit, onClose }: GoldenFormProps) {
  const form = useForm<GoldenDraft>({
    initialValues: draft,
    validate: { set: (name) => (name.trim() === "" ? "A golden is in a set: name one." : null) },
  });
  const problem = useProblemForm(form);
  const { rows: sets = [] } = useEveryPage(useGoldenSets());
  const criteriaSets = useCriteriaSets();
  const names = sets.map(({ name }) => name);
  const isNew = form.values.set.trim() !== "" && !names.includes(form.values.set.trim());
  const submit = async (values: GoldenDraft) => {
    problem.clear();
    try {
      await onSubmit(values);
    } catch (error) {
      problem.place(error);
    }
  };
  return (
    <form noValidate onSubmit={form.onSubmit((values) => void (!isBusy && submit(values)))}>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <Autocomplete
          label="Set"
          description={isNew ? "A new set of this name." : "Goldens of a set are replayed and judged together. Another name begins a new set."}
          data-autofocus
          maxLength={100}
          data={names}
          comboboxProps={{ withinPortal: true }}
          {...form.getInputProps("set")}
        />
        <Textarea label="Note" description="Why it is golden. Optional." autosize minRows={2} maxRows={6} maxLength={2000} {...form.getInputProps("note")} />
        <Radio.Group
          label="Effects"
          description="What a replay must change to pass"
          value={form.values.effects}
          onChange={(value) => form.setFieldValue("effects", value as EffectsRule)}
        >
          <Stack gap={8} mt={6}>
            {EFFECTS.map((each) => (
              <Radio key={each} value={each} label={EFFECTS_LOOK[each].label} description={EFFECTS_LOOK[each].means} />
            ))}
          </Stack>
        </Radio.Group>
        <Facts sessionId={sessionId} chosen={form.values.facts} error={form.errors.facts} onChange={(facts) => form.setFieldValue("facts", facts)} />
        <ListSelect
          label="Criteria set"
          description="A rubric that replays are rated by, beside the comparison"
          none="No rubric"
          list={criteriaSets}
          option={({ id, name }) => ({ value: id, label: name })}
          value={form.values.criteriaSetId}
          error={form.errors.criteriaSetId}
          onChange={(id) => form.setFieldValue("criteriaSetId", id)}
        />
        <NumberInput
          label="Least share of repeats that must pass"
          description="For a golden that may fail now and then. Optional."
          placeholder="Not set"
          suffix=" %"
          min={0}
          max={100}
          maw={320}
          {...form.getInputProps("minPass")}
        />
        {!isThere && (
          <Switch
            label="Measure its noise floor now"
            description="Five unchanged replays, where its agent runs here: how often it passes by itself"
            {...form.getInputProps("floor", { type: "checkbox" })}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const MOST_FACTS = 50; // the server's limits
const FACT_CHARACTERS = 500;

interface FactsProps {
  sessionId: string;
  chosen: string[];
  error: React.ReactNode;
  onChange: (facts: string[]) => void;
}

/** What a good answer has to say: proposals to tick, and one's own. */
function Facts({ sessionId, chosen, error, onChange }: FactsProps) {
  const { data: proposed, isPending, isError } = useProposedFacts(sessionId);
  const [own, setOwn] = useState("");
  const all = [...new Set([...(proposed ?? []), ...chosen])];
  const fact = own.trim();
  const take = () => {
    if (fact && !chosen.includes(fact) && chosen.length < MOST_FACTS) onChange([...chosen, fact]);
    setOwn("");
  };
  return (
    <div>
      <Checkbox.Group
        label="Required facts"
        description={
          isPending
            ? "Looking for facts in the session…"
            : isError
              ? "Facts of the session could not be proposed; name them below."
              : all.length === 0
                ? "Nothing in the session looks like a fact. Name what a good answer has to say."
                : "A replay passes only if it says what is ticked. These are in a tool's result and in the answer, and not in the question."
        }
        error={error}
        value={chosen}
        onChange={onChange}
      >
        <div className={classes.facts}>
          {all.map((each) => (
            <Checkbox key={each} value={each} label={<span dir="auto">{each}</span>} size="xs" />
          ))}
        </div>
      </Checkbox.Group>
      <Group gap="xs" mt={8} align="flex-end" wrap="nowrap">
        <TextInput
          aria-label="Another fact"
          placeholder="Another fact, in the words it must be said in"
          size="xs"
          flex={1}
          maxLength={FACT_CHARACTERS}
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            event.preventDefault(); // it is no submit yet
            take();
          }}
        />
        <Button size="xs" variant="default" disabled={!fact} onClick={take}>
          Require
        </Button>
      </Group>
      {chosen.length >= MOST_FACTS && (
        <Text size="xs" c="dimmed" mt={4}>
          {`At most ${MOST_FACTS} facts.`}
        </Text>
      )}
    </div>
  );
}
