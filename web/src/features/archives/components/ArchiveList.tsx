import { Anchor, Badge, Button, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { DownloadIcon, TrashIcon } from "@radix-ui/react-icons";
import type { Archive } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem } from "@/ui/notify";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { useArchiveActions, type useArchives } from "../hooks/useArchives";
import { fileAddress, formatCount, formatSize, isOpen, progressOf } from "../lib/archives";

const LOOK = {
  queued: { label: "Waiting", color: "gray" },
  running: { label: "Writing", color: "blue" },
  done: { label: "Ready", color: "green" },
  failed: { label: "Failed", color: "red" },
  cancelled: { label: "Cancelled", color: "gray" },
} as const;

/** Archives of the workspace, with how far each is. */
export function ArchiveList({ list }: { list: ReturnType<typeof useArchives> }) {
  return (
    <PagedRows
      list={list}
      what="archives"
      empty={
        <EmptyState title="No archives yet">
          An archive holds every record, response, conversation and session of the workspace in one file.
        </EmptyState>
      }
    >
      {(rows) => (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label="Archives">
          {rows.map((archive) => (
            <ArchiveCard key={archive.id} archive={archive} />
          ))}
        </Stack>
      )}
    </PagedRows>
  );
}

function ArchiveCard({ archive }: { archive: Archive }) {
  const { slug } = useTenant();
  const { cancel, remove } = useArchiveActions();
  const look = LOOK[archive.status];
  return (
    <Paper component="li" withBorder radius="lg" p="md">
      <Group justify="space-between" gap="sm" wrap="wrap">
        <Stack gap={2}>
          <Group gap="xs">
            <Badge color={look.color} variant="light">
              {look.label}
            </Badge>
            <Text size="sm" fw={550}>
              <RelativeTime value={archive.contents?.made_at ?? archive.created_at} />
            </Text>
          </Group>
          <Text size="sm" c="dimmed">
            {describe(archive)}
          </Text>
        </Stack>
        <Group gap="xs">
          {archive.status === "done" && (
            <Button
              component="a"
              href={fileAddress(archive.id, slug)}
              download
              size="xs"
              leftSection={<DownloadIcon />}
              aria-label="Download the archive"
            >
              Download
            </Button>
          )}
          {isOpen(archive) ? (
            <Button
              size="xs"
              variant="default"
              loading={cancel.isPending}
              onClick={() => cancel.mutate(archive.id, { onError: (error) => notifyProblem("The archive was not cancelled", error) })}
            >
              Cancel
            </Button>
          ) : (
            <Button
              size="xs"
              variant="default"
              leftSection={<TrashIcon />}
              loading={remove.isPending}
              aria-label="Delete the archive"
              onClick={() => remove.mutate(archive.id, { onError: (error) => notifyProblem("The archive was not deleted", error) })}
            >
              Delete
            </Button>
          )}
        </Group>
      </Group>
      {isOpen(archive) && (
        <Progress.Root mt="sm" size="md">
          <Progress.Section value={progressOf(archive)} aria-label="Rows that are written" />
        </Progress.Root>
      )}
      {archive.contents && <Contents contents={archive.contents} />}
    </Paper>
  );
}

function describe(archive: Archive): string {
  const by = archive.created_by.name ? ` by ${archive.created_by.name}` : "";
  if (archive.status === "failed") return archive.error ?? "It could not be written.";
  if (archive.status === "queued") return `Asked for${by}. A worker begins with it in a moment.`;
  if (archive.status === "running") return `${archive.done.toLocaleString("en")} of ${formatCount(archive.total, "row")}${by}`;
  if (archive.status === "cancelled") return `Asked for${by} and cancelled. Nothing was kept.`;
  return `${formatCount(archive.done, "row")}, ${formatSize(archive.size ?? 0)}${by}`;
}

function Contents({ contents }: { contents: NonNullable<Archive["contents"]> }) {
  return (
    <details>
      <Anchor component="summary" size="sm" mt="xs">
        What is in it
      </Anchor>
      <Text size="sm" mt={6}>
        {contents.tables.map(({ name, rows }) => `${name.replaceAll("_", " ")} ${rows.toLocaleString("en")}`).join(", ")}
        {contents.blobs > 0 && `; ${formatCount(contents.blobs, "blob")}`}
      </Text>
      <Text size="sm" c="dimmed" mt={6}>
        Left out:
      </Text>
      <ul>
        {contents.left_out.map(({ name, reason }) => (
          <Text key={name} component="li" size="sm" c="dimmed">
            {name.replaceAll("_", " ")}: {reason}
          </Text>
        ))}
      </ul>
    </details>
  );
}
