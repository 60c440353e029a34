import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { DismissReason, Feedback, FeedbackGroup, FeedbackRating } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type GroupsSearch, groupsQuery } from "../lib/search";
import type { Verdict } from "../lib/words";
import { TOPIC } from "./useFeedback";

/** Those that came back first, then those that hang together best and come from most. */
export function useGroups(search: GroupsSearch) {
  const { slug, api } = useTenant();
  const filter = groupsQuery(search, new Date());
  return usePagedList<FeedbackGroup>([TOPIC, slug, "groups", filter], (query) =>
    unwrap(api.GET("/api/feedback/groups", { params: { query: { ...query, ...filter } } })),
  );
}

export function useGroup(id: string | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "group", { about: id ?? "" }],
    queryFn: () => unwrap(api.GET("/api/feedback/groups/{group_id}", { params: { path: { group_id: id ?? "" } } })),
    enabled: id !== undefined,
  });
}

/** What is in a group; `near` has what is in none and may belong to it. */
export function useMembers(id: string, near = false) {
  const { slug, api } = useTenant();
  return usePagedList<Feedback>([TOPIC, slug, "members", id, near], (query) =>
    unwrap(
      api.GET("/api/feedback/groups/{group_id}/members", { params: { path: { group_id: id }, query: { ...query, near } } }),
    ),
  );
}

const OFFERED = 12; // groups to choose from while one types

/** Open groups of one rating that have the words that were typed. */
export function useGroupsWith(q: string, rating: FeedbackRating | undefined) {
  const { slug, api } = useTenant();
  const query = { state: "open" as const, limit: OFFERED, ...(q ? { q } : {}), ...(rating ? { rating } : {}) };
  return useQuery({
    queryKey: [TOPIC, slug, "groups-with", query],
    queryFn: async () => {
      const [proposed, others] = await Promise.all(
        [true, false].map((proposedOnes) =>
          unwrap(api.GET("/api/feedback/groups", { params: { query: { ...query, proposed: proposedOnes } } })),
        ),
      );
      return [...(proposed?.data ?? []), ...(others?.data ?? [])];
    },
    enabled: rating !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** What is decided of a group; each answers with how it is then, or refuses with who was first. */
export function useGroupActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const onSettled = () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] });
  const at = (id: string) => ({ path: { group_id: id } });
  const noted = (note: string) => (note ? { note } : {});
  const review = useMutation({
    mutationKey,
    mutationFn: ({ id, status, notes }: { id: string; status: Verdict; notes: string }) =>
      unwrap(
        api.POST("/api/feedback/groups/{group_id}/review", {
          params: at(id),
          body: { status, ...(notes ? { review_notes: notes } : {}) },
        }),
      ),
    onSettled,
  });
  const dismiss = useMutation({
    mutationKey,
    mutationFn: ({ id, reason, note }: { id: string; reason: DismissReason; note: string }) =>
      unwrap(api.POST("/api/feedback/groups/{group_id}/dismiss", { params: at(id), body: { reason, ...noted(note) } })),
    onSettled,
  });
  const snooze = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.POST("/api/feedback/groups/{group_id}/snooze", { params: at(id), body: {} })),
    onSettled,
  });
  const reopen = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.POST("/api/feedback/groups/{group_id}/reopen", { params: at(id) })),
    onSettled,
  });
  const merge = useMutation({
    mutationKey,
    mutationFn: ({ id, into }: { id: string; into: string }) =>
      unwrap(api.POST("/api/feedback/groups/{group_id}/merge", { params: at(id), body: { into } })),
    onSettled,
  });
  const split = useMutation({
    mutationKey,
    mutationFn: ({ id, ids }: { id: string; ids: string[] }) =>
      unwrap(api.POST("/api/feedback/groups/{group_id}/split", { params: at(id), body: { ids } })),
    onSettled,
  });
  const add = useMutation({
    mutationKey,
    mutationFn: ({ id, ids }: { id: string; ids: string[] }) =>
      unwrap(api.POST("/api/feedback/groups/{group_id}/add", { params: at(id), body: { ids } })),
    onSettled,
  });
  const undo = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.POST("/api/feedback/decisions/{decision_id}/undo", { params: { path: { decision_id: id } } })),
    onSettled,
  });
  return { review, dismiss, snooze, reopen, merge, split, add, undo };
}
