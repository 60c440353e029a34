import { EmptyState } from "@/ui/states";
import { useSessions } from "../hooks/useSessions";
import { SessionTable } from "./SessionTable";

/** What agents did about one record. */
export function RecordSessions({ entityId }: { entityId: string }) {
  const sessions = useSessions({ entity_id: entityId });
  return (
    <SessionTable
      label="Sessions about this record"
      list={sessions}
      search={{}}
      empty={
        <EmptyState title="No agent has worked on this record">
          When an agent works on it, each of its runs is listed here, step by step.
        </EmptyState>
      }
    />
  );
}
