import { Alert, Anchor, Badge, Group, Paper, Text, Title } from "@mantine/core";
import { CubeIcon, InfoCircledIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { EntityResponse, ListedResponse } from "@/api/types";
import { useProvenance } from "@/features/entities/hooks/useProvenance";
import { partyName } from "@/features/entities/lib/provenance";
import { shortValue } from "@/features/entities/lib/values";
import { useEntityType } from "@/features/entity_types/hooks/useEntityTypes";
import { shownDimensions } from "@/features/promotion/lib/groups";
import { SOURCE_LABEL } from "@/features/promotion/lib/status";
import { useResponses } from "@/features/responses/hooks/useResponses";
import { RelativeTime } from "@/ui/RelativeTime";
import type { ReviewQueueState } from "../hooks/useReviewQueue";
import { ProposalValue } from "./ProposalValue";
import { QueueActs } from "./QueueActs";
import classes from "./queue.module.css";

interface ProposalProps {
  queue: ReviewQueueState;
  row: ListedResponse;
  response: EntityResponse;
}

/** The proposal at hand: who says what about which record, and what may be done with it. */
export function Proposal({ queue, row, response }: ProposalProps) {
  const { entity, waiting, ticked, keys, outcome } = queue;
  const sources = useProvenance(row.entity_id).data;
  const responses = useResponses(row.entity_id).rows ?? [];
  const dimensions = shownDimensions(response);
  const proposed = dimensions.filter(({ key }) => waiting.includes(key));
  const also = dimensions.filter(({ key }) => !waiting.includes(key));
  return (
    <Paper
      component="article"
      withBorder
      radius="lg"
      className={classes.card}
      aria-label={`Proposal for ${row.entity.title}`}
      {...(waiting.length === 0
        ? { "data-stop": row.id, tabIndex: -1, onFocus: () => keys.onFocus({ id: row.id, key: null }) }
        : {})}
    >
      <Head row={row} response={response} />
      {outcome && (
        <Alert color="gray" role="note" mt="sm" icon={<InfoCircledIcon />}>
          {queue.isOwn ? outcome : `Decided meanwhile. ${outcome}`}
        </Alert>
      )}
      {response.notes && (
        <Text size="sm" className={classes.notes}>
          {response.notes}
        </Text>
      )}
      {proposed.length > 0 && (
        <Text size="xs" c="dimmed" component="div" className={classes.columns} aria-hidden>
          <span />
          <span>Proposed</span>
          <span>In the record</span>
        </Text>
      )}
      <ul className={classes.values} aria-label="Proposed values">
        {proposed.map((dimension) => (
          <ProposalValue
            key={dimension.key}
            entity={entity}
            response={response}
            dimension={dimension}
            source={sources?.get(dimension.fieldName ?? dimension.key)}
            responses={responses}
            isTicked={ticked.includes(dimension.key)}
            isActive={keys.at?.id === row.id && keys.at.key === dimension.key}
            onFocus={() => keys.onFocus({ id: row.id, key: dimension.key })}
            onToggle={() => queue.toggle(dimension.key)}
          />
        ))}
      </ul>
      {also.length > 0 && (
        <Text size="sm" c="dimmed" component="div" className={classes.also}>
          {also.map(({ key, label }) => (
            <span key={key}>
              {label}: {shortValue(response.values[key])}
              {response.promoted_fields.includes(key) && " (promoted)"}
            </span>
          ))}
        </Text>
      )}
      <QueueActs queue={queue} response={response} />
    </Paper>
  );
}

function Head({ row, response }: { row: ListedResponse; response: EntityResponse }) {
  const type = useEntityType(row.entity.type).data;
  return (
    <div className={classes.head}>
      <div className={classes.title}>
        <Title order={2}>
          <Anchor
            inherit
            c="inherit"
            renderRoot={(props) => <Link to="/records/$id" params={{ id: row.entity_id }} {...props} />}
          >
            {row.entity.title}
          </Anchor>
        </Title>
        <Group gap={6} mt={4}>
          <Badge color="gray">{type?.name ?? row.entity.type}</Badge>
          {response.submitted_by.kind === "agent" && (
            <Badge color="blue" leftSection={<CubeIcon width={10} height={10} />}>
              Agent
            </Badge>
          )}
          <Text size="sm" c="dimmed">
            {partyName(response.submitted_by)}, <RelativeTime value={response.created_at} /> · {row.criteria_set_name} ·{" "}
            {SOURCE_LABEL[response.source]}
          </Text>
        </Group>
      </div>
      {response.assigned_to && <Badge color="gold">Assigned to {partyName(response.assigned_to)}</Badge>}
    </div>
  );
}
