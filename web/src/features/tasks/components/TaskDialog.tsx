import { Button, Group, NativeSelect, Stack, Switch, TextInput, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Problem, isVersionConflict, toProblem } from "@/api/problem";
import type { Task } from "@/api/types";
import { TypeSelect } from "@/features/entity_types/components/TypeSelect";
import { AgentChoice } from "@/features/population/components/AgentChoice";
import { FieldChoice } from "@/features/population/components/FieldChoice";
import { MaterialInput } from "@/features/population/components/MaterialInput";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { FormProblem } from "@/ui/states";
import { useTaskActions } from "../hooks/useTasks";
import { hereZone } from "../lib/schedule";
import { KINDS, type Kind, type TaskDraft, agentFor, checkTask, draftOf, taskOf } from "../lib/tasks";
import { EvalRunConfig } from "./EvalRunConfig";
import { ScheduleInput } from "./ScheduleInput";

interface TaskDialogProps {
  /** "new" is one that is not there yet; null is closed. */
  task: Task | "new" | null;
  onClose: () => void;
}

export function TaskDialog({ task, onClose }: TaskDialogProps) {
  return (
    <Modal opened={task !== null} onClose={onClose} title={task === "new" ? "New task" : "Edit task"} size="lg">
      {task && <TaskForm task={task === "new" ? null : task} onClose={onClose} />}
    </Modal>
  );
}

function TaskForm({ task, onClose }: { task: Task | null; onClose: () => void }) {
  const { create, change: save } = useTaskActions();
  const [draft, setDraft] = useState<TaskDraft>(() => draftOf(task, hereZone()));
  const [missing, setMissing] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (part: Partial<TaskDraft>) => {
    setMissing({});
    setProblem(null);
    setDraft((before) => ({ ...before, ...part }));
  };
  const faultAt = (...places: string[]) =>
    problem?.errors.find(({ path }) => places.some((place) => path.startsWith(place)))?.message;
  const submit = async () => {
    const found = checkTask(draft);
    setMissing(found);
    if (Object.keys(found).length > 0) return;
    const body = taskOf(draft, task);
    try {
      if (task) {
        const { kind: _, ...changed } = body;
        await save.mutateAsync({ id: task.id, version: task.version, ...changed });
      } else await create.mutateAsync(body);
      notifyDone(`${body.name} was saved.`);
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
    }
  };
  return (
    <form
      noValidate
      aria-label={task ? `Edit ${task.name}` : "New task"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        <FormProblem>{headOf(problem)}</FormProblem>
        <TextInput
          label="Name"
          data-autofocus
          value={draft.name}
          error={missing["name"] ?? faultAt("/name")}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label="Kind"
          description={KINDS.find(({ value }) => value === draft.kind)?.description}
          disabled={task !== null}
          data={KINDS.map(({ value, label }) => ({ value, label }))}
          value={draft.kind}
          onChange={(event) => {
            const kind = event.currentTarget.value as Kind;
            change({ kind, agent: agentFor(kind, draft.agent) });
          }}
        />
        <AgentChoice value={draft.agent} onChange={(agent) => change({ agent })} error={missing["agent"] ?? faultAt("/agent")} />
        {draft.kind === "eval_run" && (
          <EvalRunConfig draft={draft.evalRun} missing={missing} faultAt={faultAt} onChange={(evalRun) => change({ evalRun })} />
        )}
        {draft.kind === "populate_fields" && (
          <PopulationConfig draft={draft} missing={missing["type"]} faultAt={faultAt} onChange={change} />
        )}
        {draft.kind === "prompt" && (
          <Textarea
            label="Message"
            description="What is said to the agent each time"
            autosize
            minRows={3}
            maxRows={12}
            value={draft.message}
            error={missing["message"] ?? faultAt("/config")}
            onChange={(event) => change({ message: event.currentTarget.value })}
          />
        )}
        <ScheduleInput
          value={draft.schedule}
          onChange={(schedule) => change({ schedule })}
          errors={{ cron: faultAt("/schedule/cron"), timezone: faultAt("/schedule/timezone"), time: missing["time"] }}
        />
        {draft.schedule.repeat !== "never" && (
          <Switch
            label="Enabled"
            description="Runs by itself when it is due"
            checked={draft.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || save.isPending}>
            Save task
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function headOf(problem: Problem | null): string | null {
  if (!problem) return null;
  if (isVersionConflict(problem)) return "Somebody changed this task meanwhile. Close this and look at it again.";
  return problem.errors.length === 0 ? problem.message : null;
}

interface PopulationConfigProps {
  draft: TaskDraft;
  missing: string | undefined;
  faultAt: (...places: string[]) => string | undefined;
  onChange: (part: Partial<TaskDraft>) => void;
}

/** Which records, which of their fields, and what there is to read. */
function PopulationConfig({ draft, missing, faultAt, onChange }: PopulationConfigProps) {
  return (
    <>
      <TypeSelect
        label="Records of type"
        value={draft.type}
        error={missing ?? faultAt("/config/type")}
        onChange={(type) => onChange({ type, setId: "", dimensions: [] })}
      />
      {draft.type && (
        <>
          <TextInput
            label="With these words"
            description="Optional. As one searches the list of records."
            value={draft.q}
            error={faultAt("/config/q")}
            onChange={(event) => onChange({ q: event.currentTarget.value })}
          />
          <FieldChoice
            typeSlug={draft.type}
            setId={draft.setId}
            dimensions={draft.dimensions}
            onChange={onChange}
            error={faultAt("/config/dimensions", "/config/criteria_set")}
          />
          <MaterialInput
            text={draft.text}
            documents={draft.documents}
            onChange={onChange}
            error={faultAt("/config/text", "/config/documents")}
          />
          <Textarea
            label="Instructions"
            description="Optional. What the agent is to keep to."
            autosize
            minRows={1}
            maxRows={6}
            value={draft.instructions}
            onChange={(event) => onChange({ instructions: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
