import { getRouteApi } from "@tanstack/react-router";
import { AuditDrawer } from "@/features/audit/components/AuditDrawer";
import { AuditFilters } from "@/features/audit/components/AuditFilters";
import { AuditTable } from "@/features/audit/components/AuditTable";
import type { AuditSearch } from "@/features/audit/lib/search";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/audit");

export function AuditPage() {
  useTitle("Audit", "Settings");
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const narrow = (change: Partial<AuditSearch>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const open = (entry: string | undefined) => void navigate({ search: (before) => ({ ...before, entry }) });
  return (
    <section>
      <PageHeader
        order={2}
        title="Audit"
        description="Who did what, when, with which key and from where, newest first. Nobody can change it."
      />
      <AuditFilters search={search} onChange={narrow} />
      <AuditTable search={search} onOpen={open} />
      <AuditDrawer id={search.entry} onClose={() => open(undefined)} onNarrow={(only) => void navigate({ search: only })} />
    </section>
  );
}
