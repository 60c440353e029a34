import { Anchor, Code, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { AuditDetail } from "@/api/types";
import { Drawer } from "@/ui/Modal";
import { RelativeTime } from "@/ui/RelativeTime";
import { ErrorState, LoadingRows } from "@/ui/states";
import { useAuditEntry } from "../hooks/useAudit";
import type { AuditSearch } from "../lib/search";
import { inWords, valueInWords, wayOf, whoOf } from "../lib/words";
import classes from "./audit.module.css";

interface AuditDrawerProps {
  id: string | undefined;
  onClose: () => void;
  /** Shows what else there is of somebody, a key or a thing. */
  onNarrow: (search: AuditSearch) => void;
}

export function AuditDrawer({ id, onClose, onNarrow }: AuditDrawerProps) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="What happened">
      {id && <Entry id={id} onNarrow={onNarrow} />}
    </Drawer>
  );
}

function Entry({ id, onNarrow }: { id: string; onNarrow: (search: AuditSearch) => void }) {
  const { data: entry, error, isPending, refetch } = useAuditEntry(id);
  if (isPending) return <LoadingRows label="entry" />;
  if (!entry) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const { actor, key } = entry;
  return (
    <Stack gap="lg">
      <Title order={3}>{inWords(entry.name)}</Title>
      <dl className={classes.facts}>
        <Fact name="When">
          <RelativeTime value={entry.created_at} />
        </Fact>
        <Fact name="Who">
          {actor.id ? <Narrow onClick={() => onNarrow({ kind: actor.kind, actor: actor.id ?? undefined })}>{whoOf(entry)}</Narrow> : whoOf(entry)}
        </Fact>
        <Fact name="With what">{key ? <Narrow onClick={() => onNarrow({ key: key.id })}>{wayOf(entry)}</Narrow> : wayOf(entry)}</Fact>
        <Fact name="About">
          <Narrow onClick={() => onNarrow({ subject: entry.subject_id })}>{entry.subject_id}</Narrow>
        </Fact>
        {entry.request_id && (
          <Fact name="Request">
            <Code>{entry.request_id}</Code>
          </Fact>
        )}
        <Fact name="Event">
          <Code>{entry.name}</Code>
        </Fact>
        <Fact name="Id">
          <Code>{entry.id}</Code>
        </Fact>
      </dl>
      <Changes changes={entry.changes ?? null} />
      <Stack gap="xs">
        <Title order={3}>What the event tells</Title>
        <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {JSON.stringify(entry.payload, null, 2)}
        </Code>
      </Stack>
    </Stack>
  );
}

function Narrow({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Anchor component="button" type="button" size="sm" ta="left" style={{ overflowWrap: "anywhere" }} onClick={onClick}>
      {children}
    </Anchor>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: "anywhere" }}>
        {children}
      </Text>
    </>
  );
}

function Changes({ changes }: { changes: AuditDetail["changes"] | null }) {
  if (!changes) return null;
  return (
    <Stack gap="sm">
      <Title order={3}>Before and after</Title>
      {changes.map((change) => (
        <Stack key={change.what} gap={4}>
          <Text size="sm" fw={550}>
            {change.what}
          </Text>
          <div className={classes.change}>
            <Value label="Before">{valueInWords(change.before, change.present_before)}</Value>
            <Value label="After">{valueInWords(change.after, change.present)}</Value>
          </div>
        </Stack>
      ))}
    </Stack>
  );
}

function Value({ label, children }: { label: string; children: string }) {
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {children}
      </Code>
    </Stack>
  );
}
