import { getRouteApi } from "@tanstack/react-router";
import { ConnectAgent } from "@/features/agents/components/ConnectAgent";
import { findSnippet } from "@/features/agents/lib/snippets";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/agents/connect");

export function ConnectAgentPage() {
  useTitle("Connect an agent", "Settings");
  const navigate = route.useNavigate();
  return (
    <>
      <BackLink to="/settings/agents">Agents</BackLink>
      <PageHeader
        order={2}
        title="Connect an agent"
        description="The lines that bring what your agent does here. Copy them, run it, and see it arrive."
      />
      <ConnectAgent
        snippet={findSnippet(route.useSearch().with)}
        onChoose={(id) => void navigate({ search: { with: id }, replace: true, resetScroll: false })}
      />
    </>
  );
}
