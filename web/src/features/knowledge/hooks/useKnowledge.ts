import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { Knowledge, KnowledgeChange, KnowledgePreview, KnowledgeSettings, MeasuredValue, NewKnowledge, SessionWithKnowledge } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type KnowledgeSearch, knowledgeQuery } from "../lib/search";

export const TOPIC = "knowledge";

/** Newest first. */
export function useKnowledge(search: KnowledgeSearch) {
  const { slug, api } = useTenant();
  const filter = knowledgeQuery(search);
  return usePagedList<Knowledge>([TOPIC, slug, "list", filter], (query) =>
    unwrap(api.GET("/api/admin/shared-context", { params: { query: { ...query, ...filter } } })),
  );
}

/** The table for spreadsheets of what is listed, all of it. */
export function useKnowledgeCsv(search: KnowledgeSearch) {
  const { api } = useTenant();
  const query = knowledgeQuery(search);
  return () => unwrap(api.GET("/api/admin/shared-context/knowledge.csv", { params: { query }, parseAs: "text" }));
}

/** How many of each type and state. */
export function useKnowledgeCounts(wanted: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "counts"],
    queryFn: () => unwrap(api.GET("/api/admin/shared-context/counts")).then(({ data }) => data),
    enabled: wanted,
  });
}

/** In how many prompts each of some rows was this week, by id. */
export function useUses(ids: readonly string[]) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "uses", ids],
    queryFn: async () => {
      const counted = new Map<string, number>();
      for (let place = 0; place < ids.length; place += AT_ONCE) {
        const body = { ids: ids.slice(place, place + AT_ONCE) };
        const { data } = await unwrap(api.POST("/api/admin/shared-context/uses", { body }));
        for (const { id, sessions } of data) counted.set(id, sessions);
      }
      return counted;
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

const AT_ONCE = 200; // the server's limit

/** One with what it rests on and what happened to it. */
export function useKnowledgeDetail(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/admin/shared-context/{row_id}", { params: { path: { row_id: id } } })),
  });
}

/** What it was measured to change each time, newest first. */
export function useValues(id: string, wanted: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "values", { about: id }],
    queryFn: (): Promise<MeasuredValue[]> =>
      unwrap(api.GET("/api/admin/shared-context/{row_id}/value", { params: { path: { row_id: id }, query: { limit: MOST_VALUES } } })).then(({ data }) => data),
    enabled: wanted,
  });
}

const MOST_VALUES = 50; // of one row: older ones are by the API

/** Sessions that had it in their prompts, newest first, with what they wrote; any session may come to be one of them. */
export function useSessionsWith(id: string) {
  const { slug, api } = useTenant();
  return usePagedList<SessionWithKnowledge>(["sessions", slug, "with-knowledge", id], (query) =>
    unwrap(api.GET("/api/admin/shared-context/{row_id}/sessions", { params: { path: { row_id: id }, query } })),
  );
}

/** Knowledge that reads like it, or contradicts it. */
export function useNeighbours(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "neighbours", id],
    queryFn: () => unwrap(api.GET("/api/admin/shared-context/{row_id}/neighbours", { params: { path: { row_id: id } } })),
  });
}

/** What prompts would be; nothing is changed. Null: nothing is asked for. */
export function usePreview(id: string, preview: KnowledgePreview | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "diff", id, preview],
    queryFn: () =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/diff", { params: { path: { row_id: id } }, body: preview ?? {} })),
    enabled: preview !== null,
    placeholderData: keepPreviousData,
  });
}

export function useKnowledgeSettings() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const queryKey = [TOPIC, slug, "settings"];
  const query = useQuery({ queryKey, queryFn: () => unwrap(api.GET("/api/admin/shared-context/settings")) });
  const change = useMutation({
    mutationKey: [TOPIC, slug],
    mutationFn: (body: KnowledgeSettings) => unwrap(api.PUT("/api/admin/shared-context/settings", { body })),
    onSuccess: (settings) => queryClient.setQueryData(queryKey, settings),
  });
  return { query, change };
}

export interface Approval {
  id: string;
  /** As it was shown: what was changed since is not decided about. */
  version: number;
  reason: string;
  /** In other words, where they are given. */
  content?: string;
  context?: string;
}

type Move = Pick<Approval, "id" | "version" | "reason">;

interface SupportReview {
  id: string;
  feedbackIds: string[];
  dismissed: boolean;
}

/** What is decided about knowledge; each answers with how it is then. Feedback follows: approving applies it. */
export function useKnowledgeActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const onSettled = () =>
    Promise.all([TOPIC, "feedback"].map((topic) => queryClient.invalidateQueries({ queryKey: [topic, slug] })));
  const at = (id: string) => ({ path: { row_id: id } });
  const because = (reason: string) => (reason ? { reason } : {});
  const create = useMutation({
    mutationKey,
    mutationFn: (body: NewKnowledge) => unwrap(api.POST("/api/admin/shared-context", { body: { id: newId(), ...body } })),
    onSettled,
  });
  const change = useMutation({
    mutationKey,
    mutationFn: ({ id, ...body }: KnowledgeChange & { id: string }) =>
      unwrap(api.PATCH("/api/admin/shared-context/{row_id}", { params: at(id), body })),
    onSettled,
  });
  const remove = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.DELETE("/api/admin/shared-context/{row_id}", { params: at(id) })),
    onSettled,
  });
  const approve = useMutation({
    mutationKey,
    mutationFn: ({ id, version, reason, ...words }: Approval) =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/approve", { params: at(id), body: { version, ...because(reason), ...words } })),
    onSettled,
  });
  const dismiss = useMutation({
    mutationKey,
    mutationFn: ({ id, version, reason }: Move) =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/dismiss", { params: at(id), body: { version, ...because(reason) } })),
    onSettled,
  });
  const shadow = useMutation({
    mutationKey,
    mutationFn: ({ id, version, reason }: Move) =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/shadow", { params: at(id), body: { version, ...because(reason) } })),
    onSettled,
  });
  const retire = useMutation({
    mutationKey,
    mutationFn: ({ id, version, reason }: Move) =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/retire", { params: at(id), body: { version, ...because(reason) } })),
    onSettled,
  });
  const undo = useMutation({
    mutationKey,
    mutationFn: ({ id, version, entryId }: Omit<Move, "reason"> & { entryId?: string }) =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/undo", { params: at(id), body: { version, ...(entryId ? { entry_id: entryId } : {}) } })),
    onSettled,
  });
  const reviewSupport = useMutation({
    mutationKey,
    mutationFn: ({ id, feedbackIds, dismissed }: SupportReview) =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/support", { params: at(id), body: { feedback_ids: feedbackIds, dismissed } })),
    onSettled,
  });
  const keepBoth = useMutation({
    mutationKey,
    mutationFn: ({ id, other }: { id: string; other: string }) =>
      unwrap(api.POST("/api/admin/shared-context/{row_id}/keep-both", { params: at(id), body: { other_id: other } })),
    onSettled,
  });
  return { create, change, remove, approve, dismiss, shadow, retire, undo, reviewSupport, keepBoth };
}

export type KnowledgeActions = ReturnType<typeof useKnowledgeActions>;
