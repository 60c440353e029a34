import { Anchor, Badge, Group, Stack, Text, Timeline } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Entity, FieldChange } from "@/api/types";
import { ChainLinks } from "@/features/entities/components/ChainLinks";
import { ValueView } from "@/features/entities/components/ValueView";
import { useFieldHistory } from "@/features/entities/hooks/useProvenance";
import { AVERAGE_FIELD, COUNT_FIELD, canUndo, changeText, countAt, shownValue, undoneIds } from "@/features/entities/lib/provenance";
import type { Field } from "@/features/entity_types/lib/fields";
import { useResponse } from "@/features/responses/hooks/useResponses";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { Drawer } from "@/ui/Modal";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { UndoButton } from "./UndoButton";

interface FieldHistoryDrawerProps {
  entity: Entity;
  /** None: the drawer is closed. */
  field: Field | undefined;
  onClose: () => void;
}

export function FieldHistoryDrawer({ entity, field, onClose }: FieldHistoryDrawerProps) {
  return (
    <Drawer
      opened={field !== undefined}
      onClose={onClose}
      position="right"
      size="md"
      title={field ? `History of ${field.label}` : "History"}
    >
      {field && (
        <>
          <Text size="sm" component="div" mb="md">
            <ChainLinks of={`field:${entity.id}/${field.key}`} name={field.label} />
          </Text>
          <History entity={entity} field={field} />
        </>
      )}
    </Drawer>
  );
}

function History({ entity, field }: { entity: Entity; field: Field }) {
  const history = useFieldHistory(entity.id, field.key);
  // What an average was counted from stands in the history of the count beside it.
  const counts = useFieldHistory(entity.id, field.key === AVERAGE_FIELD ? COUNT_FIELD : field.key).rows ?? [];
  const undone = undoneIds(history.rows ?? []);
  return (
    <PagedRows
      list={history}
      what="changes"
      empty={
        <Text size="sm" c="dimmed">
          Nothing has changed here yet.
        </Text>
      }
    >
      {(rows) => (
        <Timeline bulletSize={12} lineWidth={1} color="gray" active={-1}>
          {rows.map((change) => (
            <Timeline.Item
              key={change.id}
              title={
                <ChangeTitle
                  entityId={entity.id}
                  change={change}
                  undone={undone.has(change.id)}
                  sources={countAt(counts, change.entity_version)}
                />
              }
            >
              <Change entity={entity} field={field} change={change} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </PagedRows>
  );
}

interface ChangeTitleProps {
  entityId: string;
  change: FieldChange;
  undone: boolean;
  /** How many sources a counted number was counted from. */
  sources: number | undefined;
}

function ChangeTitle({ entityId, change, undone, sources }: ChangeTitleProps) {
  const response = useResponse(entityId, change.response_id ?? undefined);
  return (
    <Group gap={6}>
      <Text size="sm" fw={550} td={undone ? "line-through" : undefined}>
        {changeText(change, response.data, sources)}
      </Text>
      {change.current && <Badge color="green">Current</Badge>}
      {undone && <Badge color="gray">Undone</Badge>}
    </Group>
  );
}

interface ChangeProps {
  entity: Entity;
  field: Field;
  change: FieldChange;
}

function Change({ entity, field, change }: ChangeProps) {
  const none = change.kind === "aggregate" ? "No source was rated" : "No value";
  return (
    <Stack gap={6} align="flex-start">
      <Text size="xs" c="dimmed" component="div">
        <RelativeTime value={change.created_at} />, version {change.entity_version}
        {change.response_id && (
          <>
            {", "}
            <Anchor
              size="xs"
              underline="always"
              renderRoot={(props) => (
                <Link
                  to="/records/$id"
                  params={{ id: entity.id }}
                  search={{ tab: "responses", response: change.response_id ?? undefined }}
                  {...props}
                />
              )}
            >
              see the response
            </Anchor>
          </>
        )}
      </Text>
      <ValueView
        value={change.present ? shownValue(change.value, change.kind) : undefined}
        size="sm"
        none={none}
      />
      {change.present_before && (
        <Text size="xs" c="dimmed" component="div">
          before: <ValueView value={shownValue(change.value_before, change.kind)} size="sm" none={none} />
        </Text>
      )}
      {canUndo(change) && <Undo entityId={entity.id} field={field} promotion={change} />}
    </Stack>
  );
}

interface UndoProps {
  entityId: string;
  field: Field;
  promotion: FieldChange;
}

function Undo(props: UndoProps) {
  const canUpdate = useCan()("entities.team.update");
  if (canUpdate) return <UndoButton {...props} variant="default" size="compact-sm" />;
  return (
    <Text size="xs" c="dimmed">
      Reviewers and admins can undo this.
    </Text>
  );
}
