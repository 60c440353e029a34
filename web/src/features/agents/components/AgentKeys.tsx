import { Button, Group } from "@mantine/core";
import { PlusIcon } from "@radix-ui/react-icons";
import type { Agent } from "@/api/types";
import { KEY_SORTS, KeysTable } from "@/features/tenants/components/KeysTable";
import { NewKeyDialog } from "@/features/tenants/components/NewKeyDialog";
import { useCan } from "@/features/tenants/hooks/useWorkspace";
import { EmptyState } from "@/ui/states";
import { type Sort, readSort } from "@/ui/table/sort";
import { useNewDialog } from "@/ui/useNewDialog";
import type { AgentSearch } from "../lib/search";

interface AgentKeysProps {
  agent: Agent;
  search: AgentSearch;
  onSort: (sort: Sort) => void;
}

/** The keys that an agent signs in with. */
export function AgentKeys({ agent, search, onSort }: AgentKeysProps) {
  const [opened, dialog] = useNewDialog();
  const canManage = useCan()("keys.team.manage");
  const newKey = (
    <Button leftSection={<PlusIcon />} disabled={!agent.active} onClick={dialog.open}>
      New key
    </Button>
  );
  return (
    <>
      {canManage && (
        <Group justify="flex-end" mb="sm">
          {newKey}
        </Group>
      )}
      <KeysTable
        status={undefined}
        holderId={agent.id}
        sort={readSort(search, KEY_SORTS, { key: "created_at", dir: "desc" })}
        onSort={onSort}
        empty={<EmptyState title="No keys yet">An agent that runs elsewhere signs in with a key of its own.</EmptyState>}
      />
      <NewKeyDialog opened={opened && canManage} agentId={agent.id} onClose={dialog.close} />
    </>
  );
}
