import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/api/client";
import type { AuditEntry } from "@/api/types";
import { usePagedList } from "@/api/usePagedList";
import { useTenant } from "@/features/tenants/hooks/useWorkspace";
import { type AuditSearch, toQuery } from "../lib/search";

export function useAudit({ entry: _entry, ...search }: AuditSearch) {
  const { slug, api } = useTenant();
  return usePagedList<AuditEntry>(["audit", slug, "list", search], (query) =>
    unwrap(api.GET("/api/audit", { params: { query: { ...query, ...toQuery(search, new Date()) } } })),
  );
}

export function useAuditEntry(id: string) {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["audit", slug, "one", { about: id }],
    queryFn: () => unwrap(api.GET("/api/audit/{entry_id}", { params: { path: { entry_id: id } } })),
  });
}

/** All events that there are. */
export function useDeclaredEvents() {
  const { slug, api } = useTenant();
  return useQuery({
    queryKey: ["audit", slug, "events"],
    queryFn: () => unwrap(api.GET("/api/audit/events")),
    staleTime: Infinity,
  });
}

/** The file of what is listed, all of it. */
export function useAuditFile(search: AuditSearch) {
  const { api } = useTenant();
  return (format: "csv" | "jsonl") =>
    unwrap(api.GET("/api/audit/export", { params: { query: { ...toQuery(search, new Date()), format } }, parseAs: "text" }));
}
