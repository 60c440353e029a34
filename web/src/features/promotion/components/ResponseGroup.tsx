import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import type { CriteriaSet, Entity } from "@/api/types";
import { useCriteriaSet } from "@/features/criteria/hooks/useCriteriaSets";
import { MatrixAggregationView } from "@/features/edges/components/MatrixAggregationView";
import { isRelationScoped } from "@/features/edges/lib/edgeMatrix";
import { NO_PICTURE } from "@/features/edges/lib/matrixView";
import { ScoreBadge } from "@/features/entities/components/ScoreBadge";
import { useRecordSearch } from "@/features/entities/hooks/useRecordSearch";
import { ScoreProgressionChart } from "@/features/responses/components/ScoreProgressionChart";
import { SetRaters } from "@/features/responses/components/SetRaters";
import { SetSummary } from "@/features/responses/components/SetSummary";
import type { Reviewing } from "../hooks/useReview";
import type { FoldedGroup, GroupSummary, Pictures } from "../lib/groups";
import { type ResponseExtra, ResponseRow } from "./ResponseRow";

interface ResponseGroupProps {
  entity: Entity;
  group: FoldedGroup;
  /** Whether the closed ones are shown, too. */
  isUnfolded: boolean;
  onFold: () => void;
  summary: GroupSummary;
  /** There are older responses that are not loaded. */
  more: boolean;
  review: Reviewing;
  pictures: Pictures;
  /** The page may have further parts that show the ratings of connections. */
  isPart: boolean;
  extra?: ResponseExtra | undefined;
}

/** The responses to one criteria set; an archived set still gives its name. */
export function ResponseGroup(props: ResponseGroupProps) {
  const { entity, group, isUnfolded, onFold, summary, more, review, pictures, isPart, extra } = props;
  const { data: set } = useCriteriaSet(group.criteriaSetId);
  const name = set?.name ?? "Criteria set";
  const total = `${summary.count}${more ? "+" : ""} ${summary.count === 1 && !more ? "response" : "responses"}`;
  return (
    <div role="group" aria-label={name}>
      <Group gap="xs" mb="sm">
        <Title order={3} size="h2">
          {name}
        </Title>
        <Text size="sm" c="dimmed">
          {summary.count === 0 ? "No responses yet" : group.rows.length + group.folded < summary.count ? `${group.rows.length} of ${total}` : total}
        </Text>
        {summary.latestScore !== null && (
          <Group gap={6}>
            <Text size="sm" c="dimmed">
              · latest score
            </Text>
            <ScoreBadge score={summary.latestScore} label="Latest score" />
            <SetRaters entityId={entity.id} criteriaSetId={group.criteriaSetId} />
          </Group>
        )}
        {set?.archived_at && <Badge color="gray">Archived</Badge>}
      </Group>
      <Stack gap="sm">
        {set &&
          isRelationScoped(set) &&
          (pictures.of.length < 2 || pictures.shown === set.id ? (
            <MatrixAggregationView entity={entity} criteriaSet={set} isOneOfSeveral={isPart || pictures.of.length > 1} />
          ) : (
            <OfferedPicture criteriaSet={set} />
          ))}
        {summary.count > 1 && (
          <SetSummary
            entityId={entity.id}
            criteriaSetId={group.criteriaSetId}
            name={name}
            isMatrix={set ? isRelationScoped(set) : group.rows.some(isRelationScoped)}
          />
        )}
        {summary.scored > 1 && <ScoreProgressionChart entityId={entity.id} criteriaSetId={group.criteriaSetId} />}
        {group.rows.map((response) => (
          <ResponseRow
            key={response.id}
            entity={entity}
            response={response}
            review={review}
            extra={extra}
          />
        ))}
        {(group.folded > 0 || isUnfolded) && (
          <Button variant="subtle" color="gray" size="xs" style={{ alignSelf: "flex-start" }} onClick={onFold} aria-expanded={isUnfolded}>
            {isUnfolded ? "Hide closed responses" : `Show ${group.folded} closed ${group.folded === 1 ? "response" : "responses"}`}
          </Button>
        )}
      </Stack>
    </div>
  );
}

/** The address holds one picture: another takes its place. */
function OfferedPicture({ criteriaSet }: { criteriaSet: CriteriaSet }) {
  const { change } = useRecordSearch();
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        aria-label={`Show ratings by connection of ${criteriaSet.name}`}
        onClick={() => change({ ...NO_PICTURE, set: criteriaSet.id })}
      >
        Show ratings by connection
      </Button>
    </div>
  );
}
