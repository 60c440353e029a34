import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { tenantApi, unwrap } from "@/api/client";
import type { SessionWorkspace } from "@/api/types";
import { allows } from "../lib/permissions";
import { sessionQuery } from "../lib/sessionQuery";
import { chosenWorkspace, pickWorkspace, subscribeToChoice } from "../lib/workspaceChoice";
import { useSession } from "./useSession";

/** The workspace this tab shows, or null for someone who is in none. */
export function useCurrentWorkspace(): SessionWorkspace | null {
  const session = useSession();
  const slug = useSyncExternalStore(subscribeToChoice, chosenWorkspace);
  return pickWorkspace(session.workspaces, slug);
}

/**
 * The workspace's slug, the way to its data, and who this person is in it (their account has an id of its own). The slug is the second part of every query key and
 * mutation key, so that two workspaces never mix; the client belongs to that slug for good.
 */
export function useTenant() {
  const { slug = "", user_id: userId = "" } = useCurrentWorkspace() ?? {};
  return { slug, api: tenantApi(slug), userId };
}

export function useWorkspace() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["workspace", slug],
    queryFn: () => unwrap(api.GET("/api/workspace")),
    enabled: slug !== "",
  });
}

/** Says no until it knows better: a button that appears is kinder than one that fails. */
export function useCan(): (permission: string) => boolean {
  const { data } = useWorkspace();
  return (permission) => allows(data?.permissions ?? [], permission);
}

export function useRenameWorkspace() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["workspace", slug],
    mutationFn: (name: string) => unwrap(api.PATCH("/api/workspace", { body: { name } })),
    onSuccess: (workspace) => {
      queryClient.setQueryData(["workspace", slug], workspace);
      return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}

export function usePermissions() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["permissions", slug],
    queryFn: () => unwrap(api.GET("/api/permissions")),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
