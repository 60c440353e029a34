import { getRouteApi, useRouterState } from "@tanstack/react-router";
import { Fragment } from "react";
import { toProblem } from "@/api/problem";
import type { Conversation } from "@/api/types";
import { ReactionCounts } from "@/features/conversations/components/ReactionCounts";
import { isSessionId } from "@/features/conversations/components/Turn";
import { TranscriptView } from "@/features/conversations/components/TranscriptView";
import { useTranscriptAt } from "@/features/conversations/hooks/useLinkedTurn";
import { EraseButton } from "@/features/erasures/components/EraseButton";
import { PromoteTurnButton } from "@/features/evals/components/PromoteButton";
import { FeedbackAbout } from "@/features/feedback/components/FeedbackAbout";
import { FeedbackOfTurn } from "@/features/feedback/components/FeedbackOfTurn";
import { FlagButton } from "@/features/feedback/components/FlagButton";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { RelativeTime } from "@/ui/RelativeTime";
import { EmptyState, ErrorState, LoadingRows, NoAccess } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/admin/agent-review/conversations/$project/$conversation");

export function ConversationPage() {
  const { project, conversation } = route.useParams();
  const from = useRouterState({ select: ({ location }) => location.state.conversations });
  return (
    <>
      <BackLink to="/admin/agent-review/conversations" search={from ?? {}}>
        Conversations
      </BackLink>
      <Body key={`${project}/${conversation}`} project={project} conversation={conversation} />
    </>
  );
}

const TITLE_SHOWN = 90; // characters; all of it is said in the first turn

function shorten(title: string): string {
  return title.length > TITLE_SHOWN ? `${title.slice(0, TITLE_SHOWN).trimEnd()}…` : title;
}

interface BodyProps {
  project: string;
  conversation: string;
}

function Body({ project, conversation }: BodyProps) {
  const { turn } = route.useSearch();
  const { query, turns, isGone } = useTranscriptAt(project, conversation, turn);
  const summary = query.data?.pages[0]?.conversation;
  useTitle(summary?.title || conversation, "Agent review");
  if (!summary || !turns) {
    if (query.isPending) return <LoadingRows label="the conversation" />;
    const { status, code } = toProblem(query.error);
    if (status === 403) return <NoAccess what="conversations" />;
    if (code === "turn_not_found") return <LoadingRows label="the conversation" />; // is read from its beginning next
    if (status === 404) {
      return <EmptyState title="There is no such conversation">It may have been deleted, or the address is wrong.</EmptyState>;
    }
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={shorten(summary.title || conversation)}
        description={<About conversation={summary} />}
        actions={
          <>
            <ReactionCounts counts={summary.feedback_counts} none="No reactions" />
            <EraseButton what="this conversation" erasure={{ kind: "conversation", project, conversation_id: conversation }} />
          </>
        }
      />
      <FeedbackAbout about={{ project, conversation_id: conversation }} />
      <TranscriptView
        project={project}
        conversation={conversation}
        turns={turns}
        linked={turn}
        isLinkedGone={isGone}
        extra={{
          acts: (turnId) => (
            <>
              <FlagButton flagged={{ what: "turn", project, conversation_id: conversation, turn_id: turnId }} isSmall />
              <PromoteTurn sessionId={turns.find(({ turn_id }) => turn_id === turnId)?.session_id ?? null} />
            </>
          ),
          notes: (turnId) => <FeedbackOfTurn project={project} conversation={conversation} turnId={turnId} />,
        }}
        earlier={{
          has: query.hasPreviousPage,
          isLoading: query.isFetchingPreviousPage,
          load: () => void query.fetchPreviousPage(),
        }}
        later={{ has: query.hasNextPage, isLoading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }}
      />
    </>
  );
}

/** Only what is recorded here can be golden. */
function PromoteTurn({ sessionId }: { sessionId: string | null }) {
  return isSessionId(sessionId) ? <PromoteTurnButton sessionId={sessionId} /> : null;
}

function About({ conversation: { project, id, agent, user_id, turns, started_at } }: { conversation: Conversation }) {
  return (
    <>
      {[project, id, agent, user_id].map((part, place) => part !== null && <Fragment key={place}><bdi>{part}</bdi> · </Fragment>)}
      {turns === 1 ? "1 turn" : `${turns.toLocaleString("en")} turns`} · began <RelativeTime value={started_at} />
    </>
  );
}
