import { Anchor, Button, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useSessions } from "../hooks/useSessions";
import { Cost, Duration, Tokens } from "./Figures";
import { titleOf } from "./SessionHeader";
import { SessionStatusBadge } from "./SessionStatusBadge";
import classes from "./sessions.module.css";

/** Sessions that this one began; nothing where it began none. */
export function ChildSessions({ parentId }: { parentId: string }) {
  const { rows = [], query } = useSessions({ parent_session_id: parentId });
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id} className={classes.children}>
      <Title order={2} size="h3" id={id} mb={8}>
        Sessions that it began
      </Title>
      <ul className={classes.childRows}>
        {rows.map((child) => (
          <li key={child.id} className={classes.child}>
            <Anchor
              size="sm"
              fw={550}
              c="inherit"
              className={classes.childTitle}
              renderRoot={(props) => <Link to="/sessions/$id" params={{ id: child.id }} {...props} />}
            >
              {titleOf(child)}
            </Anchor>
            <SessionStatusBadge status={child.status} />
            <Text size="xs" c="dimmed" component="span" className={classes.childFigures}>
              <Duration session={child} />
              {child.requests > 0 && <Tokens input={child.input_tokens} output={child.output_tokens} />}
              {child.cost !== null && <Cost dollars={child.cost} />}
            </Text>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button mt="xs" size="xs" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  );
}
