import { Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { OtlpSource } from "@/api/types";
import { CopyBox } from "@/ui/CopyBox";
import { Markdown } from "@/ui/Markdown";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { useOtlpSources } from "../hooks/useReceived";
import { leftOutLabel, settingsIn, shareText } from "../lib/received";

/** Who sends spans, and for what is missing, which setting turns it on. */
export function SourcesList({ empty }: { empty: ReactNode }) {
  return (
    <PagedRows list={useOtlpSources()} what="sources" empty={empty}>
      {(rows) => (
        <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label="Sources">
          {rows.map((source) => (
            <li key={JSON.stringify([source.service, source.scope, source.sdk])}>
              <SourceCard source={source} />
            </li>
          ))}
        </Stack>
      )}
    </PagedRows>
  );
}

function SourceCard({ source }: { source: OtlpSource }) {
  const { service, scope, sdk, emitter, spans, requests, missing } = source;
  return (
    <Paper withBorder radius="lg" p="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={3} style={{ overflowWrap: "anywhere" }}>
            {service || "A program without a name"}
          </Title>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {[emitter, scope, sdk].filter((part, place, all) => part && all.indexOf(part) === place).join(" · ")}
          </Text>
        </div>
        {missing.length === 0 && <Badge color="green">Nothing is missing</Badge>}
      </Group>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 5 }} spacing="md" my="md">
        <Figure label="Spans">{spans.toLocaleString("en")}</Figure>
        <Figure label="With what was said">{requests === 0 ? "No requests" : `${shareText(source.with_content, requests)} requests`}</Figure>
        <Figure label="With a session">{shareText(source.with_session, spans)}</Figure>
        <Figure label="With a user">{shareText(source.with_user, spans)}</Figure>
        <Figure label="Last seen">
          <RelativeTime value={source.last_at} />
        </Figure>
      </SimpleGrid>
      <Stack gap="md">
        {missing.map(({ what, how }) => (
          <Missing key={what} what={what} how={how} />
        ))}
      </Stack>
    </Paper>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </div>
  );
}

function Missing({ what, how }: { what: string; how: string }) {
  const settings = settingsIn(how);
  return (
    <Stack gap={6}>
      <Group gap={8}>
        <Badge color="orange">{`Missing: ${leftOutLabel(what)}`}</Badge>
      </Group>
      <Markdown>{how}</Markdown>
      {settings && <CopyBox label={`Setting for ${leftOutLabel(what).toLowerCase()}`} value={settings} />}
    </Stack>
  );
}
