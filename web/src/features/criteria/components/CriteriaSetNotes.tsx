import { Alert, Anchor, Button, Group } from "@mantine/core";
import { InfoCircledIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { CriteriaSet } from "@/api/types";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useCriteriaSetActions } from "../hooks/useCriteriaSets";

export function FollowsItsType({ set }: { set: CriteriaSet }) {
  const slug = set.entity_type_slugs?.[0];
  return (
    <Alert color="gold" mb="md" icon={<InfoCircledIcon />}>
      This default set follows its entity type
      {slug && (
        <>
          {" "}
          <Anchor
            c="inherit"
            td="underline"
            inherit
            renderRoot={(props) => <Link to="/build/types/$slug" params={{ slug }} {...props} />}
          >
            {slug}
          </Anchor>
        </>
      )}
      . Change the type's fields to change it.
    </Alert>
  );
}

export function IsArchived({ set, canManage }: { set: CriteriaSet; canManage: boolean }) {
  const { change } = useCriteriaSetActions();
  const bringBack = () =>
    change.mutate(
      { id: set.id, version: set.version, archived: false },
      {
        onSuccess: () => notifyDone(`${set.name} can be answered again.`),
        onError: (error) => notifyProblem("The criteria set was not brought back", error),
      },
    );
  return (
    <Alert color="gray" mb="md" icon={<InfoCircledIcon />}>
      <Group justify="space-between">
        <span>This set is archived: its responses stay, and nobody can add another.</span>
        {canManage && (
          <Button size="xs" variant="default" loading={change.isPending} onClick={bringBack}>
            Bring it back
          </Button>
        )}
      </Group>
    </Alert>
  );
}
