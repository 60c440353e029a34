import { Alert, Button, Group, NativeSelect, NumberInput, SimpleGrid, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { PlusIcon } from "@radix-ui/react-icons";
import { useNavigate } from "@tanstack/react-router";
import { toProblem } from "@/api/problem";
import type { Golden, GoldenSet, NewGoldenReplay, NewSetRun } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useAgentsOverview } from "@/features/agents/hooks/useAgentActivity";
import { Modal } from "@/ui/Modal";
import { FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useForecast, useRunActions } from "../hooks/useEvalRuns";
import { type BaselineKind, OWN_AGENT, type RunDraft, replayOf, runDraft, setRunOf } from "../lib/newRun";
import { baselineLine, estimateLine } from "../lib/numbers";
import { CONTEXTS, CONTEXT_LOOK, MODES, MODE_LOOK, type AskedContext, type ReplayMode } from "../lib/words";
import { AgentChoice } from "./AgentChoice";
import classes from "./evals.module.css";

/** Without a draft it is the goldens' own agent as it is now, beside itself as it was. */
export type ReplayTarget = ({ set: Pick<GoldenSet, "name"> } | { golden: Pick<Golden, "sessionId"> }) & { draft?: RunDraft };

interface ReplayDialogProps {
  /** Null: the dialog is closed. */
  target: ReplayTarget | null;
  onClose: () => void;
}

const MOST_AGENTS = 10; // the server's limits
const MOST_REPEATS = 100;
const PAUSE_MS = 300; // while somebody types, nothing is estimated

/** What is replayed by whom and how, what it will take, and then it begins. */
export function ReplayDialog({ target, onClose }: ReplayDialogProps) {
  return (
    <Modal opened={target !== null} onClose={onClose} title={target && "golden" in target ? "Replay golden" : "Replay set"} size="lg">
      {target && <ReplayForm target={target} onClose={onClose} />}
    </Modal>
  );
}

function ReplayForm({ target, onClose }: { target: ReplayTarget; onClose: () => void }) {
  const navigate = useNavigate();
  const { replay, replaySet } = useRunActions();
  const form = useForm<RunDraft>({ initialValues: target.draft ?? runDraft("set" in target ? 3 : 1) });
  const problem = useProblemForm(form);
  const { values } = form;
  const { rows: agents = [] } = useEveryPage(useAgentsOverview());
  const runnable = agents.filter(({ runs_with }) => runs_with !== null);
  const isBusy = replay.isPending || replaySet.isPending;
  const setRun = "set" in target ? setRunOf(target.set.name, values) : null;
  const oneReplay = "golden" in target ? replayOf(target.golden.sessionId, values) : null;
  const isReady = setRun !== null || oneReplay !== null;
  const change = (part: Partial<RunDraft>) => form.setValues(part);
  const submit = async () => {
    problem.clear();
    try {
      const run = setRun ? await replaySet.mutateAsync(setRun) : oneReplay && (await replay.mutateAsync(oneReplay));
      if (!run) return;
      onClose();
      void navigate({ to: "/admin/agent-review/evals/runs/$id", params: { id: run.id } });
    } catch (error) {
      problem.place(error);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) void submit();
      }}
    >
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <fieldset className={classes.fieldset}>
          <legend>{values.agents.length > 1 ? "Agents to try; the verdict is about the first" : "Agent to try"}</legend>
          {values.agents.map((chosen, place) => (
            <AgentChoice
              key={place}
              label={`Agent ${place + 1}`}
              agents={runnable}
              chosen={chosen}
              own={values.agents.length === 1 ? ("set" in target ? "The goldens' own agent" : "The golden's own agent") : undefined}
              onChange={(next) => change({ agents: values.agents.map((each, at) => (at === place ? next : each)) })}
              onRemove={values.agents.length > 1 ? () => change({ agents: values.agents.filter((_, at) => at !== place) }) : undefined}
            />
          ))}
          {"set" in target && values.agents.length < MOST_AGENTS && values.agents[0]?.agent !== "" && (
            <Button variant="subtle" size="compact-sm" leftSection={<PlusIcon />} onClick={() => change({ agents: [...values.agents, OWN_AGENT] })}>
              Another agent or version
            </Button>
          )}
        </fieldset>
        <fieldset className={classes.fieldset}>
          <legend>Baseline</legend>
          <NativeSelect
            aria-label="Compared with"
            description="Whose earlier replays it is compared with. A candidate is never held to the golden alone: unchanged agents fail some, too."
            value={values.baselineKind}
            data={[
              { value: "floor", label: "The agent as it was when the goldens were made" },
              { value: "named", label: "Another agent or version" },
              { value: "none", label: "Nobody: only its pass rate" },
            ]}
            onChange={(event) => change({ baselineKind: event.currentTarget.value as BaselineKind })}
          />
          {values.baselineKind === "named" && (
            <AgentChoice label="Baseline" agents={runnable} chosen={values.baseline} onChange={(baseline) => change({ baseline })} />
          )}
        </fieldset>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput label="Repeats" description="Of each golden" min={1} max={MOST_REPEATS} allowDecimal={false} {...form.getInputProps("repeats")} />
          <NumberInput label="Margin" description="A fall that does not matter" suffix=" points" min={0} max={100} {...form.getInputProps("margin")} />
          <NumberInput label="Most it may cost" description="Then it stops. Optional." prefix="$" placeholder="No limit" min={0} {...form.getInputProps("maxCost")} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            label="Tools answer"
            description={MODE_LOOK[values.mode].means}
            value={values.mode}
            data={MODES.map((value) => ({ value, label: MODE_LOOK[value].label }))}
            inputWrapperOrder={["label", "input", "description", "error"]}
            onChange={(event) => change({ mode: event.currentTarget.value as ReplayMode })}
          />
          <NativeSelect
            label="Knowledge"
            description={CONTEXT_LOOK[values.context].means}
            value={values.context}
            data={CONTEXTS.map((value) => ({ value, label: CONTEXT_LOOK[value].label }))}
            inputWrapperOrder={["label", "input", "description", "error"]}
            onChange={(event) => change({ context: event.currentTarget.value as AskedContext })}
          />
        </SimpleGrid>
        <Forecast target={target} draft={values} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            Start
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function bodyOf(target: ReplayTarget, draft: RunDraft): NewSetRun | NewGoldenReplay | null {
  return "set" in target ? setRunOf(target.set.name, draft) : replayOf(target.golden.sessionId, draft);
}

/** What it would use, by what the goldens used, and what it would be compared with. */
function Forecast({ target, draft }: { target: ReplayTarget; draft: RunDraft }) {
  const [typed] = useDebouncedValue(draft, PAUSE_MS);
  const body = bodyOf(target, typed);
  const { data, error, isFetching } = useForecast(body);
  if (body === null) return <Estimate>Choose what is missing, and this says what it will take.</Estimate>;
  if (error && !isFetching) {
    return (
      <Alert color="red" role="alert">
        {toProblem(error).message}
      </Alert>
    );
  }
  if (!data) return <Estimate>Estimating…</Estimate>;
  const baseline = baselineLine(data);
  return (
    <Estimate isShort={baseline.isShort}>
      {estimateLine(data)}
      <br />
      {baseline.words}
    </Estimate>
  );
}

function Estimate({ children, isShort = false }: { children: React.ReactNode; isShort?: boolean }) {
  return (
    <Text size="sm" role="status" className={classes.estimate} data-short={isShort || undefined}>
      <Text span fw={550} size="sm">
        It will take:
      </Text>{" "}
      {children}
    </Text>
  );
}
