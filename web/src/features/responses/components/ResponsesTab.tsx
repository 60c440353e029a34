import { Button, Group, NativeSelect, Stack, Text, VisuallyHidden } from "@mantine/core";
import { KeyboardIcon } from "@radix-ui/react-icons";
import { useMemo } from "react";
import type { Entity, EntityResponse, EntityType } from "@/api/types";
import { useCriteriaSets } from "@/features/criteria/hooks/useCriteriaSets";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import { listFields } from "@/features/entities/lib/fields";
import { RESPONSE_STATUSES } from "@/features/entities/lib/search";
import { PagedRows } from "@/ui/PagedRows";
import { EmptyState, LoadingRows } from "@/ui/states";
import { useResponse, useResponses } from "../hooks/useResponses";
import { useReview } from "../hooks/useReview";
import { groupResponses, summarize, withMatrices } from "../lib/groups";
import { RESPONSE_STATUS } from "../lib/status";
import { NewResponse } from "./NewResponse";
import { PromotionDialog } from "./PromotionDialog";
import { RejectDialog } from "./RejectDialog";
import { ResponseGroup } from "./ResponseGroup";
import { ReviewKeysHelp } from "./ReviewKeysHelp";

interface ResponsesTabProps {
  entity: Entity;
  entityType: EntityType;
  /** Only the responses to this criteria set; all when absent. */
  criteriaSetSlug?: string | null;
}

/** What people and agents say about a record, by criteria set, and the review of it. */
export function ResponsesTab({ entity, entityType, criteriaSetSlug }: ResponsesTabProps) {
  const { query: setsQuery, rows: sets } = useCriteriaSets(entity.type);
  const only = criteriaSetSlug ? sets?.find((set) => set.slug === criteriaSetSlug) : undefined;
  if (setsQuery.isPending) return <LoadingRows label="responses" />;
  if (criteriaSetSlug && !only) {
    return (
      <Text size="sm" c="dimmed">
        There is no criteria set {criteriaSetSlug} for records of this type.
      </Text>
    );
  }
  return <Responses entity={entity} entityType={entityType} only={only} sets={sets ?? []} />;
}

type CriteriaSets = NonNullable<ReturnType<typeof useCriteriaSets>["rows"]>;

interface ResponsesProps {
  entity: Entity;
  entityType: EntityType;
  only: CriteriaSets[number] | undefined;
  sets: CriteriaSets;
}

function Responses({ entity, entityType, only, sets }: ResponsesProps) {
  const { search, change } = useRecordSearch();
  const wanted = only ? { criteriaSetId: only.id } : {};
  const all = useResponses(entity.id, wanted);
  const list = useResponses(entity.id, { ...wanted, ...(search.status ? { status: search.status } : {}) });
  const linked = useLinked(entity.id, search.response, list.rows, only?.id);
  const listed = groupResponses(linked ? [linked, ...(list.rows ?? [])] : (list.rows ?? []), sets);
  const groups = withMatrices(listed, only ? [only] : sets);
  const review = useReview(entity.id, groups.flatMap(({ rows }) => rows), search.response);
  const labels = useMemo(() => new Map(listFields(entityType).map(({ key, label }) => [key, label])), [entityType]);
  const answerable = only ? [only] : sets;
  const body = (
    <Stack gap="xl">
      {groups.map((group) => (
        <ResponseGroup
          key={group.criteriaSetId}
          entity={entity}
          group={group}
          summary={summarize(all.rows ?? group.rows, group.criteriaSetId)}
          more={all.query.hasNextPage}
          review={review}
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
          <Button variant="subtle" color="gray" leftSection={<KeyboardIcon />} onClick={() => review.setHelping(true)}>
            Keys
          </Button>
        </Group>
        <NewResponse entityId={entity.id} sets={answerable} />
      </Group>
      <VisuallyHidden role="status">{review.said}</VisuallyHidden>
      <div ref={review.list} onKeyDown={review.onKeyDown}>
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
      <ReviewKeysHelp opened={review.helping} onClose={() => review.setHelping(false)} />
    </Stack>
  );
}

/** The response that a link names, when it is older than what is loaded, or filtered out. */
function useLinked(
  entityId: string,
  id: string | undefined,
  rows: readonly EntityResponse[] | undefined,
  onlySet: string | undefined,
): EntityResponse | undefined {
  const absent = id !== undefined && rows !== undefined && !rows.some((response) => response.id === id);
  const { data } = useResponse(entityId, absent ? id : undefined);
  if (!absent || !data || data.withdrawn_at !== null) return undefined;
  return onlySet === undefined || data.criteria_set_id === onlySet ? data : undefined;
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
