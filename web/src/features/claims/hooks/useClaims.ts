import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { ClaimSettings, ClaimSource, ClaimSources, SupportedClaim } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useEveryPage } from "@/api/useEveryPage";
import { useEntityTypes } from "@/features/entity_types/hooks/useEntityTypes";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type ClaimWords, readWords } from "../lib/claims";

export function useClaimSettings() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["entities", slug, "claim_settings"],
    queryFn: () => unwrap(api.GET("/api/claims/settings")),
  });
}

/** What the workspace calls sources and claims; null while that is unknown, and where nothing of the kind is there. */
export function useClaimWords(): ClaimWords | null {
  const settings = useClaimSettings().data;
  // Among the types that there are: the one that is meant may not be there, and asking for it would be an error.
  const { rows: types } = useEveryPage(useEntityTypes());
  const sourceType = types?.find(({ slug }) => slug === settings?.source_type);
  return settings && sourceType ? readWords(settings, sourceType) : null;
}

export function useChangeClaimSettings() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: ["entities", slug],
    mutationFn: (body: ClaimSettings) => unwrap(api.PUT("/api/claims/settings", { body })),
    onSuccess: (settings) => {
      queryClient.setQueryData(["entities", slug, "claim_settings"], settings);
      return queryClient.invalidateQueries({ queryKey: ["entities", slug] });
    },
  });
}

/** What a claim rests on now, whether or not it was counted anew yet. */
export function useClaimSources(claimId: string) {
  const { slug, api } = useTenant();
  return usePagedList<ClaimSource, ClaimSources>(["entities", slug, "sources", claimId], (query) =>
    unwrap(api.GET("/api/entities/{entity_id}/sources", { params: { path: { entity_id: claimId }, query } })),
  );
}

export function useSupportedClaims(sourceId: string) {
  const { slug, api } = useTenant();
  return usePagedList<SupportedClaim>(["entities", slug, "claims", sourceId], (query) =>
    unwrap(api.GET("/api/entities/{entity_id}/claims", { params: { path: { entity_id: sourceId }, query } })),
  );
}
