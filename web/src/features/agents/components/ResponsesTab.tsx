import { Anchor, Paper, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Agent, ListedResponse } from "@/api/types";
import { partyName } from "@/features/entities/lib/provenance";
import { RESPONSE_STATUS } from "@/features/promotion/lib/status";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState, ErrorState } from "@/ui/states";
import { type Became, useNewestResponses, useResponseCount } from "../hooks/useAgentActivity";
import { AgentSection } from "./AgentSection";
import classes from "./agents.module.css";

const KINDS: readonly { became: Became; label: string }[] = [
  { became: "waiting", label: "Open" },
  { became: "promoted", label: RESPONSE_STATUS.promoted.label },
  { became: "partially_promoted", label: RESPONSE_STATUS.partially_promoted.label },
  { became: "rejected", label: RESPONSE_STATUS.rejected.label },
  { became: "superseded", label: RESPONSE_STATUS.superseded.label },
];

const SAYS: Record<Became, string> = {
  waiting: "to be reviewed",
  promoted: "all values accepted",
  partially_promoted: "some values accepted",
  rejected: "by a reviewer",
  superseded: "accepted, replaced since",
};

/** What became of what the agent proposed. */
export function ResponsesTab({ agent }: { agent: Agent }) {
  return (
    <>
      <ul className={classes.tiles} aria-label="What became of its responses">
        {KINDS.map(({ became, label }) => (
          <CountTile key={became} agentId={agent.id} became={became} label={label} />
        ))}
      </ul>
      <Stack gap="md">
        {KINDS.map(({ became, label }) => (
          <NewestOfKind key={became} agentId={agent.id} became={became} label={label} />
        ))}
        <NothingProposed agentId={agent.id} />
      </Stack>
    </>
  );
}

interface OfKind {
  agentId: string;
  became: Became;
  label: string;
}

function CountTile({ agentId, became, label }: OfKind) {
  const { data } = useResponseCount(agentId, became);
  return (
    <Paper component="li" withBorder radius="lg" p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz={24} fw={620} lh={1.3}>
        {data ? `${data.count.toLocaleString("en")}${data.more ? "+" : ""}` : "…"}
      </Text>
      <Text size="xs" c="dimmed">
        {SAYS[became]}
      </Text>
    </Paper>
  );
}

function NewestOfKind({ agentId, became, label }: OfKind) {
  const { data, error, refetch } = useNewestResponses(agentId, became);
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || data.data.length === 0) return null;
  return (
    <AgentSection title={`${label}, the newest`}>
      <ul className={classes.rows}>
        {data.data.map((response) => (
          <ResponseLine key={response.id} response={response} isOpen={became === "waiting"} />
        ))}
      </ul>
      {became === "waiting" && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/tasks/review" search={{ by: agentId }} {...props} />}>
          Review all that are open
        </Anchor>
      )}
    </AgentSection>
  );
}

function ResponseLine({ response, isOpen }: { response: ListedResponse; isOpen: boolean }) {
  const { entity, criteria_set_name, reviewer, review_notes, created_at } = response;
  return (
    <li className={classes.row}>
      <div style={{ minWidth: 0, flex: "1 1 260px" }}>
        <Anchor
          size="sm"
          fw={550}
          c="inherit"
          renderRoot={(props) =>
            isOpen ? (
              <Link to="/tasks/review" search={{ by: response.submitted_by.id ?? "agent", response: response.id }} {...props} />
            ) : (
              <Link to="/records/$id" params={{ id: entity.id }} search={{ tab: "responses" }} {...props} />
            )
          }
        >
          {entity.title}
        </Anchor>
        <Text size="xs" c="dimmed">
          {criteria_set_name}
          {reviewer && `, reviewed by ${partyName(reviewer)}`}
        </Text>
        {review_notes && (
          <Text size="sm" className={classes.note} lineClamp={3}>
            {review_notes}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" component="div">
        <RelativeTime value={created_at} />
      </Text>
    </li>
  );
}

function NothingProposed({ agentId }: { agentId: string }) {
  const lists = [
    useNewestResponses(agentId, "waiting"),
    useNewestResponses(agentId, "promoted"),
    useNewestResponses(agentId, "partially_promoted"),
    useNewestResponses(agentId, "rejected"),
    useNewestResponses(agentId, "superseded"),
  ];
  if (!lists.every(({ data }) => data?.data.length === 0)) return null;
  return (
    <EmptyState title="Nothing was proposed yet">
      What the agent submits about records is counted here by what became of it.
    </EmptyState>
  );
}
