import { ActionIcon, Anchor, Badge, Box, Button, Group, Menu, Text, Title, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { DotsHorizontalIcon, Pencil1Icon, TrashIcon } from "@radix-ui/react-icons";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Entity, EntityType } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { RelativeTime } from "@/ui/RelativeTime";
import { confirmDanger } from "@/ui/confirm";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { useEntityActions } from "../hooks/useEntities";
import { partyName } from "../lib/provenance";
import { EditRecordDialog } from "./EditRecordDialog";
import { ScoreMeter } from "./ScoreMeter";
import { WaitingBadge } from "./WaitingBadge";

interface RecordHeaderProps {
  entity: Entity;
  entityType: EntityType;
  /** The criteria set that the score is of. */
  scoredBy?: string | undefined;
  /** Acts that other features bring. */
  acts?: ReactNode;
}

export function RecordHeader({ entity, entityType, scoredBy, acts }: RecordHeaderProps) {
  return (
    <Box mb="md">
      <Text size="sm" c="dimmed" component="nav" aria-label="Breadcrumb" mb={6}>
        <Anchor c="dimmed" size="sm" renderRoot={(props) => <Link to="/records" {...props} />}>
          Records
        </Anchor>
        {" / "}
        <Anchor
          c="dimmed"
          size="sm"
          renderRoot={(props) => <Link to="/records" search={{ type: entity.type }} {...props} />}
        >
          {entityType.name}
        </Anchor>
      </Text>
      <Group justify="space-between" align="flex-start" gap="md">
        <Box flex="1 1 280px" miw={0}>
          <Title order={1} style={{ overflowWrap: "anywhere" }}>
            {entity.title}
          </Title>
          <Group gap="xs" mt={8}>
            <Badge color="gray">{entityType.name}</Badge>
            <ScoreMeter score={entity.score} set={scoredBy} raters={entity.raters} />
            <WaitingBadge entity={entity} long />
            <Text size="xs" c="dimmed">
              Version {entity.version} · changed <RelativeTime value={entity.updated_at} /> · made by{" "}
              {partyName(entity.created_by)}
            </Text>
          </Group>
        </Box>
        <Group gap="xs">
          {acts}
          <RecordActs entity={entity} entityType={entityType} />
        </Group>
      </Group>
    </Box>
  );
}

function RecordActs({ entity, entityType }: Pick<RecordHeaderProps, "entity" | "entityType">) {
  const [editing, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const { remove } = useEntityActions();
  const canUpdate = useCan()("entities.team.update");
  if (!canUpdate) {
    return (
      <Tooltip label="Reviewers and admins can edit records; you can propose values as a response." multiline w={240} withinPortal={false}>
        <Button variant="default" leftSection={<Pencil1Icon />} data-disabled aria-disabled>
          Edit
        </Button>
      </Tooltip>
    );
  }
  const askToDelete = () =>
    confirmDanger({
      title: `Delete ${entity.title}?`,
      children: "The record goes with its history, its responses and its relations. This cannot be undone.",
      action: "Delete record",
      onConfirm: () =>
        remove.mutate(entity.id, {
          onSuccess: () => {
            notifyDone(`${entity.title} was deleted.`);
            void navigate({ to: "/records" });
          },
          onError: (error) => notifyProblem("The record was not deleted", error),
        }),
    });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button variant="default" leftSection={<Pencil1Icon />} onClick={dialog.open}>
        Edit
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="var(--mantine-color-error)" leftSection={<TrashIcon />} onClick={askToDelete}>
            Delete record
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditRecordDialog opened={editing} entity={entity} entityType={entityType} onClose={dialog.close} />
    </Group>
  );
}
