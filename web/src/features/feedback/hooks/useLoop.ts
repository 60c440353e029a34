import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { FeedbackSettings, NewImport } from "@/api/types";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { isChosen } from "@/features/conversations/lib/period";
import { type QualitySearch, type TrendsSearch, timesOf } from "../lib/search";
import { TOPIC } from "./useFeedback";

export const DAYS_SHOWN = 30; // of counts, unless told: the server's own default

/** How much of each source and rating came when. */
export function useCounts({ unit = "day", ...period }: TrendsSearch) {
  const { slug, api } = useTenant();
  const query = { unit, ...timesOf(isChosen(period) ? period : { days: period.days ?? DAYS_SHOWN }, new Date()) };
  return useQuery({
    queryKey: [TOPIC, slug, "counts", query],
    queryFn: () => unwrap(api.GET("/api/feedback/counts", { params: { query } })).then(({ data }) => data),
    placeholderData: keepPreviousData,
  });
}

export function useQualityLoop(search: QualitySearch) {
  const { slug, api } = useTenant();
  const query = timesOf(search, new Date());
  return useQuery({
    queryKey: [TOPIC, slug, "quality-loop", query],
    queryFn: () => unwrap(api.GET("/api/feedback/quality-loop", { params: { query } })),
    placeholderData: keepPreviousData,
  });
}

export function useFeedbackSettings() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  const queryKey = [TOPIC, slug, "settings"];
  const query = useQuery({ queryKey, queryFn: () => unwrap(api.GET("/api/feedback/settings")) });
  const change = useMutation({
    mutationKey: [TOPIC, slug],
    mutationFn: (body: FeedbackSettings) => unwrap(api.PUT("/api/feedback/settings", { body })),
    onSuccess: (settings) => queryClient.setQueryData(queryKey, settings),
  });
  return { query, change };
}

export function useImportKinds() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "import-kinds"],
    queryFn: () => unwrap(api.GET("/api/feedback/import")).then(({ data }) => data),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useImport() {
  const queryClient = useQueryClient();
  const { slug, api } = useTenant();
  return useMutation({
    mutationKey: [TOPIC, slug],
    mutationFn: (body: NewImport) => unwrap(api.POST("/api/feedback/import", { body })),
    onSuccess: ({ dry_run }) => (dry_run ? undefined : queryClient.invalidateQueries({ queryKey: [TOPIC, slug] })),
  });
}
