import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { notifyProblem } from "@/ui/notify";
import { MAX_COLUMNS } from "../lib/search";

/** The fields that are columns of the list of a type: those of the address, else those that this person had last. */
export function useColumns(type: string | undefined, asked: readonly string[] | undefined) {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const path = { slug: type ?? "" };
  const queryKey = ["list_columns", slug, path.slug];
  const { data } = useQuery({
    queryKey,
    queryFn: () => unwrap(api.GET("/api/entity-types/{slug}/columns", { params: { path } })),
    enabled: type !== undefined,
  });
  const { mutate } = useMutation({
    mutationKey: ["list_columns", slug],
    scope: { id: queryKey.join("\n") }, // the last choice is the last to reach the server
    mutationFn: (columns: string[]) =>
      unwrap(api.PUT("/api/entity-types/{slug}/columns", { params: { path }, body: { columns } })),
    onMutate: (columns) => queryClient.setQueryData(queryKey, { columns }),
    onError: (error) => notifyProblem("Your columns were not kept", error),
  });
  const chosen = type ? [...(asked ?? data?.columns ?? [])].slice(0, MAX_COLUMNS) : [];
  return { chosen, keep: (columns: string[]) => mutate(columns) };
}
