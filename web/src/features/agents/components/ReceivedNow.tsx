import { Anchor, Badge, Group, Loader, Stack, Text, ThemeIcon } from "@mantine/core";
import { CheckIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useKey } from "@/features/tenants/hooks/useKeys";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Received, useReceived } from "../hooks/useReceived";
import { type Arrival, leftOutLabel } from "../lib/received";
import type { Receives } from "../lib/snippets";
import { AgentSection } from "./AgentSection";
import { SessionLink } from "./SessionLink";
import { SessionStatus } from "./SessionsTab";

interface ReceivedNowProps {
  receives: Receives;
  /** The key that was saved here. */
  keyId: string | null;
}

/** What comes in while one looks. */
export function ReceivedNow({ receives, keyId }: ReceivedNowProps) {
  const received = useReceived();
  const usedAt = useKey(keyId).data?.last_used_at ?? null;
  return (
    <AgentSection title="Received">
      <div role="status">
        {receives === "calls" ? (
          <Calls hasKey={keyId !== null} usedAt={usedAt} />
        ) : (
          <Arrived receives={receives} received={received} isKeyUsed={usedAt !== null} />
        )}
      </div>
    </AgentSection>
  );
}

function Calls({ hasKey, usedAt }: { hasKey: boolean; usedAt: string | null }) {
  if (usedAt) {
    return (
      <Came title="First call received">
        <Text size="sm" c="dimmed">
          The new key was used <RelativeTime value={usedAt} />. What the agent proposes waits for review under Tasks.
        </Text>
      </Came>
    );
  }
  if (hasKey) return <Waiting>Waiting for the first call…</Waiting>;
  return (
    <Text size="sm" c="dimmed">
      Once there is a new key on this page, its first call is shown here.
    </Text>
  );
}

interface ArrivedProps {
  receives: "spans" | "sessions";
  received: Received | undefined;
  isKeyUsed: boolean;
}

function Arrived({ receives, received, isKeyUsed }: ArrivedProps) {
  const isOfSpans = receives === "spans";
  const sessions = (received?.sessions ?? []).filter(({ source }) => source === (isOfSpans ? "otlp" : "client"));
  const spans = isOfSpans ? (received?.spans ?? []) : [];
  // A session of spans also changes by itself, as when it ends: only spans say that spans came.
  if ((isOfSpans ? spans : sessions).length === 0) {
    return (
      <Waiting>
        {isOfSpans ? "Waiting for the first span…" : "Waiting for the first session…"}
        <Text size="xs" c="dimmed" mt={4}>
          {isKeyUsed
            ? "Somebody signed in with the new key; nothing else came yet."
            : isOfSpans
              ? "Exporters send in batches, so that some seconds may pass."
              : "It appears here as soon as it is begun."}
        </Text>
      </Waiting>
    );
  }
  return (
    <Came title={isOfSpans ? "First span received" : "First session received"}>
      {spans.map((arrival) => (
        <Source key={JSON.stringify([arrival.source.service, arrival.source.scope, arrival.source.sdk])} arrival={arrival} />
      ))}
      {sessions.map(({ id, first_message, agent, status }) => (
        <Group key={id} gap={8} wrap="nowrap" align="flex-start">
          <SessionStatus status={status} />
          <SessionLink id={id}>{first_message || agent || "A session"}</SessionLink>
        </Group>
      ))}
    </Came>
  );
}

function Source({ arrival: { source, spans } }: { arrival: Arrival }) {
  return (
    <div>
      <Text size="sm">
        <Text span fw={550}>
          {source.service || "A program without a name"}
        </Text>
        {`: ${spans.toLocaleString("en")} ${spans === 1 ? "span" : "spans"} of ${source.emitter}`}
      </Text>
      {source.missing.length > 0 && (
        <Group gap={6} mt={4}>
          {source.missing.map(({ what }) => (
            <Badge key={what} color="orange">
              {`Without: ${leftOutLabel(what)}`}
            </Badge>
          ))}
          <Anchor size="xs" renderRoot={(props) => <Link to="/settings/agents/sources" {...props} />}>
            How to turn it on
          </Anchor>
        </Group>
      )}
    </div>
  );
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Loader size="xs" mt={3} aria-hidden />
      <Text component="div" size="sm">
        {children}
      </Text>
    </Group>
  );
}

function Came({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm">
      <Group gap={8}>
        <ThemeIcon color="green" size="sm" radius="xl" aria-hidden>
          <CheckIcon />
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
      </Group>
      {children}
    </Stack>
  );
}
