import { Anchor, Box, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback, useMemo, useRef } from "react";
import type { AgentSession, SessionEvent } from "@/api/types";
import { LinkTabs, TAB, TabSection } from "@/ui/LinkTabs";
import { EmptyState, ErrorState, LoadingRows } from "@/ui/states";
import { useSessionEvents } from "../hooks/useSessionEvents";
import { SessionIdProvider } from "../hooks/useSessionId";
import { SESSION_VIEWS, type SessionSearch, type SessionView } from "../lib/search";
import { buildSteps } from "../lib/steps";
import type { ViewProps } from "./EventList";
import { EventsView } from "./EventsView";
import { StepKeysHint } from "./SessionKeys";
import { StepsView } from "./StepsView";
import { TimelineView } from "./TimelineView";
import classes from "./sessions.module.css";

const VIEW: Record<SessionView, { label: string; View: (props: ViewProps) => React.ReactNode }> = {
  conversation: { label: "Conversation", View: StepsView },
  timeline: { label: "Timeline", View: TimelineView },
  events: { label: "Events", View: EventsView },
};

interface SessionBodyProps {
  session: AgentSession;
  search: SessionSearch;
  onLink: (seq: number | undefined) => void;
}

/** What happened in a session, in whichever way one looks at it. */
export function SessionBody({ session, search, onLink }: SessionBodyProps) {
  const { view = "conversation", event } = search;
  const events = useSessionEvents(session.id, session.events, event);
  const loaded = events.loaded?.events;
  const steps = useMemo(() => buildSteps(loaded ?? []), [loaded]);
  const help = useRef(() => {});
  const onHelp = useCallback((open: () => void) => {
    help.current = open;
  }, []);
  const { label, View } = VIEW[view];
  return (
    <SessionIdProvider value={session.id}>
      <div className={classes.views}>
        <LinkTabs label="Ways to look at it" look="inner" current={view}>
          {SESSION_VIEWS.map((each) => (
            <Link
              key={each}
              to="/sessions/$id"
              params={{ id: session.id }}
              search={{ ...(each === "conversation" ? {} : { view: each }), ...(event === undefined ? {} : { event }) }}
              state={true}
              replace
              resetScroll={false}
              className={TAB}
              aria-current={each === view ? "page" : undefined}
              activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
            >
              {VIEW[each].label}
            </Link>
          ))}
        </LinkTabs>
        <div className={classes.beside}>
          {loaded && <Shown loaded={loaded} session={session} view={view} />}
          {loaded && loaded.length > 1 && (
            <Box visibleFrom="sm">
              <StepKeysHint onClick={() => help.current()} />
            </Box>
          )}
        </div>
      </div>
      <TabSection heading={label}>
        {events.query.isPending && <LoadingRows label="events" />}
        {events.query.isError && !loaded && <ErrorState error={events.query.error} onRetry={() => void events.query.refetch()} />}
        {loaded?.length === 0 && (
          <EmptyState title="Nothing has happened yet">What the agent does appears here as it happens.</EmptyState>
        )}
        {loaded && loaded.length > 0 && (
          <View
            session={session}
            steps={steps}
            loaded={loaded}
            events={events}
            linked={event}
            began={Date.parse(session.started_at ?? session.created_at)}
            onLink={onLink}
            onHelp={onHelp}
          />
        )}
      </TabSection>
    </SessionIdProvider>
  );
}

interface ShownProps {
  loaded: readonly SessionEvent[];
  session: AgentSession;
  view: SessionView;
}

/** How many of how many are at hand; nothing is left out silently. */
function Shown({ loaded, session, view }: ShownProps) {
  const [first, last] = [loaded[0]?.seq ?? 0, loaded.at(-1)?.seq ?? 0];
  const total = Math.max(session.events, last);
  if (loaded.length === 0 || (first === 1 && last === total)) return null;
  const stretch = first === 1 ? loaded.length.toLocaleString("en") : `${first.toLocaleString("en")} to ${last.toLocaleString("en")}`;
  return (
    <Text size="xs" c="dimmed" role="status" className={classes.shown}>
      Showing {stretch} of {total.toLocaleString("en")} events.{" "}
      {last < total && (
        <Anchor
          size="xs"
          underline="always"
          renderRoot={(props) => (
            <Link
              to="/sessions/$id"
              params={{ id: session.id }}
              search={{ ...(view === "conversation" ? {} : { view }), event: total }}
              state={true}
              replace
              resetScroll={false}
              {...props}
            />
          )}
        >
          Go to the end
        </Anchor>
      )}
    </Text>
  );
}
