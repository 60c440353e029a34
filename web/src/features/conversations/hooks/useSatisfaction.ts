import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { DAYS_SHOWN, bounds, isChosen } from "../lib/period";
import type { SatisfactionSearch, GroupBy } from "../lib/search";
import { TOPIC } from "./useConversations";

/** What the server is asked for by an address. */
function toQuery({ bucket, project, agent, origin, user_type, ...period }: SatisfactionSearch, by: GroupBy | undefined) {
  return {
    bucket: bucket ?? ("week" as const),
    ...(by ? { by } : {}),
    ...(project ? { project } : {}),
    ...(agent ? { agent } : {}),
    ...(origin ? { origin } : {}),
    ...(user_type ? { user_type } : {}),
    ...bounds(isChosen(period) ? period : { days: period.days ?? DAYS_SHOWN }, new Date()),
  };
}

export function useSatisfaction(search: SatisfactionSearch, by: GroupBy | undefined, wanted = true) {
  const { slug, api } = useTenant();
  const query = toQuery(search, by);
  return useQuery({
    queryKey: [TOPIC, slug, "satisfaction", query],
    queryFn: () => unwrap(api.GET("/api/conversations/satisfaction", { params: { query } })),
    enabled: wanted,
    placeholderData: keepPreviousData,
  });
}

/** The table for spreadsheets of what is shown. */
export function useSatisfactionCsv(search: SatisfactionSearch) {
  const { api } = useTenant();
  return () =>
    unwrap(
      api.GET("/api/conversations/satisfaction.csv", { params: { query: toQuery(search, search.by) }, parseAs: "text" }),
    );
}
