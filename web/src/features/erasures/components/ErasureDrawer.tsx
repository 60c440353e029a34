import { Code, Group, Progress, Stack, Table, Text, Title } from "@mantine/core";
import type { Erasure } from "@/api/types";
import { Drawer } from "@/ui/Modal";
import { Loaded } from "@/ui/Loaded";
import { RelativeTime } from "@/ui/RelativeTime";
import { FormProblem } from "@/ui/states";
import { useErasure } from "../hooks/useErasures";
import { ERASURE_KIND, nameTable } from "../lib/words";
import { ErasureStatusBadge } from "./ErasuresTable";
import { KeptList } from "./KeptList";

interface ErasureDrawerProps {
  id: string | undefined;
  onClose: () => void;
}

/** How far a deletion is, and its report. */
export function ErasureDrawer({ id, onClose }: ErasureDrawerProps) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Deletion">
      {id && <Body id={id} />}
    </Drawer>
  );
}

function Body({ id }: { id: string }) {
  return (
    <Loaded query={useErasure(id)} what="the deletion">
      {(erasure) => <Report erasure={erasure} />}
    </Loaded>
  );
}

function Report({ erasure }: { erasure: Erasure }) {
  const { kind, status, subject, fingerprint, done, total, kept, error, requested_at, requested_by, ended_at } = erasure;
  const isOpen = ended_at === null;
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={3}>{ERASURE_KIND[kind]}</Title>
        <ErasureStatusBadge status={status} />
      </Group>
      <FormProblem>{error}</FormProblem>
      {isOpen && total > 0 && (
        <div>
          <Progress value={(100 * done) / total} aria-label="Deleted so far" />
          <Text size="xs" c="dimmed" mt={4}>
            {`${done.toLocaleString("en")} of ${total.toLocaleString("en")} found so far`}
          </Text>
        </div>
      )}
      <Text size="sm">
        Asked for by {requested_by.name ?? "the system"} <RelativeTime value={requested_at} />
        {ended_at && (
          <>
            , done <RelativeTime value={ended_at} />
          </>
        )}
        .
      </Text>
      {subject && subject.length > 0 && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          It is about <bdi>{subject.join(" / ")}</bdi>. That is forgotten when it is done.
        </Text>
      )}
      <Gone gone={erasure.gone} />
      <KeptList kept={kept} />
      <Text size="xs" c="dimmed">
        Fingerprint of what it was: <Code>{fingerprint}</Code>
      </Text>
    </Stack>
  );
}

function Gone({ gone }: { gone: Record<string, number> }) {
  const rows = Object.entries(gone);
  if (rows.length === 0) return null;
  return (
    <div>
      <Title order={3} mb="xs">
        What went
      </Title>
      <Table aria-label="What went">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Table</Table.Th>
            <Table.Th>Rows</Table.Th>
            <Table.Th>How</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, count]) => {
            const { table, staysWithoutText } = nameTable(name);
            return (
              <Table.Tr key={name}>
                <Table.Td>
                  <Code>{table}</Code>
                </Table.Td>
                <Table.Td>{count.toLocaleString("en")}</Table.Td>
                <Table.Td>{staysWithoutText ? "lost their text" : "deleted"}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}
