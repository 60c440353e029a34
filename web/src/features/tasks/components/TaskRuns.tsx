import { Text } from "@mantine/core";
import type { AgentSession, Task } from "@/api/types";
import { SessionLink } from "@/features/agents/components/SessionLink";
import { SessionStatus } from "@/features/agents/components/SessionsTab";
import { durationText } from "@/features/agents/lib/sessions";
import { partyName } from "@/features/entities/lib/provenance";
import { outcomeText } from "@/features/population/lib/population";
import { Loaded } from "@/ui/Loaded";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useRunsOf } from "../hooks/useTasks";

const COLUMNS: Column<AgentSession>[] = [
  {
    key: "created_at",
    header: "Began",
    cell: ({ id, created_at }) => (
      <SessionLink id={id}>
        <RelativeTime value={created_at} />
      </SessionLink>
    ),
  },
  { key: "status", header: "Status", cell: ({ status }) => <SessionStatus status={status} /> },
  { key: "became", header: "What became of it", cell: (session) => <Became session={session} /> },
  { key: "took", header: "Took", cell: ({ started_at, ended_at }) => durationText(started_at, ended_at) ?? "–" },
  { key: "by", header: "Started by", cell: ({ created_by }) => (created_by.kind === "system" ? "The schedule" : partyName(created_by)) },
];

function Became({ session: { error, progress, purpose, output, status } }: { session: AgentSession }) {
  const text =
    error?.message ??
    (purpose === "populate_many" && status === "completed"
      ? outcomeText(output)
      : progress
        ? `${progress.done} of ${progress.total} records`
        : typeof output === "string"
          ? output
          : "–");
  return (
    <Text size="sm" lineClamp={2} maw={420} style={{ overflowWrap: "anywhere" }}>
      {text}
    </Text>
  );
}

/** The newest sessions of a task. */
export function TaskRuns({ task }: { task: Task }) {
  return (
    <Loaded query={useRunsOf(task.id)} what="runs">
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title="It has not run yet">Each run is a session, and is listed here.</EmptyState>
        ) : (
          <DataTable label="Last runs" columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
        )
      }
    </Loaded>
  );
}
