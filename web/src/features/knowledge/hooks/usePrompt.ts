import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as v from "valibot";
import { unwrap } from "@/api/client";
import type { LeftOut } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type PromptSearch, promptQuery } from "../lib/search";
import { TOPIC } from "./useKnowledge";

/** What prompts of a scope hold now. */
export function usePrompt(search: PromptSearch) {
  const { slug, api } = useTenant();
  const query = promptQuery(search);
  return useQuery({
    queryKey: [TOPIC, slug, "prompt", query],
    queryFn: () => unwrap(api.GET("/api/shared-context/prompt", { params: { query } })),
    placeholderData: keepPreviousData,
  });
}

/** What a prompt held. Its words never change; what became of its rows does. */
export function useManifest(manifest: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "manifest", manifest],
    queryFn: () => unwrap(api.GET("/api/shared-context/manifests/{manifest}", { params: { path: { manifest } } })),
  });
}

const FIRST_EVENTS = 20; // the prompt is loaded before anything is asked
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Loaded = v.object({ left_out: v.object({ by_rank: count, by_budget: count, by_scope: count, shadow: count }) });

export type LeftOutThen = Pick<LeftOut, "by_rank" | "by_budget" | "by_scope" | "shadow">;

/** What was left out of a session's prompt when it began; null where the session did not load it here. */
export function useLeftOut(sessionId: string, wanted: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "prompt-loaded", { about: sessionId }],
    queryFn: async (): Promise<LeftOutThen | null> => {
      const params = { path: { session_id: sessionId }, query: { limit: FIRST_EVENTS } };
      const { data } = await unwrap(api.GET("/api/sessions/{session_id}/events", { params }));
      const parsed = v.safeParse(Loaded, data.find(({ type }) => type === "prompt.loaded")?.payload);
      return parsed.success ? parsed.output.left_out : null;
    },
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
