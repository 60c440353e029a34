import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { AgentSession } from "@/api/types";
import type { PagedList } from "@/api/usePagedList";
import { excerpt } from "@/features/conversations/lib/excerpts";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useListKeys } from "@/ui/useListKeys";
import { plural } from "../lib/figures";
import type { SessionsSearch } from "../lib/search";
import { SESSION_SOURCE, SESSION_TYPE } from "../lib/status";
import { Cost, Duration, Tokens } from "./Figures";
import { SessionListHelp, SessionListHint } from "./SessionKeys";
import { SessionStatusBadge } from "./SessionStatusBadge";
import classes from "./sessions.module.css";

const MESSAGE_SHOWN = 140; // characters: two lines

interface SessionTableProps {
  label: string;
  list: PagedList<AgentSession>;
  /** How the list is looked at, for the way back. */
  search: SessionsSearch;
  empty: ReactNode;
}

/** Sessions, newest first, to be gone through by keyboard. */
export function SessionTable({ label, list, search, empty }: SessionTableProps) {
  const rows = list.rows;
  const stops = useMemo(() => (rows ?? []).map(({ id }) => ({ id, keys: [] })), [rows]);
  const { query } = list;
  const keys = useListKeys<HTMLDivElement, never>({
    stops,
    acts: {},
    mayWorkAnywhere: true,
    onAct: () => {},
    onMove: ({ id }) => {
      if (query.hasNextPage && !query.isFetching && id === stops.at(-1)?.id) void query.fetchNextPage();
    },
  });
  return (
    <PagedRows list={list} what="sessions" empty={empty}>
      {(sessions) => (
        <>
          <div ref={keys.list}>
            <DataTable
              label={label}
              columns={columns(search, (id) => keys.onFocus({ id, key: null }))}
              rows={sessions}
              rowKey={({ id }) => id}
            />
          </div>
          {sessions.length > 1 && <SessionListHint onClick={keys.openHelp} />}
          <SessionListHelp {...keys.help} />
        </>
      )}
    </PagedRows>
  );
}

const columns = (search: SessionsSearch, onFocus: (id: string) => void): Column<AgentSession>[] => [
  {
    key: "session",
    header: "Session",
    cell: (session) => (
      <>
        <Anchor
          size="sm"
          fw={550}
          c="inherit"
          className={classes.title}
          dir="auto"
          data-stop={session.id}
          onFocus={() => onFocus(session.id)}
          renderRoot={(props) => (
            <Link to="/sessions/$id" params={{ id: session.id }} state={{ sessions: search }} {...props} />
          )}
        >
          {excerpt(session.first_message, MESSAGE_SHOWN) || "Nothing was said yet"}
        </Anchor>
        <Text size="xs" c="dimmed">
          {SESSION_TYPE[session.type]} · {SESSION_SOURCE[session.source].toLowerCase()} · {plural(session.events, "event")}
        </Text>
      </>
    ),
  },
  { key: "status", header: "Status", cell: ({ status }) => <SessionStatusBadge status={status} /> },
  {
    key: "agent",
    header: "Agent",
    cell: ({ agent, agent_version }) => (
      <span className={classes.agentCell}>
        <bdi className={classes.agent} title={agent ?? undefined}>
          {agent ?? "–"}
        </bdi>
        {agent_version !== null && (
          <Text span size="xs" c="dimmed" title={`Version ${agent_version}`}>
            v{agent_version}
          </Text>
        )}
      </span>
    ),
  },
  { key: "duration", header: "Duration", cell: (session) => <Duration session={session} /> },
  {
    key: "tokens",
    header: "Tokens",
    cell: ({ input_tokens, output_tokens }) => <Tokens input={input_tokens} output={output_tokens} />,
  },
  { key: "cost", header: "Cost", cell: ({ cost }) => <Cost dollars={cost} /> },
  { key: "began", header: "Began", cell: ({ created_at }) => <RelativeTime value={created_at} /> },
];
