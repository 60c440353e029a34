import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { Agent, AgentChange, NewAgent } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenantSlug } from "./useWorkspace";

export function useAgents() {
  const slug = useTenantSlug();
  return usePagedList<Agent>(["agents", slug], (query) => unwrap(api.GET("/api/agents", { params: { query } })));
}

export function useAgentActions() {
  const queryClient = useQueryClient();
  const slug = useTenantSlug();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["agents", slug] });
  const create = useMutation({
    mutationFn: (body: NewAgent) => unwrap(api.POST("/api/agents", { body })),
    onSuccess: refresh,
  });
  const change = useMutation({
    mutationFn: ({ id, ...body }: AgentChange & { id: string }) =>
      unwrap(api.PATCH("/api/agents/{agent_id}", { params: { path: { agent_id: id } }, body })),
    onSuccess: refresh,
  });
  return { create, change };
}
