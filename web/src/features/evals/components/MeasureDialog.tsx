import { Anchor, Button, Checkbox, Group, Input, NativeSelect, NumberInput, SegmentedControl, SimpleGrid, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link, useNavigate } from "@tanstack/react-router";
import type { GoldenSet, Knowledge } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useAgentsOverview } from "@/features/agents/hooks/useAgentActivity";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Modal } from "@/ui/Modal";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState, FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useExperimentActions } from "../hooks/useExperiments";
import { useGoldenSets } from "../hooks/useGoldens";
import { type Design, type ExperimentDraft, MOST_PAIRS, MOST_REPLAYS, experimentDraft, experimentOf } from "../lib/experiments";
import { MODES, MODE_LOOK, type ReplayMode } from "../lib/words";
import { AgentChoice } from "./AgentChoice";
import { ExperimentForecast } from "./ExperimentForecast";
import { RowPicker } from "./RowPicker";
import classes from "./evals.module.css";

/** What the dialog begins with: a row of knowledge, a set, or an experiment once more. */
export interface AskedToMeasure {
  row?: Pick<Knowledge, "id" | "content" | "value">;
  set?: string;
  draft?: ExperimentDraft;
}

interface MeasureDialogProps {
  /** Null: the dialog is closed. */
  asked: AskedToMeasure | null;
  onClose: () => void;
}

/** Which rows are measured on what and how far, what that takes and what it could find; then it begins. */
export function MeasureDialog({ asked, onClose }: MeasureDialogProps) {
  return (
    <Modal opened={asked !== null} onClose={onClose} title="Measure what lessons are worth" size="lg">
      {asked && <WithSets asked={asked} onClose={onClose} />}
    </Modal>
  );
}

function WithSets({ asked, onClose }: { asked: AskedToMeasure; onClose: () => void }) {
  const sets = useEveryPage(useGoldenSets());
  return (
    <PagedRows
      list={sets}
      what="sets of goldens"
      empty={
        <EmptyState title="There are no goldens yet">
          Lessons are measured by replaying goldens.{" "}
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/admin/agent-review/evals" {...props} />}>
            Promote a session to golden, or load a starter set
          </Anchor>
          , then come back.
        </EmptyState>
      }
    >
      {(rows) => <MeasureForm asked={asked} sets={rows} onClose={onClose} />}
    </PagedRows>
  );
}

/** One row is tried by itself; otherwise all that apply are measured together. */
function draftFor({ row, set, draft }: AskedToMeasure, sets: readonly GoldenSet[]): ExperimentDraft {
  const wanted = set ?? draft?.set ?? row?.value?.set;
  const chosen = sets.find(({ name }) => name === wanted) ?? sets.find(({ goldens }) => goldens > 0) ?? sets[0];
  if (draft) return { ...draft, set: chosen?.name ?? "" };
  return experimentDraft({
    set: chosen?.name ?? "",
    ...(row ? { rows: [{ id: row.id, content: row.content }], design: "pairs" as const } : {}),
  });
}

function MeasureForm({ asked, sets, onClose }: { asked: AskedToMeasure; sets: readonly GoldenSet[]; onClose: () => void }) {
  const navigate = useNavigate();
  const mayChoose = useCan()("knowledge.team.manage");
  const { begin } = useExperimentActions();
  const form = useForm<ExperimentDraft>({ initialValues: draftFor(asked, sets) });
  const problem = useProblemForm(form);
  const { rows: agents = [] } = useEveryPage(useAgentsOverview());
  const { values } = form;
  const body = experimentOf(values);
  const isPairs = values.rows !== null && values.design === "pairs";
  const change = (part: Partial<ExperimentDraft>) => form.setValues(part);
  const submit = async () => {
    if (!body) return;
    problem.clear();
    try {
      const { id } = await begin.mutateAsync(body);
      onClose();
      void navigate({ to: "/admin/agent-review/evals/experiments/$id", params: { id } });
    } catch (error) {
      problem.place(error);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (body && !begin.isPending) void submit();
      }}
    >
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <Text size="sm" c="dimmed">
          Goldens are replayed with some of the knowledge and without the rest, drawn by lot. How often they pass says what each row is worth.
        </Text>
        <div className={classes.measured}>
          <NativeSelect
            label="Goldens"
            value={values.set}
            data={sets.map(({ name, goldens }) => ({ value: name, label: `${name} (${goldens})` }))}
            onChange={(event) => change({ set: event.currentTarget.value })}
          />
          <Input.Wrapper label="Agent" labelElement="div">
            <AgentChoice
              label="Agent"
              agents={agents.filter(({ runs_with }) => runs_with !== null)}
              chosen={values.agent}
              own="The goldens' own"
              onChange={(agent) => change({ agent })}
            />
          </Input.Wrapper>
        </div>
        {mayChoose && (
          <fieldset className={classes.fieldset}>
            <legend>Knowledge to measure</legend>
            <SegmentedControl
              aria-label="Knowledge to measure"
              className={classes.segments}
              value={values.rows === null ? "all" : "chosen"}
              data={[
                { value: "all", label: "All that applies" },
                { value: "chosen", label: "Chosen rows" },
              ]}
              onChange={(value) => change({ rows: value === "all" ? null : asked.row ? [{ id: asked.row.id, content: asked.row.content }] : [] })}
            />
            {values.rows !== null && <RowPicker chosen={values.rows} onChange={(rows) => change({ rows })} />}
          </fieldset>
        )}
        {values.rows !== null && (
          <NativeSelect
            label="How"
            value={values.design}
            data={[
              { value: "halves", label: "Together: each replay has a random half of them" },
              { value: "pairs", label: "One at a time: each golden with it and without it" },
            ]}
            onChange={(event) => change({ design: event.currentTarget.value as Design })}
          />
        )}
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {isPairs ? (
            <NumberInput label="Pairs" description="Of each row" min={1} max={MOST_PAIRS} allowDecimal={false} {...form.getInputProps("pairs")} />
          ) : (
            <NumberInput label="Replays" description="That count, in all" min={2} max={MOST_REPLAYS} step={20} allowDecimal={false} {...form.getInputProps("replays")} />
          )}
          <NativeSelect
            label="Tools answer"
            description="As in a run"
            value={values.mode}
            title={MODE_LOOK[values.mode].means}
            data={MODES.map((value) => ({ value, label: MODE_LOOK[value].label }))}
            onChange={(event) => change({ mode: event.currentTarget.value as ReplayMode })}
          />
          <NumberInput label="Most it may cost" description="Then it stops. Optional." prefix="$" placeholder="No limit" min={0} {...form.getInputProps("maxCost")} />
        </SimpleGrid>
        {!isPairs && (
          <Group align="flex-end" gap="md">
            <Checkbox
              flex="1 1 240px"
              label="Confirm what shows an effect"
              description="One row at a time, each golden with it and without it. Only what is confirmed is proposed to a person."
              checked={values.confirms}
              onChange={(event) => change({ confirms: event.currentTarget.checked })}
            />
            {values.confirms && (
              <NumberInput label="Pairs of such a row" w={150} min={1} max={MOST_PAIRS} allowDecimal={false} {...form.getInputProps("pairs")} />
            )}
          </Group>
        )}
        <ExperimentForecast draft={values} onReplays={(replays) => change({ replays })} />
        <Group justify="flex-end" className={classes.dialogFoot}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={begin.isPending} disabled={!body}>
            Start
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
