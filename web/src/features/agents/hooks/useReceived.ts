import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { unwrap } from "@/api/client";
import type { AgentSession, OtlpSource } from "@/api/types";
import { useEveryPage } from "@/api/useEveryPage";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type Arrival, newSessions, newSpans } from "../lib/received";

/** Who sends spans. What changes sessions changes what is counted of them. */
export function useOtlpSources(since?: number, refetchInterval?: number | false) {
  const { slug, api } = useTenant();
  return usePagedList<OtlpSource>(
    ["sessions", slug, "otlp_sources", ...(since === undefined ? [] : [since])],
    (query) => unwrap(api.GET("/api/otlp/sources", { params: { query } })),
    refetchInterval,
  );
}

const NEWEST = 50; // sessions: more than arrive while somebody looks at a page
const LOOK_MS = 5_000; // as long as an exporter waits for a batch: spans that make no session tell of themselves by nothing

export interface Received {
  spans: Arrival[];
  sessions: AgentSession[];
}

/** What came since the page was opened; undefined until it is known what was there before. */
export function useReceived(): Received | undefined {
  const { slug, api } = useTenant();
  const [opened] = useState(() => Date.now()); // in the keys: what an earlier look left in the cache is not what is there
  const [hasCome, setHasCome] = useState(false);
  const sources = useEveryPage(useOtlpSources(opened, hasCome ? false : LOOK_MS));
  const sessions = useQuery({
    queryKey: ["sessions", slug, "received", opened],
    queryFn: () => unwrap(api.GET("/api/sessions", { params: { query: { limit: NEWEST } } })),
  });
  const before = useFirst(sources.query.hasNextPage ? undefined : sources.rows);
  const sessionsBefore = useFirst(sessions.data?.data);
  if (!before || !sessionsBefore) return undefined;
  const spans = newSpans(before, sources.rows ?? []);
  if (spans.length > 0 && !hasCome) setHasCome(true);
  return { spans, sessions: newSessions(sessionsBefore, sessions.data?.data ?? [], NEWEST) };
}

/** The first value that there was. */
function useFirst<Value>(value: Value | undefined): Value | undefined {
  const [first, setFirst] = useState<Value>();
  if (first === undefined && value !== undefined) setFirst(value);
  return first;
}
