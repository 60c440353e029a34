import { Button, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { MagicWandIcon } from "@radix-ui/react-icons";
import { useState } from "react";
import type { AgentSession, NewPopulationOfMany } from "@/api/types";
import { type Selection, countRecords } from "@/features/entities/components/SelectionBar";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem } from "@/ui/notify";
import { usePopulationActions, usePopulationSession } from "../hooks/usePopulation";
import { MOST_IDS, isOpen, outcomeText } from "../lib/population";
import { PopulateDialog } from "./PopulateDialog";
import { ToSession } from "./ToSession";

/** How a list of records of one type is narrowed. */
export type ListFilter = Pick<NewPopulationOfMany, "type" | "q" | "min_score" | "waits">;

interface PopulateSelectedProps {
  selection: Selection;
  /** Null where records of several types are listed. */
  filter: ListFilter | null;
  onStarted: (sessionId: string) => void;
}

/** Has an agent propose values for the records that are selected, or for all that match. */
export function PopulateSelected({ selection, filter, onStarted }: PopulateSelectedProps) {
  const [opened, setOpened] = useState(false);
  const { populateMany } = usePopulationActions();
  const can = useCan();
  if (!can("sessions.team.create") || !can("responses.team.create")) return null;
  const tooMany = !selection.all && selection.count > MOST_IDS;
  const why = !filter
    ? "Choose a type first: records of one type have the same fields"
    : tooMany
      ? `At most ${MOST_IDS} that are ticked one by one; select all that match instead`
      : null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<MagicWandIcon />}
        title={why ?? undefined}
        data-disabled={why !== null || undefined}
        aria-disabled={why !== null}
        onClick={() => why === null && setOpened(true)}
      >
        Populate
      </Button>
      {filter && (
        <PopulateDialog
          opened={opened}
          onClose={() => setOpened(false)}
          title={`Populate ${countRecords(selection.count)}`}
          typeSlug={filter.type}
          note="Each record gets a session of its own, a few at a time, and what is found in it as a response to review."
          onSend={async (material) => {
            const which = selection.all ? filter : { type: filter.type, ids: [...(await selection.ids())], waits: false };
            const { id } = await populateMany.mutateAsync({ ...material, ...which });
            selection.clear();
            onStarted(id);
          }}
        />
      )}
    </>
  );
}

interface PopulationProgressProps {
  sessionId: string;
  onAway: () => void;
}

/** How far a session is that fills in many records, and how it ended. */
export function PopulationProgress({ sessionId, onAway }: PopulationProgressProps) {
  const session = usePopulationSession(sessionId).data;
  const { cancel } = usePopulationActions();
  if (!session) return null;
  const { done, total } = session.progress ?? { done: 0, total: 0 };
  const stop = () =>
    cancel.mutate(sessionId, { onError: (error) => notifyProblem("The session was not cancelled", error) });
  return (
    <Paper withBorder radius="md" px="md" py="sm" mb="md" role="group" aria-label="Population of records">
      <Stack gap={6}>
        <Group gap="sm" justify="space-between">
          <Group gap="sm" flex={1} miw={0}>
            <Text size="sm" role="status">
              {progressText(session)}
            </Text>
            <ToSession id={sessionId}>Look at the sessions</ToSession>
          </Group>
          {isOpen(session) ? (
            <Button size="compact-sm" variant="subtle" color="gray" loading={cancel.isPending} onClick={stop}>
              Cancel
            </Button>
          ) : (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={onAway}>
              Dismiss
            </Button>
          )}
        </Group>
        {isOpen(session) && (
          <Progress value={total > 0 ? (100 * done) / total : 0} aria-label={`${done} of ${total} records are done`} />
        )}
      </Stack>
    </Paper>
  );
}

export function progressText({ status, progress, error, output }: Pick<AgentSession, "status" | "progress" | "error" | "output">): string {
  if (status === "completed") return `Population ended: ${outcomeText(output)}.`;
  if (status === "failed") return `Population failed: ${error?.message || error?.code || "nobody told why"}`;
  if (status === "cancelled") {
    return `Population was cancelled${progress ? ` after ${progress.done} of ${progress.total} records` : ""}.`;
  }
  return progress ? `Populating: ${progress.done} of ${progress.total} records are done.` : "Population is about to begin.";
}
