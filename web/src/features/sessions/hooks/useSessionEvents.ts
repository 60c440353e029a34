import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { unwrap } from "@/api/client";
import type { SessionEvent } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type Loaded, PAGE, earlierPage, holds, lastSeq, startFor, withEarlier, withLater } from "../lib/loaded";
import type { Payload } from "../lib/payloads";
import { useSessionId } from "./useSessionId";
import { TOPIC } from "./useSessions";

const MOST_PAGES = 5; // that are read at once to catch up with a session that runs fast

/**
 * The events of a session around the one that an address names, or from the beginning. They never change, so that a
 * message about the session only asks for what came after the last one.
 */
export function useSessionEvents(id: string, total: number, linked: number | undefined) {
  const { slug, api } = useTenant();
  const queryClient = useQueryClient();
  const isLinkedGone = linked !== undefined && linked > total;
  const aimed = isLinkedGone ? undefined : linked;
  const [from, setFrom] = useState(() => startFor(aimed, total));
  const queryKey = [TOPIC, slug, "events", { about: id }, from];

  const read = (after: number, limit: number) =>
    unwrap(api.GET("/api/sessions/{session_id}/events", { params: { path: { session_id: id }, query: { after, limit } } }));
  const current = () => queryClient.getQueryData<Loaded>(queryKey) ?? { events: [], isEnd: true };
  const readLater = async (pages: number): Promise<Loaded> => {
    let after = lastSeq(current()) || from;
    let loaded = current();
    for (let page = 0; page < pages; page += 1) {
      const { data, next_cursor } = await read(after, PAGE);
      loaded = withLater(page === 0 ? current() : loaded, data, !next_cursor);
      after = lastSeq(loaded);
      if (!next_cursor) break;
    }
    return loaded;
  };

  const query = useQuery({
    queryKey,
    queryFn: (): Promise<Loaded> => {
      const known = queryClient.getQueryData<Loaded>(queryKey);
      if (!known) return readLater(1);
      return known.isEnd ? readLater(MOST_PAGES) : Promise.resolve(known); // more is there, and is loaded when asked for
    },
    structuralSharing: false,
  });
  const later = useMutation({
    mutationKey: [TOPIC, slug],
    mutationFn: () => readLater(1),
    onSuccess: (loaded) => queryClient.setQueryData(queryKey, loaded),
  });
  const earlier = useMutation({
    mutationKey: [TOPIC, slug],
    mutationFn: async () => {
      const page = earlierPage(current());
      return page ? (await read(page.after, page.limit)).data : [];
    },
    onSuccess: (events) => queryClient.setQueryData(queryKey, withEarlier(current(), events)),
  });

  // An address names an event that is not at hand: read from there.
  const loaded = query.data;
  const isElsewhere = aimed !== undefined && loaded !== undefined && !holds(loaded, aimed);
  const wanted = startFor(aimed, total);
  useEffect(() => {
    if (isElsewhere) setFrom(wanted);
  }, [isElsewhere, wanted]);

  return {
    query,
    loaded,
    /** The address names an event that the session does not have. */
    isLinkedGone,
    earlier: { has: loaded !== undefined && earlierPage(loaded) !== null, isLoading: earlier.isPending, load: () => earlier.mutate() },
    later: {
      has: loaded !== undefined && !loaded.isEnd,
      isLoading: later.isPending,
      hasFailed: later.isError,
      load: () => {
        if (!later.isPending) later.mutate();
      },
    },
  };
}

export type SessionEvents = ReturnType<typeof useSessionEvents>;

/** The payload of an event. A large one is at hand as a preview; all of it comes only when somebody wants to see it. */
export function usePayload(event: SessionEvent) {
  const { slug, api } = useTenant();
  const id = useSessionId();
  const [wanted, setWanted] = useState(false);
  const whole = useQuery({
    queryKey: ["session-payloads", slug, id, event.seq], // a payload never changes, so no message makes it stale
    queryFn: () =>
      unwrap(
        api.GET("/api/sessions/{session_id}/events/{seq}/payload", {
          params: { path: { session_id: id, seq: event.seq } },
        }),
      ) as Promise<Payload>,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    payload: whole.data ?? event.payload,
    isPreview: !event.whole && whole.data === undefined,
    isLoading: whole.isFetching,
    error: whole.error,
    load: () => (wanted ? void whole.refetch() : setWanted(true)),
  };
}

export type EventPayload = ReturnType<typeof usePayload>;
