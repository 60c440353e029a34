import { Stack, Title } from "@mantine/core";
import type { Entity, EntityType } from "@/api/types";
import { ViewBlocks } from "@/features/views/components/ViewBlocks";
import { useViews } from "@/features/views/hooks/useViews";
import { LoadingRows } from "@/ui/states";
import { listRelationFields } from "../lib/fields";
import { FieldList } from "./FieldList";
import { RelationList } from "./RelationList";

interface RecordBodyProps {
  entity: Entity;
  entityType: EntityType;
}

/** The first view of the type, if somebody laid one out; otherwise everything there is. */
export function RecordBody({ entity, entityType }: RecordBodyProps) {
  const { query, rows: views } = useViews(entity.type);
  if (query.isPending) return <LoadingRows label="fields" rows={6} />;
  // A view is a convenience: when views cannot be loaded, the fields still can.
  const view = views?.find((each) => each.entity_type === entity.type) ?? views?.[0];
  if (view && view.blocks.length > 0) {
    return <ViewBlocks entity={entity} entityType={entityType} blocks={view.blocks} />;
  }
  return (
    <Stack gap="xl">
      <FieldList entity={entity} entityType={entityType} />
      {listRelationFields(entityType).length > 0 && (
        <section>
          <Title order={2} mb="sm">
            Relations
          </Title>
          <RelationList entity={entity} entityType={entityType} />
        </section>
      )}
    </Stack>
  );
}
