import { Alert, Group, NativeSelect, Stack, Text, VisuallyHidden } from "@mantine/core";
import { InfoCircledIcon } from "@radix-ui/react-icons";
import { useMemo } from "react";
import type { CriteriaSet, Entity, EntityType } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { useCriteriaSetOfType, useCriteriaSets } from "@/features/criteria/hooks/useCriteriaSets";
import { NewResponse } from "@/features/edges/components/NewResponse";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import { RESPONSE_STATUSES } from "@/features/entities/lib/search";
import { labelFields } from "@/features/entity_types/lib/fields";
import { useResponses } from "@/features/responses/hooks/useResponses";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import { useFold } from "../hooks/useFold";
import { useLinkedResponse } from "../hooks/useLinkedResponse";
import { useReview } from "../hooks/useReview";
import { choosePicture, groupResponses, summarize, withMatrices } from "../lib/groups";
import { RESPONSE_STATUS } from "../lib/status";
import { PromotionDialog } from "./PromotionDialog";
import { RejectDialog } from "./RejectDialog";
import { ResponseGroup } from "./ResponseGroup";
import type { ResponseExtra } from "./ResponseRow";
import { ReviewKeysHelp, ReviewKeysHint } from "./ReviewKeysHelp";

interface ResponsesTabProps {
  entity: Entity;
  entityType: EntityType;
  /** Only the responses to this criteria set; all when absent. */
  criteriaSetSlug?: string | null;
  /** It is what the page is about, so its keys work wherever the focus is. */
  wholePage?: boolean;
  /** What other features bring to a response. */
  extra?: ResponseExtra | undefined;
}

/** What people and agents say about a record, by criteria set, and the review of it. */
export function ResponsesTab({ criteriaSetSlug, ...shown }: ResponsesTabProps) {
  return criteriaSetSlug ? <OfOneSet {...shown} slug={criteriaSetSlug} /> : <OfAllSets {...shown} />;
}

type Shown = Omit<ResponsesTabProps, "criteriaSetSlug">;

function OfOneSet({ slug, ...shown }: Shown & { slug: string }) {
  const { data: set, error, isPending, refetch } = useCriteriaSetOfType(shown.entity.type, slug);
  if (isPending) return <LoadingRows label="responses" />;
  if (set === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (set === null) {
    return (
      <Text size="sm" c="dimmed">
        There is no criteria set {slug} for records of this type.
      </Text>
    );
  }
  return <Responses {...shown} only={set} sets={[set]} />;
}

/** The responses do not wait for the sets, and do not go when those cannot be loaded. */
function OfAllSets(shown: Shown) {
  const { query, rows } = useEveryPage(useCriteriaSets(shown.entity.type));
  if (query.isPending) return <LoadingRows label="responses" />;
  return (
    <Stack gap="lg">
      {!rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <Responses {...shown} only={undefined} sets={rows ?? []} />
    </Stack>
  );
}

interface ResponsesProps extends Shown {
  only: CriteriaSet | undefined;
  sets: readonly CriteriaSet[];
}

function Responses({ entity, entityType, only, sets, wholePage = false, extra }: ResponsesProps) {
  const { search, change } = useRecordSearch();
  const wanted = only ? { criteriaSetId: only.id } : {};
  const all = useResponses(entity.id, wanted);
  const list = useResponses(entity.id, { ...wanted, ...(search.status ? { status: search.status } : {}) });
  const linked = useLinkedResponse(entity.id, search.response, list.rows, only?.id);
  const listed = groupResponses(linked.response ? [linked.response, ...(list.rows ?? [])] : (list.rows ?? []), sets);
  const fold = useFold(withMatrices(listed, sets), { off: search.status !== undefined, linked: search.response });
  const { groups } = fold;
  const pictures = choosePicture(groups, sets, all.rows ?? [], search.set);
  const review = useReview({
    entityId: entity.id,
    responses: groups.flatMap(({ rows }) => rows),
    start: search.response,
    wholePage,
  });
  const labels = useMemo(() => labelFields(entityType), [entityType]);
  const body = (
    <Stack gap="xl">
      {groups.map((group) => (
        <ResponseGroup
          key={group.criteriaSetId}
          entity={entity}
          group={group}
          isUnfolded={fold.unfolded.has(group.criteriaSetId)}
          onFold={() => fold.toggle(group.criteriaSetId)}
          summary={summarize(all.rows ?? group.rows, group.criteriaSetId)}
          more={all.query.hasNextPage}
          review={review}
          pictures={pictures}
          isPart={!wholePage}
          extra={extra}
        />
      ))}
    </Stack>
  );
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <NativeSelect
            aria-label="Status"
            value={search.status ?? ""}
            data={[
              { value: "", label: "All statuses" },
              ...RESPONSE_STATUSES.map((value) => ({ value: value as string, label: RESPONSE_STATUS[value].label })),
            ]}
            onChange={(event) =>
              change({
                status: RESPONSE_STATUSES.find((status) => status === event.currentTarget.value),
                response: undefined,
              })
            }
          />
          {groups.length > 0 && (
            <ReviewKeysHint anywhere={review.worksAnywhere} onClick={review.openHelp} />
          )}
        </Group>
        <NewResponse entityId={entity.id} typeSlug={entity.type} sets={sets} isFixed={only !== undefined} />
      </Group>
      <VisuallyHidden role="status">{review.said}</VisuallyHidden>
      {linked.isGone && (
        <Alert color="gray" role="note" icon={<InfoCircledIcon />}>
          The response that the link leads to is not there.
        </Alert>
      )}
      <div ref={review.list}>
        <PagedRows
          list={list}
          what="responses"
          empty={groups.length > 0 ? body : <NoResponses filtered={search.status !== undefined} />}
        >
          {() => body}
        </PagedRows>
      </div>
      <PromotionDialog
        target={review.promoting}
        labels={labels}
        onClose={review.endPromoting}
        onDone={review.promoted}
      />
      <RejectDialog response={review.rejecting} onClose={review.endRejecting} onRejected={review.rejected} />
      <ReviewKeysHelp {...review.help} />
    </Stack>
  );
}

function NoResponses({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="Nothing has this status">Choose another status above.</EmptyState>;
  return (
    <EmptyState title="No responses yet">
      People submit what they know or think with a form; agents through the API. Each waits here to be reviewed, value by
      value.
    </EmptyState>
  );
}
