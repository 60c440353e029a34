import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { Job, JobStatus, Mark } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

export function useJobs({ status, routine }: { status?: JobStatus | undefined; routine?: boolean }) {
  const { slug, api } = useTenant();
  const narrowed = { ...(status ? { status } : {}), ...(routine === undefined ? {} : { routine }) };
  return usePagedList<Job>(["jobs", slug, "list", narrowed], (query) =>
    unwrap(api.GET("/api/jobs", { params: { query: { ...query, ...narrowed } } })),
  );
}

export function useJob(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["jobs", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/jobs/{job_id}", { params: { path: { job_id: id } } })),
  });
}

export function useJobActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = ["jobs", slug];
  const onSettled = () => queryClient.invalidateQueries({ queryKey: mutationKey });
  const retry = useMutation({
    mutationKey,
    mutationFn: (job_id: string) => unwrap(api.POST("/api/jobs/{job_id}/retry", { params: { path: { job_id } } })),
    onSettled,
  });
  const cancel = useMutation({
    mutationKey,
    mutationFn: (job_id: string) => unwrap(api.POST("/api/jobs/{job_id}/cancel", { params: { path: { job_id } } })),
    onSettled,
  });
  return { retry, cancel };
}

export function useMarks() {
  const { slug, api } = useTenant();
  return usePagedList<Mark>(["marks", slug], (query) => unwrap(api.GET("/api/marks", { params: { query } })));
}

export function useRetryMark() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["marks", slug],
    mutationFn: (body: { kind: string; key: string }) => unwrap(api.POST("/api/marks/retry", { body })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["marks", slug] }),
  });
}
