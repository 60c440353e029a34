import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useState } from "react";
import { toProblem } from "@/api/problem";
import type { Knowledge } from "@/api/types";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import type { KnowledgeDecisions } from "../hooks/useKnowledgeDecisions";
import type { Scopes } from "../hooks/useScopes";
import { STEP_LOOK, type Step, stepLabel } from "../lib/keys";
import { staleLine, valueOf } from "../lib/value";
import { needsWording } from "../lib/words";
import { PromptDiffView } from "./PromptDiffView";
import classes from "./knowledge.module.css";

export const MAX_CONTENT = 2000; // the server's limits
export const MAX_CONTEXT = 500;
const MAX_REASON = 2000;
export const PAUSE_MS = 400; // after the last key, before prompts are compared anew

interface Decided {
  act: Step;
  row: Knowledge;
}

interface DecideDialogProps {
  /** Null: the dialog is closed. */
  asked: Decided | null;
  scopes: Scopes;
  decisions: KnowledgeDecisions;
  onClose: () => void;
}

/** A step is taken with its reason, after a look at what it does to prompts. */
export function DecideDialog({ asked, ...rest }: DecideDialogProps) {
  return (
    <Modal opened={asked !== null} onClose={rest.onClose} title={asked ? stepLabel(asked.act, asked.row.state) : ""} size="lg">
      {asked && <DecideForm asked={asked} {...rest} />}
    </Modal>
  );
}

function DecideForm({ asked: { act, row }, scopes, decisions, onClose }: DecideDialogProps & { asked: Decided }) {
  const isWorded = act === "approve" && needsWording(row);
  const [content, setContent] = useState(row.content);
  const [context, setContext] = useState(row.context ?? "");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [words] = useDebouncedValue({ content, context }, PAUSE_MS);
  const { to, means } = STEP_LOOK[act];
  const isReady = !isWorded || (content.trim() !== "" && content.trim() !== row.content.trim());
  const submit = async () => {
    setProblem(null);
    try {
      await decisions.move(row, act, { reason: reason.trim(), ...(isWorded ? { content: content.trim(), context: context.trim() } : {}) });
      onClose();
    } catch (error) {
      setProblem(toProblem(error).message);
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
        <FormProblem>{problem}</FormProblem>
        {!isWorded && (
          <blockquote className={classes.about} dir="auto">
            {row.content}
          </blockquote>
        )}
        <Text size="sm" c="dimmed">
          {means}
        </Text>
        {row.value && (
          <Text size="sm" role="note">
            What it is worth: <b>{valueOf(row)}</b>, measured with <bdi>{row.value.agent}</bdi>, version {row.value.agent_version}, on <bdi>{row.value.set}</bdi>.
            {row.value.stale && ` ${staleLine(row.value.stale_because)}`}
          </Text>
        )}
        {isWorded && (
          <>
            <Textarea
              label="The rule"
              description="This was copied out of feedback. Say what agents are to do, in one sentence."
              data-autofocus
              autosize
              minRows={2}
              maxRows={8}
              maxLength={MAX_CONTENT}
              value={content}
              onChange={(event) => setContent(event.currentTarget.value)}
              onKeyDown={submitOnEnter}
            />
            <Textarea
              label="When it applies"
              autosize
              maxRows={4}
              maxLength={MAX_CONTEXT}
              value={context}
              onChange={(event) => setContext(event.currentTarget.value)}
              onKeyDown={submitOnEnter}
            />
          </>
        )}
        <PromptDiffView
          id={row.id}
          scopes={scopes}
          preview={{ state: to, ...(isWorded && words.content.trim() ? { content: words.content.trim(), context: words.context.trim() || null } : {}) }}
        />
        <Textarea
          label="Reason"
          description="In its history. Optional."
          data-autofocus={!isWorded || undefined}
          autosize
          maxRows={6}
          maxLength={MAX_REASON}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={submitOnEnter}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={decisions.isBusy} disabled={!isReady}>
            {stepLabel(act, row.state)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
}
