import { Anchor, Badge, Button, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { SessionWithKnowledge } from "@/api/types";
import { RecordLink } from "@/features/sessions/components/SessionHeader";
import { SessionStatusBadge } from "@/features/sessions/components/SessionStatusBadge";
import { RelativeTime } from "@/ui/RelativeTime";
import { ErrorState, LoadingRows } from "@/ui/states";
import { useSessionsWith } from "../hooks/useKnowledge";
import classes from "./knowledge.module.css";

/** Where it was: sessions that had it in their prompts, and the fields that they wrote, which rest on it. */
export function SessionsWith({ id }: { id: string }) {
  const { query, rows } = useSessionsWith(id);
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.part}>
      <Title order={4} size="h3" id={heading}>
        Where it was
      </Title>
      {query.isPending && <LoadingRows label="sessions" rows={2} />}
      {query.isError && !rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          No session has had it in its prompt.
        </Text>
      )}
      {rows && rows.length > 0 && (
        <ul className={classes.sessions}>
          {rows.map((session) => (
            <Ran key={session.id} session={session} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button mt="xs" size="xs" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  );
}

function Ran({ session }: { session: SessionWithKnowledge }) {
  return (
    <li>
      <span className={classes.ran}>
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: session.id }} {...props} />}>
          <bdi>{session.agent ?? "A session"}</bdi>
        </Anchor>
        <SessionStatusBadge status={session.status} />
        {session.cited && (
          <Badge component="span" size="sm" color="green" title="It named this in what it said, which confirms it" miw="max-content">
            Cited
          </Badge>
        )}
        <Text size="xs" c="dimmed" ml="auto">
          <RelativeTime value={session.created_at} />
        </Text>
      </span>
      {session.fields.length > 0 && (
        <ul className={classes.fields} aria-label="Fields that it wrote">
          {session.fields.map(({ entity_id, field, response_id, current }) => (
            <li key={`${entity_id} ${field} ${response_id}`}>
              <Text size="xs" component="span" data-past={!current || undefined}>
                <code>{field}</code> of <RecordLink id={entity_id} response={response_id} />
                {!current && ", replaced since"}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
