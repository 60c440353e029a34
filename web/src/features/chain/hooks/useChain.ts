import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { ChainItem, Retraction } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import type { ChainSearch, RetractionsSearch } from "../lib/search";

export const TOPIC = "chain";
const MOST = 1000; // nodes: more than anybody looks at in a picture

export function useChain({ from, direction = "back" }: ChainSearch) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: [TOPIC, slug, "shown", { from, direction }],
    queryFn: () => unwrap(api.GET("/api/chain", { params: { query: { from: from ?? "", direction, nodes: MOST } } })),
    enabled: from !== undefined,
  });
}

/** The longest waiting first. */
export function useChainItems({ show, retraction }: RetractionsSearch) {
  const { slug, api } = useTenant();
  const filter = { ...(show === "all" ? {} : { waits: true }), ...(retraction ? { retraction } : {}) };
  return usePagedList<ChainItem>([TOPIC, slug, "items", filter], (query) =>
    unwrap(api.GET("/api/chain/items", { params: { query: { ...query, ...filter } } })),
  );
}

/** Newest first. */
export function useRetractions() {
  const { slug, api } = useTenant();
  return usePagedList<Retraction>([TOPIC, slug, "retractions"], (query) =>
    unwrap(api.GET("/api/chain/retractions", { params: { query } })),
  );
}

interface Settled {
  id: string;
  verdict: ChainItem["verdict"];
  note: string | null;
}

export function useRetracting() {
  const { slug, api } = useTenant();
  const queries = useQueryClient();
  const onSettled = () => Promise.all([queries.invalidateQueries({ queryKey: [TOPIC, slug] }), queries.invalidateQueries({ queryKey: ["inbox", slug] })]);
  return {
    retract: useMutation({
      mutationFn: (body: { ref: string; reason: string }) => unwrap(api.POST("/api/chain/retractions", { body })),
      onSettled: () => void onSettled(), // whoever retracts goes on to what is listed, and waits for nothing else
    }),
    undo: useMutation({
      mutationFn: (id: string) =>
        unwrap(api.POST("/api/chain/retractions/{retraction_id}/undo", { params: { path: { retraction_id: id } } })),
      onSettled,
    }),
    settle: useMutation({
      mutationFn: ({ id, verdict, note }: Settled) =>
        unwrap(api.PATCH("/api/chain/items/{item_id}", { params: { path: { item_id: id } }, body: { verdict, note } })),
      onSettled,
    }),
  };
}
