import { Anchor, Button, Text } from "@mantine/core";
import { MagnifyingGlassIcon } from "@radix-ui/react-icons";
import { Link } from "@tanstack/react-router";
import type { Conversation } from "@/api/types";
import { PagedRows } from "@/ui/PagedRows";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { useConversations } from "../hooks/useConversations";
import { type ConversationsSearch, isNarrowed, noFilters } from "../lib/search";
import { ConversationFilters } from "./ConversationFilters";
import { NoConversations } from "./NoConversations";
import { ReactionCounts } from "./ReactionCounts";
import classes from "./conversations.module.css";

interface ConversationListProps {
  search: ConversationsSearch;
  onChange: (change: Partial<ConversationsSearch>) => void;
}

/** Conversations with the newest turns first. */
export function ConversationList({ search, onChange }: ConversationListProps) {
  const conversations = useConversations(search);
  const narrowed = isNarrowed(search);
  const nobodyTalked = !narrowed && conversations.rows?.length === 0;
  return (
    <>
      {!nobodyTalked && <ConversationFilters search={search} onChange={onChange} />}
      <PagedRows
        list={conversations}
        what="conversations"
        empty={narrowed ? <NothingMatches onClear={() => onChange(noFilters())} /> : <NoConversations />}
      >
        {(rows) => (
          <DataTable
            label="Conversations"
            columns={columns(search)}
            rows={rows}
            rowKey={({ project, id }) => `${project}/${id}`}
          />
        )}
      </PagedRows>
    </>
  );
}

const columns = (search: ConversationsSearch): Column<Conversation>[] => [
  {
    key: "title",
    header: "Conversation",
    cell: ({ project, id, title, turns }) => (
      <>
        <Anchor
          size="sm"
          fw={550}
          c="inherit"
          className={classes.title}
          dir="auto"
          renderRoot={(props) => (
            <Link
              to="/admin/agent-review/conversations/$project/$conversation"
              params={{ project, conversation: id }}
              search={{}}
              state={{ conversations: search }}
              {...props}
            />
          )}
        >
          {title || id}
        </Anchor>
        <Text size="xs" c="dimmed" className={classes.title}>
          <bdi>{project}</bdi> · <bdi>{id}</bdi> · {turns === 1 ? "1 turn" : `${turns.toLocaleString("en")} turns`}
        </Text>
      </>
    ),
  },
  { key: "agent", header: "Agent", cell: ({ agent }) => <Name>{agent}</Name> },
  { key: "user", header: "User", cell: ({ user_id }) => <Name>{user_id}</Name> },
  {
    key: "reactions",
    header: "Reactions",
    cell: ({ feedback_counts }) => <ReactionCounts counts={feedback_counts} />,
  },
  { key: "last", header: "Last turn", cell: ({ last_activity_at }) => <RelativeTime value={last_activity_at} /> },
];

/** A word of somebody else's, of any length. */
function Name({ children }: { children: string | null }) {
  return <bdi className={classes.name}>{children ?? "–"}</bdi>;
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
      No conversation fits all of these filters. The search finds words that were said, or their beginnings, some seconds
      after they came in.
    </EmptyState>
  );
}
