import { Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Entity, ViewBlock } from "@/api/types";
import { useEntity } from "@/features/entities/hooks/useEntities";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";
import { Loaded } from "@/ui/Loaded";
import { LoadingRows } from "@/ui/states";
import { usePreviewRecords } from "../hooks/usePreviewRecords";
import { ViewBlocks } from "./ViewBlocks";

const TYPING_MS = 250; // asks once one has stopped typing

interface ViewPreviewProps {
  typeSlug: string | null;
  blocks: readonly ViewBlock[];
  /** Absent: the record that changed last. */
  recordId: string | undefined;
  onRecord: (id: string | undefined) => void;
}

/** A record seen through the blocks, saved or not. */
export function ViewPreview({ typeSlug, blocks, recordId, onRecord }: ViewPreviewProps) {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, TYPING_MS);
  const records = usePreviewRecords(typeSlug, q);
  const newest = usePreviewRecords(typeSlug, "").data?.data[0]?.id;
  const shown = recordId ?? newest;
  return (
    <Paper component="section" aria-label="Preview" withBorder radius="lg" p="md">
      <Stack gap="md">
        <Group justify="space-between" align="center">
          <Text size="xs" c="dimmed" fw={550}>
            Preview on
          </Text>
          <Select
            size="xs"
            w={240}
            aria-label="Record of the preview"
            placeholder="Choose a record"
            searchable
            filter={({ options }) => options}
            nothingFoundMessage="No such record"
            data={(records.data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
            value={shown ?? null}
            onSearchChange={setTyped}
            onChange={(value) => onRecord(value ?? undefined)}
          />
        </Group>
        {shown && <RecordPreview key={shown} recordId={shown} blocks={blocks} />}
        {!shown && !records.isPending && (
          <Text size="sm" c="dimmed">
            There is no record to try the view on yet.
          </Text>
        )}
        {!shown && records.isPending && <LoadingRows label="records" rows={2} />}
      </Stack>
    </Paper>
  );
}

function RecordPreview({ recordId, blocks }: { recordId: string; blocks: readonly ViewBlock[] }) {
  return (
    <Loaded query={useEntity(recordId)} what="the record">
      {(entity) => <TypedPreview entity={entity} blocks={blocks} />}
    </Loaded>
  );
}

function TypedPreview({ entity, blocks }: { entity: Entity; blocks: readonly ViewBlock[] }) {
  return (
    <Loaded query={useEntityType(entity.type)} what="its type">
      {(entityType) => <ViewBlocks entity={entity} entityType={entityType} blocks={blocks} />}
    </Loaded>
  );
}
