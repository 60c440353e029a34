import { ActionIcon, Anchor, Group, Paper, Stack, Text } from "@mantine/core";
import { Cross2Icon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { Entity, EntityType, Relation } from "@/api/types";
import { type RelationField, listRelationFields } from "@/features/entity_types/lib/fields";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useRelationActions, useRelations } from "../hooks/useRelations";
import { ConnectRecord } from "./ConnectRecord";
import classes from "./record.module.css";

interface RelationListProps {
  entity: Entity;
  entityType: EntityType;
  /** Only the relations of this field; all when absent. */
  fieldKey?: string | null;
}

/** The records that this one is connected to, by relation field. */
export function RelationList({ entity, entityType, fieldKey }: RelationListProps) {
  const fields = listRelationFields(entityType).filter((field) => !fieldKey || field.key === fieldKey);
  if (fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {fieldKey ? `The type has no relation named ${fieldKey}.` : "The type has no relations."}
      </Text>
    );
  }
  return (
    <dl className={classes.fields}>
      {fields.map((field) => (
        <div key={field.key} className={classes.field}>
          <dt className={classes.name}>{field.label}</dt>
          <dd className={classes.value}>
            <Connections entity={entity} field={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Connections({ entity, field }: { entity: Entity; field: RelationField }) {
  const relations = useRelations(entity.id, field.key);
  const canConnect = useCan()("entities.team.create");
  const full = !field.multiple && (relations.rows?.length ?? 0) > 0;
  return (
    <Stack gap="xs" align="flex-start">
      <PagedRows
        list={relations}
        what="relations"
        empty={
          <Text size="md" c="dimmed">
            Not connected yet
          </Text>
        }
      >
        {(rows) => (
          <Group component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }} aria-label={field.label}>
            {rows.map((relation) => (
              <Connection key={relation.id} entity={entity} relation={relation} />
            ))}
          </Group>
        )}
      </PagedRows>
      {canConnect && !full && relations.rows && (
        <ConnectRecord
          entityId={entity.id}
          field={field}
          connected={relations.rows.map(({ target_id }) => target_id)}
        />
      )}
    </Stack>
  );
}

function Connection({ entity, relation }: { entity: Entity; relation: Relation }) {
  const { disconnect } = useRelationActions(entity.id);
  const canDisconnect = useCan()("entities.team.update");
  return (
    <Paper component="li" withBorder px="sm" py={5} radius="md">
      <Group gap={6} wrap="nowrap">
        <Anchor
          size="sm"
          fw={550}
          style={{ overflowWrap: "anywhere" }}
          renderRoot={(props) => <Link to="/records/$id" params={{ id: relation.target_id }} {...props} />}
        >
          {relation.target_title}
        </Anchor>
        {canDisconnect && (
          <ActionIcon
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={`Remove the relation to ${relation.target_title}`}
            loading={disconnect.isPending}
            onClick={() =>
              disconnect.mutate(relation.id, {
                onSuccess: () => notifyDone(`The relation to ${relation.target_title} was removed.`),
                onError: (error) => notifyProblem("The relation was not removed", error),
              })
            }
          >
            <Cross2Icon width={12} height={12} />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}
