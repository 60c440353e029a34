import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { SessionEvent } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

const PAGE = 200; // as many as the server gives
const MOST_EVENTS = 2000; // two of such lists can be laid beside each other

export interface WholeEvents {
  events: SessionEvent[];
  /** Whether the session has more. */
  isCut: boolean;
}

/** The events of a session that is over, from the beginning. Null: nothing is asked for. */
export function useWholeEvents(id: string | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "whole-events", { about: id ?? "" }],
    queryFn: async (): Promise<WholeEvents> => {
      const events: SessionEvent[] = [];
      for (;;) {
        const query = { after: events.at(-1)?.seq ?? 0, limit: PAGE };
        const { data, next_cursor } = await unwrap(api.GET("/api/sessions/{session_id}/events", { params: { path: { session_id: id ?? "" }, query } }));
        events.push(...data);
        if (!next_cursor || data.length === 0) return { events, isCut: false };
        if (events.length >= MOST_EVENTS) return { events, isCut: true };
      }
    },
    enabled: id !== null,
  });
}
