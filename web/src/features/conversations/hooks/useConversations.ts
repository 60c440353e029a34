import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Conversation } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { bounds, reactedBounds } from "../lib/period";
import type { ConversationsSearch } from "../lib/search";

export const TOPIC = "conversations";
const TURNS_PER_PAGE = 50;
const SUGGESTED = 6; // as many as one reads in a list of suggestions

export function useConversations(search: ConversationsSearch) {
  const { q, project, agent, user, reaction, origin, user_type, reacted_start, reacted_end, ...period } = search;
  const { slug, api } = useTenant();
  const filter = {
    ...(q ? { q } : {}),
    ...(project ? { project } : {}),
    ...(agent ? { agent } : {}),
    ...(user ? { user_id: user } : {}),
    ...(reaction ? { reaction } : {}),
    ...(origin ? { origin } : {}),
    ...(user_type ? { user_type } : {}),
    ...reactedBounds(reacted_start, reacted_end),
    ...bounds(period, new Date()),
  };
  return usePagedList<Conversation>([TOPIC, slug, "list", filter], (query) =>
    unwrap(api.GET("/api/conversations", { params: { query: { ...query, ...filter } } })),
  );
}

/** A handful of conversations that have the words that were typed, the newest first. */
export function useConversationSuggestions(q: string, enabled: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "suggestions", q],
    queryFn: () => unwrap(api.GET("/api/conversations", { params: { query: { q, limit: SUGGESTED } } })),
    placeholderData: keepPreviousData,
    enabled,
  });
}

export function useProjects() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "projects"],
    queryFn: () => unwrap(api.GET("/api/conversations/projects")).then(({ data }) => data),
  });
}

export function useAgentNames() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "agents"],
    queryFn: () => unwrap(api.GET("/api/conversation-agents")).then(({ data }) => data),
  });
}

interface Place {
  project: string;
  conversation: string;
}

export function transcriptKey(slug: string, { project, conversation }: Place) {
  return [TOPIC, slug, "transcript", { about: conversation }, project];
}

type PagePart = { turn_id: string } | { cursor: string } | { before: string } | Record<string, never>;

/** The turns in order; with an anchor from shortly before that turn, and from there both ways. */
export function useTranscript({ project, conversation }: Place, anchor: string | undefined) {
  const { slug, api } = useTenant();
  return useInfiniteQuery({
    queryKey: [...transcriptKey(slug, { project, conversation }), anchor ?? null],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/conversations/{project}/{conversation_id}", {
          params: { path: { project, conversation_id: conversation }, query: { limit: TURNS_PER_PAGE, ...pageParam } },
        }),
      ),
    initialPageParam: (anchor === undefined ? {} : { turn_id: anchor }) as PagePart,
    getNextPageParam: ({ next_cursor }): PagePart | undefined => (next_cursor ? { cursor: next_cursor } : undefined),
    getPreviousPageParam: ({ previous_cursor }): PagePart | undefined =>
      previous_cursor ? { before: previous_cursor } : undefined,
  });
}

/** Asked for only when somebody wants to see it: it may come from a blob store. */
export function useTurnLog({ project, conversation }: Place, turnId: string, wanted: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["turn-logs", slug, project, conversation, turnId], // a log never changes, so no message makes it stale
    queryFn: () =>
      unwrap(
        api.GET("/api/conversations/{project}/{conversation_id}/turns/{turn_id}/log", {
          params: { path: { project, conversation_id: conversation, turn_id: turnId } },
        }),
      ),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
