import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Agent, AgentSession } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useLastSessions } from "../hooks/useAgentActivity";
import { SESSIONS_PAGE } from "../lib/addresses";
import { durationText, statusOf, tokensText } from "../lib/sessions";
import { SessionLink } from "./SessionLink";

const COLUMNS: Column<AgentSession>[] = [
  {
    key: "first_message",
    header: "Session",
    cell: ({ id, first_message }) => <SessionLink id={id}>{first_message || "Nothing was said yet"}</SessionLink>,
  },
  {
    key: "status",
    header: "Status",
    cell: ({ status, error }) => (
      <Stack gap={2} align="flex-start">
        <SessionStatus status={status} />
        {error && (
          <Text size="xs" c="dimmed">
            {error.code}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: "agent_version", header: "Version", cell: ({ agent_version }) => agent_version ?? "–" },
  { key: "created_at", header: "Began", cell: ({ created_at }) => <RelativeTime value={created_at} /> },
  {
    key: "duration",
    header: "Took",
    cell: ({ started_at, ended_at }) => <Unbroken>{durationText(started_at, ended_at) ?? "–"}</Unbroken>,
  },
  { key: "tokens", header: "Tokens", cell: ({ input_tokens, output_tokens }) => tokensText(input_tokens, output_tokens) },
];

function Unbroken({ children }: { children: string }) {
  return <span style={{ whiteSpace: "nowrap" }}>{children}</span>;
}

export function SessionStatus({ status }: { status: string }) {
  const { label, color } = statusOf(status);
  return (
    <Badge color={color} style={{ minWidth: "max-content" }}>
      {label}
    </Badge>
  );
}

export function SessionsTab({ agent }: { agent: Agent }) {
  return (
    <Loaded query={useLastSessions(agent.id)} what="sessions">
      {({ data, next_cursor }) =>
        data.length === 0 ? (
          <EmptyState title="No sessions yet">
            A session is what an agent did in one run, here or recorded from elsewhere.
          </EmptyState>
        ) : (
          <Stack gap="sm">
            <DataTable label="Last sessions" columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
            <Group justify="space-between">
              <Text size="xs" c="dimmed">
                {next_cursor ? `The newest ${data.length}.` : "All of them."}
              </Text>
              <Anchor
                size="sm"
                renderRoot={(props) => <Link to={SESSIONS_PAGE} search={{ agent: agent.slug } as never} {...props} />}
              >
                Search and filter its sessions
              </Anchor>
            </Group>
          </Stack>
        )
      }
    </Loaded>
  );
}
