import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Agent, AgentChange, NewAgent } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "./useWorkspace";

export function useAgents() {
  const { slug, api } = useTenant();
  return usePagedList<Agent>(["agents", slug], (query) => unwrap(api.GET("/api/agents", { params: { query } })));
}

export function useAgent(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["agents", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/agents/{agent_id}", { params: { path: { agent_id: id } } })),
  });
}

export function useAgentActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = ["agents", slug];
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: mutationKey }),
      queryClient.invalidateQueries({ queryKey: ["agents_overview", slug] }),
    ]);
  const create = useMutation({
    mutationKey,
    mutationFn: (body: NewAgent) => unwrap(api.POST("/api/agents", { body })),
    onSuccess: refresh,
  });
  const change = useMutation({
    mutationKey,
    mutationFn: ({ id, ...body }: AgentChange & { id: string }) =>
      unwrap(api.PATCH("/api/agents/{agent_id}", { params: { path: { agent_id: id } }, body })),
    onSuccess: refresh,
  });
  return { create, change };
}
