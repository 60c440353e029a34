import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { newId } from "@/api/ids";
import type { EvalJudge, JudgeDisagreement, LabelItem, NewLabel, QueuedSample } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import type { LicenceStatus } from "../lib/judges";

/** What people label is told under a topic of its own, which those who label may hear. */
const JUDGES = "eval_judges";
const LABELS = "eval_labels";

export function useJudges(filter: { status?: LicenceStatus | undefined; set?: string | undefined }) {
  const { slug, api } = useTenant();
  const wanted = { ...(filter.status ? { status: filter.status } : {}), ...(filter.set ? { set: filter.set } : {}) };
  return usePagedList<EvalJudge>([JUDGES, slug, "list", wanted], (query) =>
    unwrap(api.GET("/api/admin/evals/judges", { params: { query: { ...query, ...wanted } } })),
  );
}

export function useJudge(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [JUDGES, slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/admin/evals/judges/{judge_id}", { params: { path: { judge_id: id } } })),
  });
}

export function useDisagreements(id: string) {
  const { slug, api } = useTenant();
  return usePagedList<JudgeDisagreement>([JUDGES, slug, "disagreements", { about: id }], (query) =>
    unwrap(api.GET("/api/admin/evals/judges/{judge_id}/disagreements", { params: { path: { judge_id: id }, query } })),
  );
}

/** Drawing a sample, ending it, giving a licence and taking it back. */
export function useJudgeActs(judgeId: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const onSettled = () =>
    Promise.all([JUDGES, LABELS, "eval_runs", "inbox"].map((topic) => queryClient.invalidateQueries({ queryKey: [topic, slug] })));
  const path = { judge_id: judgeId };
  const draw = useMutation({
    mutationKey: [JUDGES, slug],
    mutationFn: (size: number) => unwrap(api.POST("/api/admin/evals/judges/{judge_id}/samples", { params: { path }, body: { size, labelsEach: 1, id: newId() } })),
    onSettled,
  });
  const stop = useMutation({
    mutationKey: [JUDGES, slug],
    mutationFn: (sample_id: string) =>
      unwrap(api.POST("/api/admin/evals/judges/{judge_id}/samples/{sample_id}/stop", { params: { path: { ...path, sample_id } } })),
    onSettled,
  });
  const license = useMutation({
    mutationKey: [JUDGES, slug],
    mutationFn: () => unwrap(api.POST("/api/admin/evals/judges/{judge_id}/licences", { params: { path } })),
    onSettled,
  });
  const withdraw = useMutation({
    mutationKey: [JUDGES, slug],
    mutationFn: (licence_id: string) =>
      unwrap(api.POST("/api/admin/evals/judges/{judge_id}/licences/{licence_id}/withdraw", { params: { path: { ...path, licence_id } } })),
    onSettled,
  });
  return { draw, stop, license, withdraw };
}

export function useQueuedSamples() {
  const { slug, api } = useTenant();
  return usePagedList<QueuedSample>([LABELS, slug, "queue"], (query) => unwrap(api.GET("/api/admin/evals/judges/queue", { params: { query } })));
}

/** The replay that waits next in a sample, or one that was labelled before. */
export function useLabelItem(sampleId: string, replayId: string | undefined) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [LABELS, slug, "item", sampleId, replayId ?? "next"],
    queryFn: async (): Promise<LabelItem | null> => {
      if (replayId === undefined) {
        const { item } = await unwrap(api.GET("/api/admin/evals/judges/queue/{sample_id}/next", { params: { path: { sample_id: sampleId } } }));
        return item ?? null;
      }
      const path = { sample_id: sampleId, replay_id: replayId };
      return await unwrap(api.GET("/api/admin/evals/judges/queue/{sample_id}/replays/{replay_id}", { params: { path } }));
    },
    gcTime: 0, // what waits next changes with every label
  });
}

export function useLabel(sampleId: string) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: [LABELS, slug],
    mutationFn: ({ replayId, body }: { replayId: string; body: NewLabel }) =>
      unwrap(
        api.PUT("/api/admin/evals/judges/queue/{sample_id}/replays/{replay_id}", {
          params: { path: { sample_id: sampleId, replay_id: replayId } },
          body,
        }),
      ),
    onSettled: () => Promise.all([LABELS, JUDGES, "inbox"].map((topic) => queryClient.invalidateQueries({ queryKey: [topic, slug] }))),
  });
}
