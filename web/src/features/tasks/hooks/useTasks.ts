import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { NewTask, Task, TaskChange } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";

/** Newest first, each with its newest session. */
export function useTasks() {
  const { slug, api } = useTenant();
  return usePagedList<Task>(["tasks", slug, "list"], (query) => unwrap(api.GET("/api/tasks", { params: { query } })));
}

export function useTask(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["tasks", slug, "one", id],
    queryFn: () => unwrap(api.GET("/api/tasks/{task_id}", { params: { path: { task_id: id } } })),
  });
}

const LAST = 20; // runs: what one looks at on a page

/** The newest sessions of a task. */
export function useRunsOf(taskId: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["sessions", slug, "of_task", taskId],
    queryFn: () => unwrap(api.GET("/api/sessions", { params: { query: { task_id: taskId, limit: LAST } } })),
  });
}

export function useTaskActions() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const mutationKey = ["tasks", slug];
  const refresh = () => queryClient.invalidateQueries({ queryKey: mutationKey });
  const create = useMutation({
    mutationKey,
    mutationFn: (body: NewTask) => unwrap(api.POST("/api/tasks", { body })),
    onSuccess: refresh,
  });
  const change = useMutation({
    mutationKey,
    mutationFn: ({ id, ...body }: TaskChange & { id: string }) =>
      unwrap(api.PATCH("/api/tasks/{task_id}", { params: { path: { task_id: id } }, body })),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationKey,
    mutationFn: (id: string) => unwrap(api.DELETE("/api/tasks/{task_id}", { params: { path: { task_id: id } } })),
    onSuccess: refresh,
  });
  const run = useMutation({
    mutationKey,
    mutationFn: (id: string) =>
      unwrap(api.POST("/api/tasks/{task_id}/run", { params: { path: { task_id: id } }, body: {} })),
    onSuccess: () =>
      Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: ["sessions", slug] })]).then(() => undefined),
  });
  return { create, change, remove, run };
}
