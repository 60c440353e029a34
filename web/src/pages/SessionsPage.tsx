import { getRouteApi } from "@tanstack/react-router";
import { SessionList } from "@/features/sessions/components/SessionList";
import type { SessionsSearch } from "@/features/sessions/lib/search";
import { TabSection } from "@/ui/LinkTabs";

const route = getRouteApi("/shell/admin/agent-review/sessions");

export function SessionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<SessionsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <TabSection heading="Sessions">
      <SessionList search={search} onChange={change} />
    </TabSection>
  );
}
