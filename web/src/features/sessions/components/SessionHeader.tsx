import { Anchor, Badge, Progress, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { AgentSession } from "@/api/types";
import { ChainLinks } from "@/features/entities/components/ChainLinks";
import { useEntity } from "@/features/entities/hooks/useEntities";
import { partyName } from "@/features/entities/lib/provenance";
import { PageHeader } from "@/ui/PageHeader";
import { RelativeTime } from "@/ui/RelativeTime";
import { excerpt } from "@/features/conversations/lib/excerpts";
import { useAgentSession } from "../hooks/useSessions";
import { plural } from "../lib/figures";
import { SESSION_SOURCE, SESSION_TYPE } from "../lib/status";
import { Cost, Duration, Tokens } from "./Figures";
import { SessionActs } from "./SessionActs";
import { SessionStatusBadge } from "./SessionStatusBadge";
import classes from "./sessions.module.css";

const TITLE_SHOWN = 90; // characters; all of it is said in the first message

export function titleOf({ first_message, agent }: Pick<AgentSession, "first_message" | "agent">): string {
  return excerpt(first_message, TITLE_SHOWN) || (agent ? `A session of ${agent}` : "A session");
}

interface SessionHeaderProps {
  session: AgentSession;
  /** Acts that other features bring. */
  acts?: ReactNode;
}

/** What a session is, how it stands, what it took, and what it belongs to. */
export function SessionHeader({ session, acts }: SessionHeaderProps) {
  return (
    <>
      <PageHeader
        title={titleOf(session)}
        description={
          <span className={classes.badges}>
            <SessionStatusBadge status={session.status} />
            <Badge component="span" color="gray">{SESSION_TYPE[session.type]}</Badge>
            <Badge component="span" color="gray">{SESSION_SOURCE[session.source]}</Badge>
            {"golden" in session.metadata && <Badge component="span" color="gold">Golden</Badge>}
          </span>
        }
        actions={
          <>
            {acts}
            <SessionActs session={session} />
          </>
        }
      />
      <dl className={classes.figures}>
        <Figure name="Duration">
          <Duration session={session} />
        </Figure>
        <Figure name="Tokens">
          <Tokens input={session.input_tokens} output={session.output_tokens} />
        </Figure>
        <Figure name="Cost">
          <Cost dollars={session.cost} />
        </Figure>
        <Figure name="Model requests">{session.requests.toLocaleString("en")}</Figure>
        <Figure name="Tool calls">{session.tool_calls.toLocaleString("en")}</Figure>
        <Figure name="Events">{session.events.toLocaleString("en")}</Figure>
      </dl>
      <Belongings session={session} />
      <ChainLinks of={`session:${session.id}`} name="this session" />
      {session.progress && <Done {...session.progress} />}
    </>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Whose it is, and what it is about, one after the other. */
function Belongings({ session }: { session: AgentSession }) {
  const { agent, agent_id, agent_version, entity_id, task_id, parent_session_id, conversation } = session;
  const parts: ReactNode[] = [
    agent !== null && (
      <>
        Agent {agent_id === null ? <bdi>{agent}</bdi> : <AgentLink id={agent_id}>{agent}</AgentLink>}
        {agent_version !== null && `, version ${agent_version}`}
      </>
    ),
    entity_id !== null && (
      <>
        About <RecordLink id={entity_id} />
      </>
    ),
    conversation !== null && (
      <>
        In the conversation{" "}
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => (
            <Link
              to="/admin/agent-review/conversations/$project/$conversation"
              params={{ project: conversation.project, conversation: conversation.id }}
              {...props}
            />
          )}
        >
          <bdi>{conversation.id}</bdi>
        </Anchor>
      </>
    ),
    task_id !== null && (
      <>
        Run of{" "}
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/tasks" {...props} />}>
          a task
        </Anchor>
      </>
    ),
    parent_session_id !== null && (
      <>
        Part of <SessionLink id={parent_session_id} />
      </>
    ),
    <>
      Began <RelativeTime value={session.created_at} />, by {partyName(session.created_by)}
    </>,
  ].filter(Boolean);
  return (
    <Text size="sm" c="dimmed" component="div" className={classes.belongings}>
      {parts.map((part, place) => (
        <Fragment key={place}>
          {place > 0 && <span aria-hidden> · </span>}
          <span>{part}</span>
        </Fragment>
      ))}
    </Text>
  );
}

function AgentLink({ id, children }: { id: string; children: string }) {
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/settings/agents/$id" params={{ id }} {...props} />}>
      <bdi>{children}</bdi>
    </Anchor>
  );
}

function SessionLink({ id }: { id: string }) {
  const { data } = useAgentSession(id);
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}>
      {data ? titleOf(data) : "another session"}
    </Anchor>
  );
}

interface RecordLinkProps {
  id: string;
  /** The response to lead to. */
  response?: string;
}

/** To a record by its title; to one that is gone, by what it was. */
export function RecordLink({ id, response }: RecordLinkProps) {
  const { data } = useEntity(id);
  return (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => (
        <Link to="/records/$id" params={{ id }} search={response ? { tab: "responses", response } : {}} {...props} />
      )}
    >
      {data?.title ?? "a record"}
    </Anchor>
  );
}

function Done({ done, total }: { done: number; total: number }) {
  return (
    <div className={classes.progress}>
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label="Done" />
      <Text size="sm" c="dimmed">
        {done.toLocaleString("en")} of {plural(total, "record")} done
      </Text>
    </div>
  );
}
