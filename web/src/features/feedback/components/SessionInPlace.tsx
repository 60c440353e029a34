import { Anchor, Code, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { FeedbackDetail, SessionEvent, SessionStatus } from "@/api/types";
import { excerpt } from "@/features/conversations/lib/excerpts";
import { SessionStatusBadge } from "@/features/sessions/components/SessionStatusBadge";
import { useAgentSession } from "@/features/sessions/hooks/useSessions";
import { adviceFor } from "@/features/sessions/lib/problems";
import { SESSION_STATUSES } from "@/features/sessions/lib/status";
import { useLastEvents } from "../hooks/useFeedback";
import { PlaceHead } from "./PlaceHead";
import classes from "./feedback.module.css";

interface SessionInPlaceProps {
  session: NonNullable<FeedbackDetail["about"]["session"]>;
  /** What it is about, and not only what made what it is about. */
  isMain: boolean;
}

/** The session that is meant, and how it ended. */
export function SessionInPlace({ session, isMain }: SessionInPlaceProps) {
  const events = useAgentSession(isMain ? session.id : null).data?.events;
  const last = useLastEvents(session.id, events).data ?? [];
  const title = excerpt(session.first_message, 90) || "A session";
  return (
    <section className={classes.place} aria-label="The session">
      <PlaceHead title={isMain ? "In the session" : "Made in the session"}>
        <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/sessions/$id" params={{ id: session.id }} {...props} />}>
          {title}
        </Anchor>
        {isKnown(session.status) && <SessionStatusBadge status={session.status} />}
      </PlaceHead>
      {isMain && session.error_code && (
        <div className={classes.meant}>
          <Text size="sm" fw={600}>
            {adviceFor(session.error_code).title}
          </Text>
          <Text size="sm" className={classes.words}>
            {session.error_message}
          </Text>
        </div>
      )}
      {last.length > 0 && (
        <ol className={classes.events} aria-label="Last events">
          {last.map((event) => (
            <li key={event.seq}>
              <Anchor
                size="xs"
                underline="always"
                renderRoot={(props) => <Link to="/sessions/$id" params={{ id: session.id }} search={{ event: event.seq }} {...props} />}
              >
                {event.type}
              </Anchor>{" "}
              <Code className={classes.words}>{eventText(event)}</Code>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const SHOWN = 160; // characters of an event

function eventText({ payload }: SessionEvent): string {
  const { text, name, message } = payload as { text?: unknown; name?: unknown; message?: unknown };
  const said = [text, message, name].find((each) => typeof each === "string");
  return excerpt(typeof said === "string" ? said : JSON.stringify(payload), SHOWN);
}

function isKnown(status: string): status is SessionStatus {
  return SESSION_STATUSES.some((each) => each === status);
}
