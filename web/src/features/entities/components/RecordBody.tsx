import { Stack, Title } from "@mantine/core";
import type { Entity, EntityType } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { ViewBlocks } from "@/features/views/components/ViewBlocks";
import { useViews } from "@/features/views/hooks/useViews";
import { LoadingRows } from "@/ui/states";
import { useRecordSearch } from "../hooks/useRecordSearch";
import { listRelationFields } from "../lib/fields";
import { chooseView } from "../lib/views";
import { FieldList } from "./FieldList";
import { RelationList } from "./RelationList";
import { ViewSwitcher } from "./ViewSwitcher";

interface RecordBodyProps {
  entity: Entity;
  entityType: EntityType;
}

/** The record through the view that the address names, or as everything there is. */
export function RecordBody({ entity, entityType }: RecordBodyProps) {
  const { search } = useRecordSearch();
  const { query, rows: views } = useEveryPage(useViews(entity.type));
  if (query.isPending) return <LoadingRows label="fields" rows={6} />;
  // A view is a convenience: when views cannot be loaded, the fields still can.
  const { offered, shown } = chooseView(views ?? [], entity.type, search.view);
  return (
    <>
      {offered.length > 0 && <ViewSwitcher entityId={entity.id} offered={offered} shown={shown} />}
      {shown ? (
        <ViewBlocks key={shown.id} entity={entity} entityType={entityType} blocks={shown.blocks} />
      ) : (
        <AllFields entity={entity} entityType={entityType} />
      )}
    </>
  );
}

function AllFields({ entity, entityType }: RecordBodyProps) {
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
