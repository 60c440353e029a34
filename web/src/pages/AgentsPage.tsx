import { Button } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import { Link, getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Agent } from "@/api/types";
import { AGENT_SORTS, AgentsTable } from "@/features/agents/components/AgentsTable";
import { AgentDialog } from "@/features/tenants/components/AgentDialog";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { readSort } from "@/ui/table/sort";
import { useNewDialog } from "@/ui/useNewDialog";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/settings/agents");

export function AgentsPage() {
  useTitle("Agents", "Settings");
  const [editing, setEditing] = useState<Agent | null>(null);
  const [opened, dialog] = useNewDialog();
  const canManage = useCan()("agents.team.manage");
  const navigate = route.useNavigate();
  const sort = readSort(route.useSearch(), AGENT_SORTS, { key: "name", dir: "asc" });
  const newAgent = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open}>
      New agent
    </Button>
  );
  const connect = (
    <Button variant="default" renderRoot={(props) => <Link to="/settings/agents/connect" {...props} />}>
      Connect an agent
    </Button>
  );
  return (
    <>
      <PageHeader
        order={2}
        title="Agents"
        description={
          canManage
            ? "Everything an agent writes is recorded under its name."
            : "Everything an agent writes is recorded under its name. An admin or the owner can name new agents and change them."
        }
        actions={
          <>
            <Button variant="subtle" renderRoot={(props) => <Link to="/settings/agents/sources" {...props} />}>
              Sources
            </Button>
            {connect}
            {canManage && newAgent}
          </>
        }
      />
      <AgentsTable
        sort={sort}
        onSort={({ key, dir }) => void navigate({ search: { sort: key, dir }, replace: true })}
        onEdit={setEditing}
        empty={
          <EmptyState title="No agents yet" action={canManage && newAgent}>
            Name your first agent, then give it an API key of its own.
          </EmptyState>
        }
      />
      <AgentDialog
        agent={editing ?? (opened && canManage ? "new" : null)}
        onClose={() => (editing ? setEditing(null) : dialog.close())}
      />
    </>
  );
}
