import { Box } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useCriteriaSet } from "@/features/criteria/hooks/useCriteriaSets";
import { useIsResponseBegun } from "@/features/edges/hooks/useIsResponseBegun";
import { RecordGone } from "@/features/entities/components/RecordGone";
import { RecordHeader } from "@/features/entities/components/RecordHeader";
import { RecordTabs } from "@/features/entities/components/RecordTabs";
import { useEntity } from "@/features/entities/hooks/useEntities";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";
import { featuredSetId } from "@/features/entity_types/lib/featured";
import { EraseButton } from "@/features/erasures/components/EraseButton";
import { FeedbackAbout } from "@/features/feedback/components/FeedbackAbout";
import { FlagButton } from "@/features/feedback/components/FlagButton";
import { RerunOf } from "@/features/feedback/components/RerunLine";
import { PopulateRecord, PopulationLine } from "@/features/population/components/PopulateRecord";
import type { ResponseExtra } from "@/features/promotion/components/ResponseRow";
import { ResponsesTab } from "@/features/promotion/components/ResponsesTab";
import { RecordSessions } from "@/features/sessions/components/RecordSessions";
import { DraftBadge } from "@/ui/DraftBadge";
import { LoadingRows } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";
import { RecordBody } from "./RecordBody";

/** What may be said of a response, and what came of it. */
const RESPONSE_EXTRA: ResponseExtra = {
  acts: ({ id, entity_id }) => <FlagButton flagged={{ what: "response", entity_id, response_id: id }} isSmall />,
  outcome: ({ id, entity_id }) => <RerunOf responseId={id} entityId={entity_id} />,
};

const route = getRouteApi("/shell/records/$id");

export function RecordPage() {
  const { id } = route.useParams();
  const { tab = "record", view } = route.useSearch();
  const entity = useEntity(id);
  const entityType = useEntityType(entity.data?.type);
  const featured = useCriteriaSet(entityType.data && featuredSetId(entityType.data));
  const isBegun = useIsResponseBegun(id);
  useTitle(entity.data?.title, "Records");
  if (entity.isPending) return <LoadingRows label="record" rows={6} />;
  if (!entity.data) return <RecordGone error={entity.error} onRetry={() => void entity.refetch()} />;
  if (!entityType.data) {
    if (entityType.isPending) return <LoadingRows label="record" rows={6} />;
    return <RecordGone error={entityType.error} onRetry={() => void entityType.refetch()} />;
  }
  const shown = { entity: entity.data, entityType: entityType.data };
  return (
    <>
      <RecordHeader {...shown} scoredBy={featured.data?.name} acts={<RecordActs {...shown} />} />
      <PopulationLine entityId={id} />
      <RecordTabs
        entityId={id}
        tab={tab}
        waiting={entity.data.waiting}
        view={view}
        marks={{ responses: isBegun && <DraftBadge ml={6} /> }}
      >
        {tab === "record" && (
          <>
            <RecordBody {...shown} />
            <Box mt="xl">
              <FeedbackAbout about={{ entity_id: id }} />
            </Box>
          </>
        )}
        {tab === "responses" && (
          <>
            <ResponsesTab {...shown} wholePage extra={RESPONSE_EXTRA} />
            <Box mt="xl">
              <EraseButton
                what="the responses of this record"
                label="Delete responses for good"
                erasure={{ kind: "responses", entity_id: id }}
              />
            </Box>
          </>
        )}
        {tab === "sessions" && <RecordSessions entityId={id} />}
      </RecordTabs>
    </>
  );
}

function RecordActs(shown: Parameters<typeof PopulateRecord>[0]) {
  return (
    <>
      <FlagButton flagged={{ what: "record", entity_id: shown.entity.id }} />
      <PopulateRecord {...shown} />
      <EraseButton what="this record" label="Delete for good" erasure={{ kind: "record", entity_id: shown.entity.id }} />
    </>
  );
}
