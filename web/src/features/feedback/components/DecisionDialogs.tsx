import { Button, Group, Kbd, Radio, SegmentedControl, Select, Stack, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { DismissReason, FeedbackGroup, FeedbackRating } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { useGroupsWith } from "../hooks/useGroups";
import { KIND_LABEL, REASONS, REASON_LABEL, STATUS_LOOK, VERDICTS, type Verdict, waitingOf } from "../lib/words";

const MAX_NOTES = 4000; // the server's limit

interface NoteFieldProps {
  label: string;
  description: string;
  value: string;
  isFirst?: boolean;
  onChange: (value: string) => void;
}

function NoteField({ label, description, value, isFirst = false, onChange }: NoteFieldProps) {
  return (
    <Textarea
      label={label}
      description={description}
      data-autofocus={isFirst || undefined}
      autosize
      minRows={2}
      maxRows={8}
      maxLength={MAX_NOTES}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}

interface FormProps {
  action: string;
  isBusy: boolean;
  isReady?: boolean;
  onCancel: () => void;
  onSubmit: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

function DecisionForm({ action, isBusy, isReady = true, onCancel, onSubmit, onKeyDown, children }: FormProps) {
  return (
    <form
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) onSubmit();
      }}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ReviewDialogProps {
  /** What is decided, counted before it is; null: the dialog is closed. */
  about: string | null;
  first?: Verdict;
  isBusy: boolean;
  onClose: () => void;
  onReview: (status: Verdict, notes: string) => void;
}

/** One verdict and one note for all of them. */
export function ReviewDialog({ about, ...rest }: ReviewDialogProps) {
  return (
    <Modal opened={about !== null} onClose={rest.onClose} title="Review">
      {about !== null && <ReviewForm about={about} {...rest} />}
    </Modal>
  );
}

function ReviewForm({ about, first = "reviewed", isBusy, onClose, onReview }: ReviewDialogProps) {
  const [status, setStatus] = useState<Verdict>(first);
  const [notes, setNotes] = useState("");
  return (
    <DecisionForm action={STATUS_LOOK[status].act} isBusy={isBusy} onCancel={onClose} onSubmit={() => onReview(status, notes.trim())}>
      <Text size="sm">{about}</Text>
      <div>
        <SegmentedControl
          fullWidth
          aria-label="Verdict"
          value={status}
          data={VERDICTS.map((value) => ({ value, label: STATUS_LOOK[value].label }))}
          onChange={(value) => setStatus(value as Verdict)}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {STATUS_LOOK[status].means}
        </Text>
      </div>
      <NoteField label="Note" description="One for all of them. Optional." isFirst value={notes} onChange={setNotes} />
    </DecisionForm>
  );
}

interface DismissDialogProps {
  about: string | null;
  isBusy: boolean;
  onClose: () => void;
  onDismiss: (reason: DismissReason, note: string) => void;
}

export function DismissDialog({ about, ...rest }: DismissDialogProps) {
  return (
    <Modal opened={about !== null} onClose={rest.onClose} title="Dismiss">
      {about !== null && <DismissForm about={about} {...rest} />}
    </Modal>
  );
}

function DismissForm({ about, isBusy, onClose, onDismiss }: DismissDialogProps) {
  const [reason, setReason] = useState<DismissReason>(REASONS[0]);
  const [note, setNote] = useState("");
  const chooseByDigit = (event: KeyboardEvent<HTMLFormElement>) => {
    const chosen = REASONS[Number(event.key) - 1];
    if (!chosen || event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setReason(chosen);
    event.currentTarget.querySelector<HTMLInputElement>(`input[value="${chosen}"]`)?.focus();
  };
  return (
    <DecisionForm action="Dismiss" isBusy={isBusy} onCancel={onClose} onSubmit={() => onDismiss(reason, note.trim())} onKeyDown={chooseByDigit}>
      <Text size="sm">{about} What waits is dismissed with it. It comes back when two more people or runs say the same.</Text>
      <Radio.Group label="Reason" value={reason} onChange={(value) => setReason(REASONS.find((each) => each === value) ?? reason)}>
        <Stack gap={6} mt={6}>
          {REASONS.map((value, place) => (
            <Radio
              key={value}
              value={value}
              data-autofocus={place === 0 || undefined}
              label={
                <>
                  <Kbd size="xs" mr={6} aria-hidden>
                    {place + 1}
                  </Kbd>
                  {REASON_LABEL[value]}
                </>
              }
            />
          ))}
        </Stack>
      </Radio.Group>
      <NoteField label="Note" description="Shown when it comes back. Optional." value={note} onChange={setNote} />
    </DecisionForm>
  );
}

interface MergeDialogProps {
  title: string;
  action: string;
  about: string | null;
  /** Only groups of the same rating are one matter. */
  rating: FeedbackRating | undefined;
  /** Groups that cannot be chosen. */
  without: readonly string[];
  isBusy: boolean;
  onClose: () => void;
  onChoose: (group: FeedbackGroup) => void;
}

/** Another group, found by typing. */
export function MergeDialog({ title, about, ...rest }: MergeDialogProps) {
  return (
    <Modal opened={about !== null} onClose={rest.onClose} title={title}>
      {about !== null && <MergeForm title={title} about={about} {...rest} />}
    </Modal>
  );
}

const PAUSE_MS = 250; // after the last key, before the server is asked

function MergeForm({ action, about, rating, without, isBusy, onClose, onChoose }: MergeDialogProps) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<FeedbackGroup | null>(null);
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { data = [] } = useGroupsWith(chosen && typed === chosen.title ? "" : q, rating);
  const offered = [...(chosen ? [chosen] : []), ...data.filter(({ id }) => id !== chosen?.id)].filter(({ id }) => !without.includes(id));
  return (
    <DecisionForm action={action} isBusy={isBusy} isReady={chosen !== null} onCancel={onClose} onSubmit={() => chosen && onChoose(chosen)}>
      <Text size="sm">{about}</Text>
      <Select
        label="Group"
        description="Type words of its title or of what is in it"
        placeholder="Choose a group…"
        data-autofocus
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        filter={({ options }) => options} // the server has found them, by words that are not in the title
        nothingFoundMessage="No open group of this rating has these words"
        withScrollArea={false}
        styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
        data={offered.map(({ id, title: label }) => ({ value: id, label }))}
        renderOption={({ option }) => <Offered group={offered.find(({ id }) => id === option.value)} />}
        value={chosen?.id ?? null}
        onChange={(id) => setChosen(offered.find((group) => group.id === id) ?? null)}
      />
    </DecisionForm>
  );
}

function Offered({ group }: { group: FeedbackGroup | undefined }) {
  if (!group) return null;
  return (
    <div>
      <Text size="sm">{group.title}</Text>
      <Text size="xs" c="dimmed">
        {KIND_LABEL[group.kind]} · {waitingOf(group)}
      </Text>
    </div>
  );
}
