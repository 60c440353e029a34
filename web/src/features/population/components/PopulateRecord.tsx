import { Anchor, Button, Group, Loader, Paper, Text } from "@mantine/core";
import { MagicWandIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { AgentSession, Entity, EntityType } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem } from "@/ui/notify";
import { useLastPopulation, usePopulationActions, useSubmitted } from "../hooks/usePopulation";
import { isOpen } from "../lib/population";
import { PopulateDialog } from "./PopulateDialog";
import { ToSession } from "./ToSession";

/** Has an agent propose values for a record. */
export function PopulateRecord({ entity, entityType }: { entity: Entity; entityType: EntityType }) {
  const [opened, setOpened] = useState(false);
  const { populate } = usePopulationActions();
  const can = useCan();
  if (!can("sessions.team.create") || !can("responses.team.create")) return null;
  return (
    <>
      <Button variant="default" leftSection={<MagicWandIcon />} onClick={() => setOpened(true)}>
        Populate
      </Button>
      <PopulateDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Populate ${entity.title}`}
        typeSlug={entityType.slug}
        note="The agent proposes values as a response. Nothing of the record changes until somebody promotes them."
        onSend={async (material) => void (await populate.mutateAsync({ ...material, entityId: entity.id }))}
      />
    </>
  );
}

/** How the last session that filled in a record goes. One that completed is told of as long as the page is open in which it
 * ran, one that failed until somebody dismisses it. */
export function PopulationLine({ entityId }: { entityId: string }) {
  const session = useLastPopulation(entityId).data;
  const [followed, setFollowed] = useState<string | null>(null);
  const [away, setAway] = useState<string | null>(null);
  useEffect(() => {
    if (session && isOpen(session)) setFollowed(session.id);
  }, [session]);
  if (!session || away === session.id) return null;
  const isTold = isOpen(session) || (session.status === "failed" ? session.dismissed_at === null : followed === session.id);
  return isTold && <Line session={session} onAway={() => setAway(session.id)} />;
}

function Line({ session, onAway }: { session: AgentSession; onAway: () => void }) {
  const submitted = useSubmitted(session).data;
  const { cancel, dismiss } = usePopulationActions();
  const { status } = session;
  if (status === "completed" && submitted === undefined) return null;
  const stop = () =>
    cancel.mutate(session.id, { onError: (error) => notifyProblem("The session was not cancelled", error) });
  const putAway = () => {
    if (status === "failed" || status === "stalled") dismiss.mutate(session.id);
    onAway();
  };
  return (
    <Paper withBorder radius="md" px="md" py="xs" mb="md" role="status" aria-label="Population">
      <Group gap="sm" justify="space-between">
        <Group gap="sm" flex={1} miw={0}>
          {isOpen(session) && status !== "waiting" && <Loader size="xs" aria-hidden />}
          <Text size="sm">{lineText(session, submitted ?? null)}</Text>
          <ToSession id={session.id}>Look at the session</ToSession>
          {submitted && (
            <Anchor
              size="sm"
              underline="always"
              renderRoot={(props) => <Link to="/tasks/review" search={{ response: submitted }} {...props} />}
            >
              Review what it proposes
            </Anchor>
          )}
        </Group>
        {isOpen(session) ? (
          <Button size="compact-sm" variant="subtle" color="gray" loading={cancel.isPending} onClick={stop}>
            Cancel
          </Button>
        ) : (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={putAway}>
            Dismiss
          </Button>
        )}
      </Group>
    </Paper>
  );
}

export function lineText({ status, agent, error }: Pick<AgentSession, "status" | "agent" | "error">, submitted: string | null): string {
  const who = agent ?? "The agent";
  switch (status) {
    case "queued":
      return `${who} is about to begin.`;
    case "running":
      return `${who} looks for values.`;
    case "waiting":
      return `${who} asks a person.`;
    case "stalled":
      return `${who} was not heard of for a while.`;
    case "failed":
      return `${who} failed: ${error?.message || error?.code || "nobody told why"}`;
    case "cancelled":
      return `${who} was cancelled.`;
    default:
      return submitted ? `${who} proposes values.` : `${who} found nothing to propose.`;
  }
}
