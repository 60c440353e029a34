import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { ArtifactEvalResult, ArtifactEvalRun, ArtifactEvalSuiteSettings } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import type { KnowledgeDimension } from "../lib/dimensions";
import { isOpen } from "../lib/runs";
import type { Shown } from "../lib/search";

const POLL_MS = 1000; // while a run goes on; the server's messages are usually sooner
const TOPIC = "artifact_eval_runs";

export function useArtifactEvalSuites() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "suites"],
    queryFn: () => unwrap(api.GET("/api/artifact-evals/suites")),
    refetchInterval: ({ state }) => (state.data?.data.some(({ newest_run }) => isOpen(newest_run)) ? POLL_MS : false),
  });
}

/** Those of the server that are not shown here: the workspace has no type for them, and has not added them. */
export function useHiddenSuites(enabled: boolean) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "hidden"],
    queryFn: () => unwrap(api.GET("/api/artifact-evals/suites", { params: { query: { hidden: true } } })),
    enabled,
  });
}

export function useArtifactEvalSuite(suite: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "suite", suite],
    queryFn: () => unwrap(api.GET("/api/artifact-evals/suites/{suite}", { params: { path: { suite } } })),
    refetchInterval: ({ state }) => (isOpen(state.data?.newest_run) ? POLL_MS : false),
  });
}

/** A run that the address names. */
export function useArtifactEvalRun(id: string | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "run", id],
    queryFn: () => unwrap(api.GET("/api/artifact-evals/runs/{run_id}", { params: { path: { run_id: id ?? "" } } })),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (isOpen(state.data) ? POLL_MS : false),
  });
}

export function useArtifactEvalRuns(suite: string) {
  const { slug, api } = useTenant();
  return usePagedList<ArtifactEvalRun>([TOPIC, slug, "runs", suite], (query) =>
    unwrap(api.GET("/api/artifact-evals/suites/{suite}/runs", { params: { path: { suite }, query } })),
  );
}

/** Read anew when the run's status changes. */
export function useArtifactEvalResults(run: ArtifactEvalRun, show: Shown, dimension: KnowledgeDimension | undefined) {
  const { slug, api } = useTenant();
  const filter = { ...(show === "all" ? {} : { result: show }), ...(dimension ? { dimension } : {}) };
  return usePagedList<ArtifactEvalResult>([TOPIC, slug, "results", run.id, run.status, filter], (query) =>
    unwrap(
      api.GET("/api/artifact-evals/runs/{run_id}/results", { params: { path: { run_id: run.id }, query: { ...query, ...filter } } }),
    ),
  );
}

export function useArtifactEvalLoop(suite: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "loop", suite],
    queryFn: () => unwrap(api.GET("/api/artifact-evals/suites/{suite}/loop", { params: { path: { suite } } })),
  });
}

export function useArtifactEvalActions(suite: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = [TOPIC, slug];
  const onSettled = () => queryClient.invalidateQueries({ queryKey: mutationKey });
  const path = { suite };
  const start = useMutation({
    mutationKey,
    mutationFn: () => unwrap(api.POST("/api/artifact-evals/suites/{suite}/runs", { params: { path }, body: { id: newId() } })),
    onSettled,
  });
  const cancel = useMutation({
    mutationKey,
    mutationFn: (run_id: string) => unwrap(api.POST("/api/artifact-evals/runs/{run_id}/cancel", { params: { path: { run_id } } })),
    onSettled,
  });
  const changeSettings = useMutation({
    mutationKey,
    mutationFn: (body: ArtifactEvalSuiteSettings) =>
      unwrap(api.PUT("/api/artifact-evals/suites/{suite}/settings", { params: { path }, body })),
    onSettled,
  });
  const makeCriteriaSet = useMutation({
    mutationKey,
    mutationFn: () => unwrap(api.POST("/api/artifact-evals/suites/{suite}/criteria-set", { params: { path } })),
    onSettled: () =>
      Promise.all([onSettled(), queryClient.invalidateQueries({ queryKey: ["criteria_sets", slug] })]),
  });
  return { start, cancel, changeSettings, makeCriteriaSet };
}
