import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { EvalForecast, EvalMatrix, EvalRun, EvalRunDetail, EvalTrendPoint, NewGoldenReplay, NewSetRun, Replay, ReplayDetail } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type EvalsSearch, runsQuery } from "../lib/search";

export const TOPIC = "eval_runs";
const WHILE_RUNNING_MS = 2000; // how far a run is, no event tells
const MOST_POINTS = 1000; // the server's limit

/** Newest first. */
export function useEvalRuns(search: EvalsSearch) {
  const { slug, api } = useTenant();
  const filter = runsQuery(search);
  const queryClient = useQueryClient();
  const queryKey = [TOPIC, slug, "list", filter];
  const known = queryClient.getQueryData<{ pages: { data: EvalRun[] }[] }>(queryKey);
  const isRunning = known?.pages.some(({ data }) => data.some(({ status }) => status === "running")) ?? false;
  return usePagedList<EvalRun>(
    queryKey,
    (query) => unwrap(api.GET("/api/admin/evals/runs", { params: { query: { ...query, ...filter } } })),
    isRunning ? WHILE_RUNNING_MS : false,
  );
}

export function useEvalRun(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "one", { about: id }],
    queryFn: (): Promise<EvalRunDetail> => unwrap(api.GET("/api/admin/evals/runs/{eval_run_id}", { params: { path: { eval_run_id: id } } })),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? WHILE_RUNNING_MS : false),
  });
}

/** The replays of a run: all, or those of one golden and agent. */
export function useReplays(runId: string, of: { goldenId?: string; agentId?: string } = {}, isRunning = false) {
  const { slug, api } = useTenant();
  return usePagedList<Replay>(
    [TOPIC, slug, "replays", { about: runId }, of],
    (query) =>
      unwrap(api.GET("/api/admin/evals/runs/{eval_run_id}/replays", { params: { path: { eval_run_id: runId }, query: { ...query, ...of } } })),
    isRunning ? WHILE_RUNNING_MS : false,
  );
}

export function useReplay(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "replay", id],
    queryFn: (): Promise<ReplayDetail> => unwrap(api.GET("/api/admin/evals/replays/{replay_id}", { params: { path: { replay_id: id } } })),
    refetchInterval: ({ state }) => (state.data && state.data.state !== "compared" && state.data.state !== "cancelled" ? WHILE_RUNNING_MS : false),
  });
}

/** What a run would use and be compared with; nothing is begun. Null: nothing is asked for. */
export function useForecast(body: NewSetRun | NewGoldenReplay | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "forecast", body],
    queryFn: async (): Promise<EvalForecast> => {
      const asked = { ...(body as NewSetRun | NewGoldenReplay), dryRun: true };
      const answer = "setName" in asked ? api.POST("/api/admin/evals/runs/set", { body: asked }) : api.POST("/api/admin/evals/runs", { body: asked });
      return (await unwrap<EvalForecast | EvalRun>(answer as never)) as EvalForecast;
    },
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false, // what cannot be run is said at once
  });
}

export function useMatrix(set: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "matrix", set],
    queryFn: (): Promise<EvalMatrix> => unwrap(api.GET("/api/admin/evals/matrix", { params: { query: { set } } })),
  });
}

/** Newest first. */
export function useTrend(set: string, agent: string | undefined) {
  const { slug, api } = useTenant();
  return usePagedList<EvalTrendPoint>([TOPIC, slug, "trend", set, agent ?? null], (query) =>
    unwrap(api.GET("/api/admin/evals/trend", { params: { query: { ...query, limit: MOST_POINTS, set, ...(agent ? { agent } : {}) } } })),
  );
}

export function useRunActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const onSettled = () => queryClient.invalidateQueries({ queryKey: [TOPIC, slug] });
  const at = (id: string) => ({ params: { path: { eval_run_id: id } } });
  const replay = useMutation({
    mutationKey,
    mutationFn: (body: NewGoldenReplay) => unwrap(api.POST("/api/admin/evals/runs", { body: { id: newId(), ...body } })) as Promise<EvalRun>,
    onSettled,
  });
  const replaySet = useMutation({
    mutationKey,
    mutationFn: (body: NewSetRun) => unwrap(api.POST("/api/admin/evals/runs/set", { body: { id: newId(), ...body } })) as Promise<EvalRun>,
    onSettled,
  });
  const cancel = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.POST("/api/admin/evals/runs/{eval_run_id}/cancel", at(id))),
    onSettled,
  });
  const see = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.POST("/api/admin/evals/runs/{eval_run_id}/seen", at(id))),
    onSettled,
  });
  return { replay, replaySet, cancel, see };
}
