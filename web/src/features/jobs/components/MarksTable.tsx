import { Badge, Button, Code, Stack, Text } from "@mantine/core";
import type { Mark } from "@/api/types";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { notifyDone, notifyProblem } from "@/ui/notify";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useMarks, useRetryMark } from "../hooks/useJobs";

const markColumns: Column<Mark>[] = [
  {
    key: "kind",
    header: "What",
    cell: (mark) => (
      <Stack gap={2} align="flex-start">
        <Text size="sm" fw={550}>
          {mark.title}
        </Text>
        <Code>{mark.key}</Code>
      </Stack>
    ),
  },
  {
    key: "state",
    header: "State",
    cell: (mark) => (mark.last_error ? <Badge color="red">Failing</Badge> : <Badge color="blue">Waiting</Badge>),
  },
  {
    key: "error",
    header: "Last error",
    cell: (mark) => (
      <Text size="sm" lineClamp={2}>
        {mark.last_error ? `${mark.last_error} (${mark.attempts} ${mark.attempts === 1 ? "attempt" : "attempts"})` : "–"}
      </Text>
    ),
  },
  { key: "marked_at", header: "Since", cell: (mark) => <RelativeTime value={mark.marked_at} /> },
  { key: "due_at", header: "Next try", cell: (mark) => <RelativeTime value={mark.due_at} none="Soon" /> },
];

/** Derived state that the server still has to rebuild. */
export function MarksTable() {
  const marks = useMarks();
  const canManage = useCan()("jobs.team.manage");
  const retry = useRetryMark();
  const columns: Column<Mark>[] = canManage
    ? [
        ...markColumns,
        {
          key: "actions",
          header: "Actions",
          hideHeader: true,
          cell: (mark) => (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Try now: ${mark.title} ${mark.key}`}
              onClick={() =>
                retry.mutate(
                  { kind: mark.kind, key: mark.key },
                  {
                    onSuccess: () => notifyDone("It is next in line."),
                    onError: (error) => notifyProblem("It was not queued", error),
                  },
                )
              }
            >
              Try now
            </Button>
          ),
        },
      ]
    : markColumns;
  return (
    <PagedRows
      list={marks}
      what="rebuilds"
      empty={
        <Text size="sm" c="dimmed">
          Nothing is waiting: everything derived is up to date.
        </Text>
      }
    >
      {(rows) => (
        <DataTable
          label="Waiting to be rebuilt"
          columns={columns}
          rows={rows}
          rowKey={(mark) => `${mark.kind}/${mark.key}`}
        />
      )}
    </PagedRows>
  );
}
