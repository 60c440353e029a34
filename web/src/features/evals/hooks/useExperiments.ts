import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { Experiment, ExperimentDetail, ExperimentForecast, NewExperiment } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { isOver } from "../lib/experiments";
import { type EvalsSearch, experimentsQuery } from "../lib/search";

export const TOPIC = "experiments";
const WHILE_RUNNING_MS = 2000; // how far it is, no event tells

/** Newest first. */
export function useExperiments(search: EvalsSearch) {
  const { slug, api } = useTenant();
  const filter = experimentsQuery(search);
  const queryClient = useQueryClient();
  const queryKey = [TOPIC, slug, "list", filter];
  const known = queryClient.getQueryData<{ pages: { data: Experiment[] }[] }>(queryKey);
  const isRunning = known?.pages.some(({ data }) => data.some((each) => !isOver(each))) ?? false;
  return usePagedList<Experiment>(
    queryKey,
    (query) => unwrap(api.GET("/api/admin/evals/experiments", { params: { query: { ...query, ...filter } } })),
    isRunning ? WHILE_RUNNING_MS : false,
  );
}

/** One with what it found about each row; while rows are confirmed, as far as it is. */
export function useExperiment(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "one", { about: id }],
    queryFn: (): Promise<ExperimentDetail> => unwrap(api.GET("/api/admin/evals/experiments/{experiment_id}", { params: { path: { experiment_id: id } } })),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? WHILE_RUNNING_MS : false),
  });
}

/** What it would use and could find; nothing is begun. Null: nothing is asked for. */
export function useExperimentForecast(body: NewExperiment | null) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "forecast", body],
    queryFn: async (): Promise<ExperimentForecast> => {
      const asked = { ...(body as NewExperiment), dryRun: true };
      return (await unwrap<ExperimentForecast | Experiment>(api.POST("/api/admin/evals/experiments", { body: asked }) as never)) as ExperimentForecast;
    },
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false, // what cannot be measured is said at once
  });
}

export function useExperimentActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const onSettled = () => Promise.all([TOPIC, "eval_runs"].map((topic) => queryClient.invalidateQueries({ queryKey: [topic, slug] })));
  const begin = useMutation({
    mutationKey,
    mutationFn: (body: NewExperiment) => unwrap(api.POST("/api/admin/evals/experiments", { body: { id: newId(), ...body } })) as Promise<Experiment>,
    onSettled,
  });
  const cancel = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.POST("/api/admin/evals/experiments/{experiment_id}/cancel", { params: { path: { experiment_id: id } } })),
    onSettled,
  });
  return { begin, cancel };
}
