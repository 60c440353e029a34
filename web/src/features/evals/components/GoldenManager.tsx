import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Pencil1Icon, PlayIcon, StarIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { GoldenSet } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Modal } from "@/ui/Modal";
import { notifyDone } from "@/ui/notify";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState, FormProblem } from "@/ui/states";
import { useProblemForm } from "@/ui/useProblemForm";
import { useGoldenActions, useGoldenSets } from "../hooks/useGoldens";
import { FLOOR_LOOK, type NoiseFloor, plural } from "../lib/words";
import { GoldensTable } from "./GoldensTable";
import { ReplayDialog } from "./ReplayDialog";
import { Starters } from "./Starters";
import classes from "./evals.module.css";

interface GoldenManagerProps {
  /** The name of the set that is looked at; the first without it. */
  chosen: string | undefined;
  onChoose: (name: string) => void;
}

/** The sets of goldens, and the goldens of one. */
export function GoldenManager({ chosen, onChoose }: GoldenManagerProps) {
  const sets = useEveryPage(useGoldenSets());
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Title order={2} size="h3" id={heading} mb="sm">
        Golden sessions
      </Title>
      <PagedRows
        list={sets}
        what="sets of goldens"
        empty={
          <EmptyState icon={<StarIcon width={20} height={20} />} title="No goldens yet">
            Open a session that went well and choose “Promote to golden”. From then on agents can be held to it.
            <Starters />
          </EmptyState>
        }
      >
        {(rows) => {
          const current = rows.find(({ name }) => name === chosen) ?? rows[0];
          if (!current) return null;
          return (
            <div className={classes.manager}>
              <SetList sets={rows} current={current} />
              <OneSet key={current.id} set={current} isMissing={chosen !== undefined && current.name !== chosen ? chosen : null} onRenamed={onChoose} />
            </div>
          );
        }}
      </PagedRows>
    </section>
  );
}

function SetList({ sets, current }: { sets: readonly GoldenSet[]; current: GoldenSet }) {
  return (
    <nav aria-label="Sets" className={classes.sets}>
      {sets.map((set) => (
        <Link
          key={set.id}
          to="/admin/agent-review/evals"
          search={{ set: set.name }}
          replace
          resetScroll={false}
          className={classes.set}
          aria-current={set.id === current.id ? "true" : undefined}
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
        >
          <span className={classes.setName} dir="auto">
            {set.name}
          </span>
          <Text span size="xs" c="dimmed">
            {plural(set.goldens, "golden")} · version {set.version}
          </Text>
          <FloorCounts set={set} />
        </Link>
      ))}
    </nav>
  );
}

const FLOORS = ["stable", "flaky", "broken"] as const satisfies readonly NoiseFloor[];

/** How many goldens are stable, flaky, broken or not measured: with signs and words. */
function FloorCounts({ set }: { set: GoldenSet }) {
  const none = set.goldens - set.stable - set.flaky - set.broken;
  const counts = [...FLOORS.map((floor) => [floor, set[floor]] as const), ["none", none] as const];
  return (
    <span className={classes.floors}>
      {counts
        .filter(([, count]) => count > 0)
        .map(([floor, count]) => (
          <span key={floor} data-floor={floor} title={FLOOR_LOOK[floor].means}>
            <span aria-hidden>{FLOOR_LOOK[floor].sign}</span> {count} {FLOOR_LOOK[floor].label.toLowerCase()}
          </span>
        ))}
    </span>
  );
}

interface OneSetProps {
  set: GoldenSet;
  /** The name of a set that an address asks for, and that there is not. */
  isMissing: string | null;
  onRenamed: (name: string) => void;
}

function OneSet({ set, isMissing, onRenamed }: OneSetProps) {
  const may = useCan()("evals.team.manage");
  const [isReplaying, setReplaying] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  return (
    <div className={classes.oneSet}>
      {isMissing !== null && (
        <Text size="sm" role="note" mb="xs">
          There is no set called “{isMissing}”. This is “{set.name}”.
        </Text>
      )}
      <Group justify="space-between" mb="sm" gap="sm">
        <div>
          <Title order={3} dir="auto">
            {set.name}
          </Title>
          <Text size="xs" c="dimmed">
            Version {set.version}: it grows when a golden comes, goes, or counts otherwise.
          </Text>
        </div>
        {may && (
          <Group gap="xs">
            <Button variant="default" size="xs" leftSection={<Pencil1Icon />} onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <Button size="xs" leftSection={<PlayIcon />} disabled={set.goldens === 0} onClick={() => setReplaying(true)}>
              Replay set…
            </Button>
          </Group>
        )}
      </Group>
      <GoldensTable set={set.name} />
      <ReplayDialog target={isReplaying ? { set } : null} onClose={() => setReplaying(false)} />
      <Modal opened={isRenaming} onClose={() => setRenaming(false)} title="Rename set" size="sm">
        {isRenaming && (
          <RenameForm
            set={set}
            onClose={() => setRenaming(false)}
            onRenamed={(name) => {
              setRenaming(false);
              onRenamed(name);
            }}
          />
        )}
      </Modal>
    </div>
  );
}

interface RenameFormProps {
  set: GoldenSet;
  onClose: () => void;
  onRenamed: (name: string) => void;
}

function RenameForm({ set, onClose, onRenamed }: RenameFormProps) {
  const { rename } = useGoldenActions();
  const form = useForm({ initialValues: { name: set.name }, validate: { name: (name) => (name.trim() ? null : "A set has a name.") } });
  const problem = useProblemForm(form);
  const submit = async ({ name }: { name: string }) => {
    problem.clear();
    try {
      const renamed = await rename.mutateAsync({ id: set.id, name: name.trim() });
      notifyDone("Renamed.");
      onRenamed(renamed.name);
    } catch (error) {
      problem.place(error);
    }
  };
  return (
    <form noValidate onSubmit={form.onSubmit((values) => void (!rename.isPending && submit(values)))}>
      <Stack>
        <FormProblem>{problem.head}</FormProblem>
        <TextInput label="Name" data-autofocus maxLength={100} {...form.getInputProps("name")} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
