import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { Feedback, NewFeedback, ReviewOutcome, SessionEvent } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type FeedbackSearch, feedbackQuery } from "../lib/search";

export const TOPIC = "feedback";

/** What feedback may be about, as the server names it. */
export type About =
  | { entity_id: string }
  | { session_id: string }
  | { response_id: string }
  | { project: string; conversation_id: string; turn_id?: string };

/** Feedback, newest first: one's own, and everybody's for whoever may review it. `single` has that which is in no group. */
export function useFeedback(search: FeedbackSearch, single = false) {
  const { slug, api } = useTenant();
  const filter = feedbackQuery(search, single, new Date());
  return usePagedList<Feedback>([TOPIC, slug, "list", filter], (query) =>
    unwrap(api.GET("/api/feedback", { params: { query: { ...query, ...filter } } })),
  );
}

/** The table for spreadsheets of what is listed, all of it. */
export function useFeedbackCsv(search: FeedbackSearch, single = false) {
  const { api } = useTenant();
  return () => {
    const query = feedbackQuery(search, single, new Date());
    return unwrap(api.GET("/api/feedback/feedback.csv", { params: { query }, parseAs: "text" }));
  };
}

export function useFeedbackAbout(about: About) {
  const { slug, api } = useTenant();
  return usePagedList<Feedback>([TOPIC, slug, "about", about], (query) =>
    unwrap(api.GET("/api/feedback", { params: { query: { ...query, ...about } } })),
  );
}

/** One with what it is about. */
export function useFeedbackDetail(id: string | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "one", { about: id ?? "" }],
    queryFn: () => unwrap(api.GET("/api/feedback/{feedback_id}", { params: { path: { feedback_id: id ?? "" } } })),
    enabled: id !== null,
  });
}

const LAST_EVENTS = 4; // of a session that failed: what it did at the end

/** How a session ended. */
export function useLastEvents(sessionId: string, total: number | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "last-events", { about: sessionId }, total ?? 0],
    queryFn: (): Promise<SessionEvent[]> =>
      unwrap(
        api.GET("/api/sessions/{session_id}/events", {
          params: { path: { session_id: sessionId }, query: { after: Math.max(0, (total ?? 0) - LAST_EVENTS), limit: LAST_EVENTS } },
        }),
      ).then(({ data }) => data),
    enabled: total !== undefined && total > 0,
  });
}

export function useFeedbackActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const onSettled = () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] });
  const give = useMutation({
    mutationKey,
    mutationFn: (body: NewFeedback) => unwrap(api.POST("/api/feedback", { body: { id: newId(), ...body } })),
    onSettled,
  });
  const takeBack = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.DELETE("/api/feedback/{feedback_id}", { params: { path: { feedback_id: id } } })),
    onSettled,
  });
  const review = useMutation({
    mutationKey,
    mutationFn: (asked: Review) => reviewAll(asked, (body) => unwrap(api.POST("/api/feedback/review", { body }))),
    onSettled,
  });
  return { give, takeBack, review };
}

export interface Review {
  ids: readonly string[];
  status: Feedback["status"];
  notes: string;
}

const AT_ONCE = 500; // the server's limit

/** However many they are: one note, and an answer for each. */
async function reviewAll(
  { ids, status, notes }: Review,
  send: (body: { ids: string[]; status: Feedback["status"]; review_notes?: string }) => Promise<{ data: ReviewOutcome[] }>,
): Promise<ReviewOutcome[]> {
  const outcomes: ReviewOutcome[] = [];
  for (let place = 0; place < ids.length; place += AT_ONCE) {
    const body = { ids: ids.slice(place, place + AT_ONCE), status, ...(notes ? { review_notes: notes } : {}) };
    outcomes.push(...(await send(body)).data);
  }
  return outcomes;
}
