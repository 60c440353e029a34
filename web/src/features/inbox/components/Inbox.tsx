import { Anchor, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { CheckCircledIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { InboxCount } from "@/api/types";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import { useInbox } from "../hooks/useInbox";
import { countText } from "../lib/counts";
import { NEWEST } from "./Newest";
import { PathLink } from "./PathLink";
import classes from "./inbox.module.css";

/** What waits for this person, by kind. */
export function Inbox() {
  const inbox = useInbox();
  if (inbox.isPending) return <LoadingRows label="tasks" />;
  if (!inbox.data) return <ErrorState error={inbox.error} onRetry={() => void inbox.refetch()} />;
  const kinds = inbox.data.data;
  const waiting = kinds.filter(({ count }) => count > 0);
  if (waiting.length === 0) return <NothingWaits kinds={kinds} />;
  const others = kinds.filter(({ count }) => count === 0);
  return (
    <Stack gap="md">
      {waiting.map((kind) => (
        <Kind key={kind.kind} kind={kind} />
      ))}
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          Nothing else waits: no {others.map(({ label }) => label.toLowerCase()).join(", no ")}.
        </Text>
      )}
    </Stack>
  );
}

function Kind({ kind: { kind, label, count, more, mine, path } }: { kind: InboxCount }) {
  const Newest = NEWEST[kind];
  return (
    <Paper component="section" withBorder radius="lg" aria-label={label} className={classes.kind}>
      <Group justify="space-between" gap="sm" className={classes.kindHead}>
        <Group gap="xs">
          <Title order={2} size="h3">
            {label}
          </Title>
          <Badge color="blue">{countText(count, more)}</Badge>
          {mine !== null && mine > 0 && (
            <Text size="sm" c="dimmed">
              {countText(mine, false)} assigned to you
            </Text>
          )}
        </Group>
        <PathLink path={path}>
          {count === 1 ? "Go to it" : `Work through ${more ? "them" : `all ${countText(count, more)}`}`}
        </PathLink>
      </Group>
      {Newest && <Newest />}
    </Paper>
  );
}

function NothingWaits({ kinds }: { kinds: readonly InboxCount[] }) {
  const icon = <CheckCircledIcon width={20} height={20} />;
  if (kinds.length === 0) {
    return (
      <EmptyState icon={icon} title="Nothing waits for your role">
        Reviewers decide about responses and unclear reactions, admins look after failed jobs. What you submit is listed
        on its record.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={icon} title="Nothing is waiting for you">
      {kinds.map(({ label }) => label).join(", ")}: what waits of these is collected here as soon as it comes.{" "}
      <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/records" {...props} />}>
        Look at the records
      </Anchor>
    </EmptyState>
  );
}
