import { getRouteApi, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";
import { toProblem } from "@/api/problem";
import type { AgentSession } from "@/api/types";
import { ChildSessions } from "@/features/sessions/components/ChildSessions";
import { SessionBody } from "@/features/sessions/components/SessionBody";
import { SessionHeader, titleOf } from "@/features/sessions/components/SessionHeader";
import { SessionNotices } from "@/features/sessions/components/SessionNotices";
import { useAgentSession } from "@/features/sessions/hooks/useSessions";
import { EraseButton } from "@/features/erasures/components/EraseButton";
import { PromoteButton } from "@/features/evals/components/PromoteButton";
import { FeedbackAbout } from "@/features/feedback/components/FeedbackAbout";
import { FlagButton } from "@/features/feedback/components/FlagButton";
import { WhyInPrompt } from "@/features/knowledge/components/WhyInPrompt";
import { BackLink } from "@/ui/BackLink";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, LoadingRows, NoAccess } from "@/ui/states";
import { useTitle } from "@/ui/useTitle";

const route = getRouteApi("/shell/sessions/$id");

export function SessionPage() {
  const { id } = route.useParams();
  const from = useRouterState({ select: ({ location }) => location.state.sessions });
  return (
    <>
      <BackLink to="/admin/agent-review/sessions" search={from ?? {}}>
        Sessions
      </BackLink>
      <Body key={id} id={id} />
    </>
  );
}

function Body({ id }: { id: string }) {
  const { data: session, error, isPending, refetch } = useAgentSession(id);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onLink = useCallback(
    (event: number | undefined) =>
      void navigate({ search: (before) => ({ ...before, event }), state: true, replace: true, resetScroll: false }),
    [navigate],
  );
  useTitle(session && titleOf(session), "Sessions");
  if (!session) {
    return (
      <>
        <PageHeader title="Session" />
        {isPending ? <LoadingRows label="the session" /> : <NotShown error={error} onRetry={() => void refetch()} />}
      </>
    );
  }
  return (
    <>
      <SessionHeader session={session} acts={<SessionPageActs session={session} />} />
      <SessionNotices session={session} />
      <FeedbackAbout about={{ session_id: session.id }} />
      <WhyInPrompt session={session} />
      <ChildSessions parentId={session.id} />
      <SessionBody session={session} search={search} onLink={onLink} />
    </>
  );
}

/** What other features let one do with a session. */
function SessionPageActs({ session }: { session: AgentSession }) {
  return (
    <>
      <FlagButton flagged={{ what: "session", session_id: session.id }} />
      <PromoteButton session={session} />
      <EraseButton what="this session" erasure={{ kind: "session", session_id: session.id }} />
    </>
  );
}

function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { status } = toProblem(error);
  if (status === 403) return <NoAccess what="sessions" />;
  if (status === 404 || status === 422) {
    return <EmptyState title="There is no such session">It may belong to another workspace, or the address is wrong.</EmptyState>;
  }
  return <ErrorState error={error} onRetry={onRetry} />;
}
