import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { isVersionConflict } from "@/api/problem";
import type { AgentSecret, AgentVersion, NewAgentConfig } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** What the agent runs with now; null when it has no configuration, and so runs elsewhere. */
export function useCurrentVersion(agentId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["agents", slug, "current", { about: agentId }],
    queryFn: async (): Promise<AgentVersion | null> => {
      const params = { path: { agent_id: agentId }, query: { limit: 1 } };
      return (await unwrap(api.GET("/api/agents/{agent_id}/versions", { params }))).data[0] ?? null;
    },
  });
}

/** Newest first. */
export function useVersions(agentId: string) {
  const { slug, api } = useTenant();
  return usePagedList<AgentVersion>(["agents", slug, "versions", { about: agentId }], (query) =>
    unwrap(api.GET("/api/agents/{agent_id}/versions", { params: { path: { agent_id: agentId }, query } })),
  );
}

/** A version never changes. 0 is before the first: there is none. */
export function useVersion(agentId: string, version: number) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["agents", slug, "version", { about: agentId }, version],
    queryFn: async (): Promise<AgentVersion | null> =>
      version === 0
        ? null
        : unwrap(api.GET("/api/agents/{agent_id}/versions/{version}", { params: { path: { agent_id: agentId, version } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useConfigActions(agentId: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = ["agents", slug];
  const path = { agent_id: agentId };
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["agents", slug] }),
      queryClient.invalidateQueries({ queryKey: ["agents_overview", slug] }),
    ]);
  const save = useMutation({
    mutationKey,
    mutationFn: (body: NewAgentConfig) => unwrap(api.PUT("/api/agents/{agent_id}/config", { params: { path }, body })),
    onSuccess: () => void refresh(), // who saved it has the answer, and need not wait
    onError: (error) => (isVersionConflict(error) ? refresh() : undefined), // so that both versions can be named
  });
  const restore = useMutation({
    mutationKey,
    mutationFn: (version: number) =>
      unwrap(
        api.POST("/api/agents/{agent_id}/versions/{version}/restore", { params: { path: { ...path, version } } }),
      ),
    onSettled: refresh,
  });
  return { save, restore };
}

export type SecretName = AgentSecret["name"];

/** Which secrets are set. Only those who manage agents may know. */
export function useSecrets(agentId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["agents", slug, "secrets", { about: agentId }],
    queryFn: () => unwrap(api.GET("/api/agents/{agent_id}/secrets", { params: { path: { agent_id: agentId } } })),
  });
}

export function useSecretActions(agentId: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ["agents", slug, "secrets", { about: agentId }] });
  const set = useMutation({
    mutationKey: ["agents", slug],
    mutationFn: ({ name, value }: { name: SecretName; value: string }) =>
      unwrap(api.PUT("/api/agents/{agent_id}/secrets/{name}", { params: { path: { agent_id: agentId, name } }, body: { value } })),
    onSuccess,
    gcTime: 0, // what was sent is the secret; keep it no longer than the dialog does
  });
  const remove = useMutation({
    mutationKey: ["agents", slug],
    mutationFn: (name: SecretName) =>
      unwrap(api.DELETE("/api/agents/{agent_id}/secrets/{name}", { params: { path: { agent_id: agentId, name } } })),
    onSuccess,
  });
  return { set, remove };
}

/** What agents run with where they name nothing of their own; it changes only when the server is started anew. */
export function useAgentDefaults() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["agents", slug, "defaults"],
    queryFn: () => unwrap(api.GET("/api/agents/defaults")),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useTools() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["tools", slug],
    queryFn: () => unwrap(api.GET("/api/tools")),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
