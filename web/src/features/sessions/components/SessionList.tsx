import { Button } from "@mantine/core";
import { MagnifyingGlassIcon, RocketIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "@/ui/states";
import { useSessions } from "../hooks/useSessions";
import { type SessionsSearch, isNarrowed, noFilters } from "../lib/search";
import { SessionFilters } from "./SessionFilters";
import { SessionTable } from "./SessionTable";

interface SessionListProps {
  search: SessionsSearch;
  onChange: (change: Partial<SessionsSearch>) => void;
}

/** What agents did, newest first. */
export function SessionList({ search, onChange }: SessionListProps) {
  const sessions = useSessions(search);
  const narrowed = isNarrowed(search);
  const nothingRan = !narrowed && sessions.rows?.length === 0;
  return (
    <>
      {!nothingRan && <SessionFilters search={search} onChange={onChange} />}
      <SessionTable
        label="Sessions"
        list={sessions}
        search={search}
        empty={narrowed ? <NothingMatches onClear={() => onChange(noFilters())} /> : <NoSessions />}
      />
    </>
  );
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<MagnifyingGlassIcon width={20} height={20} />}
      title="Nothing matches"
      action={
        <Button variant="default" mt="xs" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No session fits all of these filters. The search finds words that were said in a session, or their beginnings.
    </EmptyState>
  );
}

function NoSessions() {
  return (
    <EmptyState
      icon={<RocketIcon width={20} height={20} />}
      title="No sessions yet"
      action={
        <Button component={Link} to="/settings/keys" variant="default" mt="xs">
          Connect an agent
        </Button>
      }
    >
      A session is what an agent did in one run: what it was asked, which tools it called, what it answered. Those that
      run here and those that your own programs record are listed here.
    </EmptyState>
  );
}
