import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Pencil2Icon } from "@radix-ui/react-icons";
import { type Ref, useEffect, useRef } from "react";
import type { CriteriaSet, Entity } from "@/api/types";
import { RatersNote } from "@/features/entities/components/RatersNote";
import { formatScore, responseScore } from "@/features/entities/lib/score";
import { useAggregation, useResponses } from "@/features/responses/hooks/useResponses";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { DraftBadge } from "@/ui/DraftBadge";
import { InitialFocus } from "@/ui/InitialFocus";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone } from "@/ui/notify";
import { LoadingRows } from "@/ui/states";
import { useIsResponseBegun } from "../hooks/useIsResponseBegun";
import { ResponseForm } from "./ResponseForm";

interface ResponseFormBlockProps {
  entity: Entity;
  criteriaSet: CriteriaSet;
}

/** What a criteria set has brought so far; in edit mode its form. */
export function ResponseFormBlock({ entity, criteriaSet }: ResponseFormBlockProps) {
  const [editing, mode] = useDisclosure(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // The form takes the focus with it when it goes.
  useEffect(() => {
    if (wasEditing.current && !editing) toggle.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  if (!editing) {
    return <ResponseFormSummary entity={entity} criteriaSet={criteriaSet} toggle={toggle} onEdit={mode.open} />;
  }
  return (
    <Stack gap="md">
      <Text fw={550}>{criteriaSet.name}</Text>
      <InitialFocus>
        <ResponseForm
          entityId={entity.id}
          criteriaSet={criteriaSet}
          onCancel={mode.close}
          onSubmitted={() => {
            notifyDone("Your response was submitted.");
            mode.close();
          }}
        />
      </InitialFocus>
    </Stack>
  );
}

interface ResponseFormSummaryProps extends ResponseFormBlockProps {
  toggle: Ref<HTMLButtonElement>;
  onEdit: () => void;
}

function ResponseFormSummary({ entity, criteriaSet, toggle, onEdit }: ResponseFormSummaryProps) {
  const canSubmit = useCan()("responses.team.create");
  const isBegun = useIsResponseBegun(entity.id, criteriaSet.id);
  const aggregation = useAggregation(entity.id, criteriaSet.id);
  const { query, rows } = useResponses(entity.id, { criteriaSetId: criteriaSet.id });
  if (query.isPending || aggregation.isPending) return <LoadingRows label={criteriaSet.name} rows={1} />;
  const count = aggregation.data?.count;
  const latest = rows?.find((response) => response.normalized_score !== null && response.status !== "rejected");
  return (
    <Group justify="space-between" gap="md">
      <Stack gap={2}>
        <Group gap="xs">
          <Text fw={550}>{criteriaSet.name}</Text>
          {criteriaSet.archived_at && <Badge color="gray">Archived</Badge>}
          {isBegun && <DraftBadge />}
        </Group>
        <Text size="sm" c="dimmed">
          {count === undefined ? "Responses could not be counted" : countLabel(count)}
          {rows?.[0] && (
            <>
              , latest <RelativeTime value={rows[0].created_at} />
            </>
          )}
        </Text>
      </Stack>
      <Group gap="md">
        <Badge size="lg" color={latest ? "gold" : "gray"}>
          {latest ? `Latest score ${formatScore(responseScore(latest.normalized_score))}` : "No score"}
        </Badge>
        {aggregation.data?.raters && <RatersNote raters={aggregation.data.raters} short />}
        {canSubmit && !criteriaSet.archived_at && (
          <Button ref={toggle} variant="default" leftSection={<Pencil2Icon />} onClick={onEdit}>
            Respond
          </Button>
        )}
      </Group>
    </Group>
  );
}

function countLabel(count: number): string {
  if (count === 0) return "No responses yet";
  return count === 1 ? "1 response" : `${count} responses`;
}
