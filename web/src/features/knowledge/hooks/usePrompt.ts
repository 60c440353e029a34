import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
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

/** What of the workspace's knowledge was in the prompt of a session, and why. */
export function usePromptOf(sessionId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "prompt-of", sessionId],
    queryFn: () => unwrap(api.GET("/api/sessions/{session_id}/shared-context", { params: { path: { session_id: sessionId } } })),
  });
}
