import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import type { ArtifactEvalSuite } from "@/api/types";
import { toProblem } from "@/api/problem";
import { Modal } from "@/ui/Modal";
import { focusFirstInvalid } from "@/ui/focusFirstInvalid";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useArtifactEvalActions } from "../hooks/useArtifactEvals";
import { DIMENSIONS, DIMENSION_LOOK, type KnowledgeDimension } from "../lib/dimensions";
import { type Reasons, checkReasons, reasonsOf, toLeftOut } from "../lib/settings";

const MAX_REASON = 500; // as the server has it

interface LeaveOutDialogProps {
  suite: ArtifactEvalSuite;
  opened: boolean;
  onClose: () => void;
}

export function LeaveOutDialog({ suite, opened, onClose }: LeaveOutDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Leave dimensions out" closeButtonProps={{ "aria-label": "Close" }}>
      <LeaveOutForm suite={suite} onClose={onClose} />
    </Modal>
  );
}

function LeaveOutForm({ suite, onClose }: Omit<LeaveOutDialogProps, "opened">) {
  const fixed = reasonsOf(suite, "suite");
  const [reasons, setReasons] = useState<Reasons>(() => reasonsOf(suite, "workspace"));
  const [wasRefused, setRefused] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { changeSettings } = useArtifactEvalActions(suite.slug);
  const { blank, isNothingLeft } = checkReasons(reasons, fixed);
  const head = isNothingLeft ? "Then nothing would be judged: keep at least one dimension." : changeSettings.error && toProblem(changeSettings.error).message;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRefused(true);
    if (blank.length > 0 || isNothingLeft) return focusFirstInvalid(form.current);
    changeSettings.mutate(
      { added: suite.added, left_out: toLeftOut(reasons) },
      {
        onSuccess: () => {
          notifyDone("Saved. It counts from the next run on.");
          onClose();
        },
      },
    );
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          What is left out does not count, and every result says so with your reason.
        </Text>
        <FormProblem>{wasRefused && head ? head : null}</FormProblem>
        {DIMENSIONS.map((dimension) => (
          <DimensionChoice
            key={dimension}
            dimension={dimension}
            fixed={fixed[dimension]}
            reason={reasons[dimension]}
            error={wasRefused && blank.includes(dimension)}
            onChange={(reason) => setReasons((before) => withReason(before, dimension, reason))}
          />
        ))}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={changeSettings.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function withReason(reasons: Reasons, dimension: KnowledgeDimension, reason: string | undefined): Reasons {
  const { [dimension]: _, ...others } = reasons;
  return reason === undefined ? others : { ...others, [dimension]: reason };
}

interface DimensionChoiceProps {
  dimension: KnowledgeDimension;
  /** Why the suite itself leaves it out. */
  fixed: string | undefined;
  /** Undefined where it counts. */
  reason: string | undefined;
  error: boolean;
  onChange: (reason: string | undefined) => void;
}

function DimensionChoice({ dimension, fixed, reason, error, onChange }: DimensionChoiceProps) {
  const { label, question } = DIMENSION_LOOK[dimension];
  return (
    <div>
      <Checkbox
        label={`Leave out ${label}`}
        description={fixed === undefined ? question : `The suite itself leaves it out: ${fixed}`}
        disabled={fixed !== undefined}
        checked={reason !== undefined || fixed !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? "" : undefined)}
      />
      {reason !== undefined && (
        <TextInput
          mt={6}
          ml={32}
          size="xs"
          placeholder="Why it does not count here"
          aria-label={`Why ${label} is left out`}
          required
          maxLength={MAX_REASON}
          value={reason}
          error={error && "Say why"}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
