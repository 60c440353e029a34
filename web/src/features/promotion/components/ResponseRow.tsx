import { Badge, Group, Paper, Text } from "@mantine/core";
import { CubeIcon, PersonIcon } from "@radix-ui/react-icons";
import type { ReactNode } from "react";
import type { Entity, EntityResponse } from "@/api/types";
import { MatrixAnswers } from "@/features/edges/components/MatrixAnswers";
import { ChainLinks } from "@/features/entities/components/ChainLinks";
import { ScoreBadge } from "@/features/entities/components/ScoreBadge";
import { partyName } from "@/features/entities/lib/provenance";
import { responseScore } from "@/features/entities/lib/score";
import { RelativeTime } from "@/ui/RelativeTime";
import type { Reviewing } from "../hooks/useReview";
import { shownDimensions } from "../lib/groups";
import { RESPONSE_STATUS, SOURCE_LABEL } from "../lib/status";
import { DimensionRow } from "./DimensionRow";
import { ResponseActs } from "./ResponseActs";
import classes from "./review.module.css";

/** What other features bring to a response: acts, and what came of it when it was rejected. */
export interface ResponseExtra {
  acts: (response: EntityResponse) => ReactNode;
  outcome: (response: EntityResponse) => ReactNode;
}

interface ResponseRowProps {
  entity: Entity;
  response: EntityResponse;
  review: Reviewing;
  extra?: ResponseExtra | undefined;
}

/** One submission: who, when, what they say, and what may be done with it. */
export function ResponseRow({ entity, response, review, extra }: ResponseRowProps) {
  const { at } = review;
  const here = at?.id === response.id;
  const dimensions = shownDimensions(response);
  const who = partyName(response.submitted_by);
  return (
    <Paper
      component="article"
      withBorder
      radius="lg"
      className={classes.response}
      aria-label={`Response by ${who}`}
      data-here={here || undefined}
      data-withdrawn={response.withdrawn_at ? true : undefined}
      {...(dimensions.length === 0
        ? {
            "data-stop": response.id,
            tabIndex: here ? 0 : -1,
            onFocus: () => review.onFocus({ id: response.id, key: null }),
          }
        : {})}
    >
      <ResponseHead response={response} who={who}>
        <Group gap={6} wrap="nowrap">
          {extra?.acts(response)}
          <ResponseActs response={response} review={review} reachable={here} />
        </Group>
      </ResponseHead>
      {response.notes && (
        <Text size="sm" className={classes.notes}>
          {response.notes}
        </Text>
      )}
      {dimensions.length > 0 && (
        <ul className={classes.dimensions} data-evidence={Object.keys(response.field_meta).length > 0 || undefined}>
          {dimensions.map((dimension) => (
            <DimensionRow
              key={dimension.key}
              entity={entity}
              response={response}
              dimension={dimension}
              canPromote={review.canPromote}
              sources={review.sources}
              active={here && at?.key === dimension.key}
              onFocus={() => review.onFocus({ id: response.id, key: dimension.key })}
              onPromote={() => review.promote(response, [dimension.key])}
            />
          ))}
        </ul>
      )}
      {response.scope?.fieldKey && <MatrixAnswers response={response} fieldKey={response.scope.fieldKey} />}
      <ReviewOutcome response={response} />
      {response.status === "rejected" && extra?.outcome(response)}
      <ChainLinks of={`response:${response.id}`} name={`the response by ${who}`} />
    </Paper>
  );
}

interface ResponseHeadProps {
  response: EntityResponse;
  who: string;
  children: ReactNode;
}

function ResponseHead({ response, who, children }: ResponseHeadProps) {
  const byAgent = response.submitted_by.kind === "agent";
  const status = RESPONSE_STATUS[response.status];
  const Icon = byAgent ? CubeIcon : PersonIcon;
  return (
    <Group justify="space-between" gap="xs" className={classes.head}>
      <Group gap={8} miw={0}>
        <Icon aria-hidden className={classes.icon} />
        <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
          {who}
        </Text>
        {byAgent && <Badge color="blue">Agent</Badge>}
        <Text size="xs" c="dimmed">
          <RelativeTime value={response.created_at} /> · {SOURCE_LABEL[response.source]}
        </Text>
        {response.withdrawn_at ? (
          <Badge color="gray">Withdrawn</Badge>
        ) : (
          <Badge color={status.color}>{status.label}</Badge>
        )}
        {response.temporal_value && (
          <Badge color="gray" variant="outline">
            {response.temporal_value}
          </Badge>
        )}
        <ScoreBadge score={responseScore(response.normalized_score)} label="Score of this response" />
      </Group>
      {children}
    </Group>
  );
}

function ReviewOutcome({ response }: { response: EntityResponse }) {
  if (response.withdrawn_at) {
    return (
      <Text size="xs" c="dimmed" mt="xs">
        Withdrawn <RelativeTime value={response.withdrawn_at} />. It is kept for the history and counts in no list,
        score or average.
      </Text>
    );
  }
  if (response.status !== "rejected") return null;
  return (
    <div className={classes.outcome}>
      <Text size="xs" c="dimmed">
        Rejected by {partyName(response.reviewer)}, <RelativeTime value={response.reviewed_at} />
      </Text>
      {response.review_notes && (
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {response.review_notes}
        </Text>
      )}
    </div>
  );
}
