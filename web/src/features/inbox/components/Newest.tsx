import { Anchor, Badge, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { useUnsettled } from "@/features/conversations/hooks/useUnsettled";
import { partyName } from "@/features/entities/lib/provenance";
import { useGroups } from "@/features/feedback/hooks/useGroups";
import { plural, waitingOf } from "@/features/feedback/lib/words";
import { useJobs } from "@/features/jobs/hooks/useJobs";
import { promotableKeys } from "@/features/promotion/lib/status";
import { titleOf } from "@/features/sessions/components/SessionHeader";
import { useSessions } from "@/features/sessions/hooks/useSessions";
import type { SessionsSearch } from "@/features/sessions/lib/search";
import { useTasks } from "@/features/tasks/hooks/useTasks";
import { RelativeTime } from "@/ui/RelativeTime";
import { useNewestWaiting } from "../hooks/useWaiting";
import classes from "./inbox.module.css";

const FEW = 3; // newest of a kind: enough to recognise what it is about

/** The newest few of each kind; one that is not here is shown by its number alone. */
export const NEWEST: Readonly<Record<string, ComponentType | undefined>> = {
  responses: NewestResponses,
  reactions: NewestReactions,
  jobs: NewestJobs,
  tasks: NewestTasks,
  waiting_sessions: () => <NewestSessions search={{ waits_for: "answer" }} />,
  feedback_groups: NewestGroups,
  failed_sessions: () => <NewestSessions search={{ waits_for: "look" }} />,
};

function NewestResponses() {
  const rows = useNewestWaiting({}, FEW).data?.data ?? [];
  return (
    <Rows>
      {rows.map((row) => (
        <Row key={row.id} when={row.created_at}>
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            renderRoot={(props) => <Link to="/tasks/review" search={{ response: row.id }} {...props} />}
          >
            {row.entity.title}
          </Anchor>
          <Text size="sm" c="dimmed">
            {valuesText(promotableKeys(row).length)} by {partyName(row.submitted_by)}, {row.criteria_set_name}
          </Text>
          {row.assigned_to && <Badge color="gray">{partyName(row.assigned_to)}</Badge>}
        </Row>
      ))}
    </Rows>
  );
}

function valuesText(count: number): string {
  return count === 1 ? "1 value" : `${count} values`;
}

function NewestReactions() {
  const rows = (useUnsettled(undefined).rows ?? []).slice(0, FEW);
  return (
    <Rows>
      {rows.map((row) => (
        <Row key={row.id} when={row.ts}>
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            lineClamp={1}
            renderRoot={(props) => <Link to="/admin/agent-review/conversations/unclear" {...props} />}
          >
            {row.message}
          </Anchor>
          <Text size="sm" c="dimmed">
            {row.project}
          </Text>
        </Row>
      ))}
    </Rows>
  );
}

function NewestJobs() {
  const rows = (useJobs({ status: "failed" }).rows ?? []).slice(0, FEW);
  return (
    <Rows>
      {rows.map((row) => (
        <Row key={row.id} when={row.finished_at ?? row.queued_at ?? ""}>
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            renderRoot={(props) => <Link to="/settings/jobs" search={{ status: "failed", job: row.id }} {...props} />}
          >
            {row.title}
          </Anchor>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {row.error?.message}
          </Text>
        </Row>
      ))}
    </Rows>
  );
}

function NewestTasks() {
  const rows = (useTasks().rows ?? []).filter(({ enabled, problem }) => enabled && problem).slice(0, FEW);
  return (
    <Rows>
      {rows.map((row) => (
        <Row key={row.id} when={row.problem?.at ?? ""}>
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            lineClamp={1}
            renderRoot={(props) => <Link to="/tasks/$id" params={{ id: row.id }} {...props} />}
          >
            {row.name}
          </Anchor>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {row.problem?.message}
          </Text>
        </Row>
      ))}
    </Rows>
  );
}

function NewestSessions({ search }: { search: SessionsSearch }) {
  const rows = (useSessions(search).rows ?? []).slice(0, FEW);
  return (
    <Rows>
      {rows.map((row) => (
        <Row key={row.id} when={row.last_at}>
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            lineClamp={1}
            renderRoot={(props) => <Link to="/sessions/$id" params={{ id: row.id }} {...props} />}
          >
            {titleOf(row)}
          </Anchor>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {row.question?.text ?? row.error?.message ?? row.agent}
          </Text>
        </Row>
      ))}
    </Rows>
  );
}

/** In the order in which they are worked through, not by time. */
function NewestGroups() {
  const rows = (useGroups({}).rows ?? []).slice(0, FEW);
  return (
    <Rows>
      {rows.map((row) => (
        <Row key={row.id} when={row.last_at}>
          <Anchor
            size="sm"
            fw={550}
            c="inherit"
            lineClamp={1}
            renderRoot={(props) => <Link to="/admin/agent-review/feedback" search={{ group: row.id }} {...props} />}
          >
            {row.title}
          </Anchor>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {waitingOf(row)} from {plural(row.origins, "origin")}
          </Text>
          {row.returned && <Badge color="orange">Came back</Badge>}
        </Row>
      ))}
    </Rows>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return <ul className={classes.rows}>{children}</ul>;
}

function Row({ when, children }: { when: string; children: ReactNode }) {
  return (
    <li className={classes.row}>
      <div className={classes.what}>{children}</div>
      <Text size="xs" c="dimmed" component="div">
        <RelativeTime value={when} />
      </Text>
    </li>
  );
}
