import { Stack, Title } from "@mantine/core";
import type { Entity, EntityType } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { ClaimPanel } from "@/features/claims/components/ClaimPanel";
import { SupportedClaims } from "@/features/claims/components/SupportedClaims";
import { useClaimWords } from "@/features/claims/hooks/useClaims";
import { OutcomesPanel } from "@/features/edges/components/OutcomesPanel";
import { RankedConnections } from "@/features/edges/components/RankedConnections";
import { ReferencedBy } from "@/features/entities/components/ReferencedBy";
import { RelationList } from "@/features/entities/components/RelationList";
import { ViewSwitcher } from "@/features/entities/components/ViewSwitcher";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import type { ReferringField } from "@/features/entities/lib/references";
import { chooseView } from "@/features/entities/lib/views";
import { listRelationFields } from "@/features/entity_types/lib/fields";
import { FieldList } from "@/features/promotion/components/FieldList";
import { ViewBlocks } from "@/features/views/components/ViewBlocks";
import { useViews } from "@/features/views/hooks/useViews";
import { LoadingRows } from "@/ui/states";

interface RecordBodyProps {
  entity: Entity;
  entityType: EntityType;
}

/** The record through the view that the address names, or as everything there is; and how it stands to others. */
export function RecordBody({ entity, entityType }: RecordBodyProps) {
  const { search } = useRecordSearch();
  const words = useClaimWords();
  const { query, rows: views } = useEveryPage(useViews(entity.type));
  if (query.isPending) return <LoadingRows label="fields" rows={6} />;
  // A view is a convenience: when views cannot be loaded, the fields still can.
  const { offered, shown } = chooseView(views ?? [], entity.type, search.view);
  // A claim's sources are in its panel already.
  const isShown = ({ key, types }: ReferringField) =>
    words?.claimType === entity.type &&
    words.settings.relation_field === key &&
    types.every(({ slug }) => slug === words.settings.source_type);
  return (
    <>
      {offered.length > 0 && <ViewSwitcher entityId={entity.id} offered={offered} shown={shown} />}
      <Stack gap="xl">
        {words?.claimType === entity.type && <ClaimPanel entity={entity} words={words} />}
        {shown ? (
          <ViewBlocks key={shown.id} entity={entity} entityType={entityType} blocks={shown.blocks} />
        ) : (
          <AllFields entity={entity} entityType={entityType} />
        )}
        <RankedConnections entity={entity} entityType={entityType} />
        {words?.settings.source_type === entity.type && <SupportedClaims entity={entity} words={words} />}
        <OutcomesPanel entity={entity} />
        <ReferencedBy entity={entity} isShown={isShown} />
      </Stack>
    </>
  );
}

function AllFields({ entity, entityType }: RecordBodyProps) {
  return (
    <>
      <FieldList entity={entity} entityType={entityType} />
      {listRelationFields(entityType).length > 0 && (
        <section>
          <Title order={2} mb="sm">
            Relations
          </Title>
          <RelationList entity={entity} entityType={entityType} />
        </section>
      )}
    </>
  );
}
