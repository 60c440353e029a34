/** Every address of the UI, and what its search part may say. */
import type { QueryClient } from "@tanstack/react-query";
import {
  Outlet,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import * as v from "valibot";
import { agentSearch, connectSearch } from "@/features/agents/lib/search";
import { suiteSearch } from "@/features/artifact_evals/lib/search";
import { chainSearch, retractionsSearch } from "@/features/chain/lib/search";
import {
  conversationsSearch,
  findMoved,
  satisfactionSearch,
  transcriptSearch,
  unclearSearch,
} from "@/features/conversations/lib/search";
import { evalRunSearch, evalsSearch, labellingSearch } from "@/features/evals/lib/search";
import { flag, recordSearch, recordsSearch } from "@/features/entities/lib/search";
import { feedbackSearch, groupsSearch, qualitySearch, trendsSearch } from "@/features/feedback/lib/search";
import { knowledgeSearch, promptSearch } from "@/features/knowledge/lib/search";
import { reviewSearch } from "@/features/inbox/lib/search";
import { auditSearch } from "@/features/audit/lib/search";
import { JOB_STATUSES } from "@/features/jobs/lib/status";
import { sessionSearch, sessionsSearch } from "@/features/sessions/lib/search";
import { sessionQuery } from "@/features/tenants/lib/sessionQuery";
import { DELIVERY_STATUSES } from "@/features/webhooks/lib/webhooks";
import { CrashPage } from "./pages/CrashPage";
import { JoinPage } from "./pages/JoinPage";
import { NotFoundPage } from "./pages/NotFoundPage";
import { PendingPage } from "./pages/PendingPage";
import { ProviderPage } from "./pages/ProviderPage";
import { ResetPage } from "./pages/ResetPage";
import { Shell } from "./pages/Shell";
import { SignInPage } from "./pages/SignInPage";

/** A value that cannot be used counts as not given. */
function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

const listSearch = {
  sort: lenient(v.string()),
  dir: lenient(v.picklist(["asc", "desc"])),
  /** Whether the form for a new one is open. */
  new: flag,
};

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: v.object({ next: lenient(v.string()) }),
  component: SignInPage,
});

const providerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in/$provider",
  component: ProviderPage,
  beforeLoad: ({ context }) => context.queryClient.ensureQueryData(sessionQuery).then(() => {}),
});

const resetRoute = createRoute({ getParentRoute: () => rootRoute, path: "/reset", component: ResetPage });

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/join",
  component: JoinPage,
  beforeLoad: ({ context }) => context.queryClient.ensureQueryData(sessionQuery).then(() => {}),
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session) return;
    throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
  },
});

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/records", replace: true });
  },
});

const recordsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/records",
  validateSearch: recordsSearch,
  component: lazyRouteComponent(() => import("./pages/RecordsPage"), "RecordsPage"),
});

const recordImportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/records/import",
  validateSearch: v.object({ type: lenient(v.string()) }),
  component: lazyRouteComponent(() => import("./pages/RecordImportPage"), "RecordImportPage"),
});

const recordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/records/$id",
  validateSearch: recordSearch,
  component: lazyRouteComponent(() => import("./pages/RecordPage"), "RecordPage"),
});

const artifactEvalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/artifact-evals",
  component: lazyRouteComponent(() => import("./pages/ArtifactEvalsPage"), "ArtifactEvalsPage"),
});

const artifactEvalSuiteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/artifact-evals/$suite",
  validateSearch: suiteSearch,
  component: lazyRouteComponent(() => import("./pages/ArtifactEvalSuitePage"), "ArtifactEvalSuitePage"),
});

/** What artifact evals were called: links and bookmarks still lead there. */
const formerEvalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/knowledge-evals",
  beforeLoad: () => {
    throw redirect({ to: "/artifact-evals", replace: true });
  },
});

const formerSuiteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/knowledge-evals/$suite",
  validateSearch: suiteSearch,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: "/artifact-evals/$suite", params, search, replace: true });
  },
});

const tasksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tasks",
  component: lazyRouteComponent(() => import("./pages/TasksPage"), "TasksPage"),
});

const reviewQueueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tasks/review",
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import("./pages/ReviewQueuePage"), "ReviewQueuePage"),
});

const taskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tasks/$id",
  component: lazyRouteComponent(() => import("./pages/TaskPage"), "TaskPage"),
});

const agentReviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review",
  component: lazyRouteComponent(() => import("./pages/AgentReviewPage"), "AgentReviewPage"),
});

/** Conversations stood here until they had addresses of their own. */
const agentReviewHomeRoute = createRoute({
  getParentRoute: () => agentReviewRoute,
  path: "/",
  beforeLoad: ({ search }) => {
    throw redirect({ ...findMoved(search), replace: true });
  },
});

const conversationsRoute = createRoute({
  getParentRoute: () => agentReviewRoute,
  path: "/conversations",
  staticData: { tab: "Conversations" },
  component: Outlet,
});

const conversationListRoute = createRoute({
  getParentRoute: () => conversationsRoute,
  path: "/",
  validateSearch: conversationsSearch,
  component: lazyRouteComponent(() => import("./pages/ConversationsPage"), "ConversationsPage"),
});

const unclearReactionsRoute = createRoute({
  getParentRoute: () => conversationsRoute,
  path: "/unclear",
  validateSearch: unclearSearch,
  component: lazyRouteComponent(() => import("./pages/UnclearReactionsPage"), "UnclearReactionsPage"),
});

const satisfactionRoute = createRoute({
  getParentRoute: () => conversationsRoute,
  path: "/satisfaction",
  validateSearch: satisfactionSearch,
  component: lazyRouteComponent(() => import("./pages/SatisfactionPage"), "SatisfactionPage"),
});

const sessionsRoute = createRoute({
  getParentRoute: () => agentReviewRoute,
  path: "/sessions",
  staticData: { tab: "Sessions" },
  validateSearch: sessionsSearch,
  component: lazyRouteComponent(() => import("./pages/SessionsPage"), "SessionsPage"),
});

const feedbackRoute = createRoute({
  getParentRoute: () => agentReviewRoute,
  path: "/feedback",
  staticData: { tab: "Feedback" },
  component: Outlet,
});

const feedbackGroupsRoute = createRoute({
  getParentRoute: () => feedbackRoute,
  path: "/",
  validateSearch: groupsSearch,
  component: lazyRouteComponent(() => import("./pages/FeedbackGroupsPage"), "FeedbackGroupsPage"),
});

const singleFeedbackRoute = createRoute({
  getParentRoute: () => feedbackRoute,
  path: "/single",
  validateSearch: feedbackSearch,
  component: lazyRouteComponent(() => import("./pages/SingleFeedbackPage"), "SingleFeedbackPage"),
});

const allFeedbackRoute = createRoute({
  getParentRoute: () => feedbackRoute,
  path: "/all",
  validateSearch: feedbackSearch,
  component: lazyRouteComponent(() => import("./pages/AllFeedbackPage"), "AllFeedbackPage"),
});

const feedbackTrendsRoute = createRoute({
  getParentRoute: () => feedbackRoute,
  path: "/trends",
  validateSearch: trendsSearch,
  component: lazyRouteComponent(() => import("./pages/FeedbackTrendsPage"), "FeedbackTrendsPage"),
});

const qualityLoopRoute = createRoute({
  getParentRoute: () => feedbackRoute,
  path: "/quality",
  validateSearch: qualitySearch,
  component: lazyRouteComponent(() => import("./pages/QualityLoopPage"), "QualityLoopPage"),
});

const feedbackImportRoute = createRoute({
  getParentRoute: () => feedbackRoute,
  path: "/import",
  component: lazyRouteComponent(() => import("./pages/FeedbackImportPage"), "FeedbackImportPage"),
});

const knowledgeRoute = createRoute({
  getParentRoute: () => agentReviewRoute,
  path: "/knowledge",
  staticData: { tab: "Knowledge" },
  component: Outlet,
});

const knowledgeRowsRoute = createRoute({
  getParentRoute: () => knowledgeRoute,
  path: "/",
  validateSearch: knowledgeSearch,
  component: lazyRouteComponent(() => import("./pages/KnowledgePage"), "KnowledgePage"),
});

const knowledgePromptRoute = createRoute({
  getParentRoute: () => knowledgeRoute,
  path: "/prompt",
  validateSearch: promptSearch,
  component: lazyRouteComponent(() => import("./pages/KnowledgePromptPage"), "KnowledgePromptPage"),
});

const reviewAgentRoute = createRoute({
  getParentRoute: () => knowledgeRoute,
  path: "/review",
  component: lazyRouteComponent(() => import("./pages/ReviewAgentPage"), "ReviewAgentPage"),
});

const evalsRoute = createRoute({
  getParentRoute: () => agentReviewRoute,
  path: "/evals",
  staticData: { tab: "Evals" },
  validateSearch: evalsSearch,
  component: lazyRouteComponent(() => import("./pages/EvalsPage"), "EvalsPage"),
});

const evalRunRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/evals/runs/$id",
  validateSearch: evalRunSearch,
  component: lazyRouteComponent(() => import("./pages/EvalRunPage"), "EvalRunPage"),
});

const evalGoldenRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/evals/golden/$id",
  component: lazyRouteComponent(() => import("./pages/EvalGoldenPage"), "EvalGoldenPage"),
});

const evalJudgesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/evals/judges",
  beforeLoad: () => {
    throw redirect({ to: "/admin/agent-review/evals", search: { tab: "judges" }, replace: true });
  },
});

const evalJudgeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/evals/judges/$id",
  component: lazyRouteComponent(() => import("./pages/EvalJudgePage"), "EvalJudgePage"),
});

const labellingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/evals/labelling",
  validateSearch: labellingSearch,
  component: lazyRouteComponent(() => import("./pages/LabellingPage"), "LabellingPage"),
});

const evalExperimentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/evals/experiments/$id",
  component: lazyRouteComponent(() => import("./pages/EvalExperimentPage"), "EvalExperimentPage"),
});

const evalReplayRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/evals/replays/$id",
  component: lazyRouteComponent(() => import("./pages/EvalReplayPage"), "EvalReplayPage"),
});

const sessionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/sessions/$id",
  validateSearch: sessionSearch,
  component: lazyRouteComponent(() => import("./pages/SessionPage"), "SessionPage"),
});

/** What runs is listed beside what waits. */
const sessionsHomeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/sessions",
  beforeLoad: () => {
    throw redirect({ to: "/tasks", replace: true });
  },
});

const chainRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/chain",
  validateSearch: chainSearch,
  component: lazyRouteComponent(() => import("./pages/ChainPage"), "ChainPage"),
});

const retractionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/chain/retractions",
  validateSearch: retractionsSearch,
  component: lazyRouteComponent(() => import("./pages/RetractionsPage"), "RetractionsPage"),
});

const conversationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/agent-review/conversations/$project/$conversation",
  validateSearch: transcriptSearch,
  component: lazyRouteComponent(() => import("./pages/ConversationPage"), "ConversationPage"),
});

/** The short way, and what older links say. */
const oldConversationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin/conversations/$",
  beforeLoad: ({ location }) => {
    throw redirect({ href: location.href.replace("/admin/conversations", "/admin/agent-review/conversations"), replace: true });
  },
});

const buildRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/build",
  component: lazyRouteComponent(() => import("./pages/BuildLayout"), "BuildLayout"),
});

const buildHomeRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/build/types", replace: true });
  },
});

const typesRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/types",
  validateSearch: v.object(listSearch),
  component: lazyRouteComponent(() => import("./pages/EntityTypesPage"), "EntityTypesPage"),
});

const typeRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/types/$slug",
  validateSearch: v.object({ tab: lenient(v.picklist(["fields", "json"])) }),
  component: lazyRouteComponent(() => import("./pages/EntityTypePage"), "EntityTypePage"),
});

const criteriaSetsRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/criteria-sets",
  validateSearch: v.object({ ...listSearch, archived: lenient(v.boolean()) }),
  component: lazyRouteComponent(() => import("./pages/CriteriaSetsPage"), "CriteriaSetsPage"),
});

const newCriteriaSetRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/criteria-sets/new",
  component: lazyRouteComponent(() => import("./pages/NewCriteriaSetPage"), "NewCriteriaSetPage"),
});

const criteriaSetRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/criteria-sets/$id",
  component: lazyRouteComponent(() => import("./pages/CriteriaSetPage"), "CriteriaSetPage"),
});

const viewsRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/views",
  validateSearch: v.object(listSearch),
  component: lazyRouteComponent(() => import("./pages/ViewsPage"), "ViewsPage"),
});

const viewRoute = createRoute({
  getParentRoute: () => buildRoute,
  path: "/views/$id",
  validateSearch: v.object({ record: lenient(v.pipe(v.string(), v.uuid())) }),
  component: lazyRouteComponent(() => import("./pages/ViewPage"), "ViewPage"),
});

/** Where types, criteria sets and views stood: links and bookmarks still lead to them. */
function movedToBuild<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: ({ location }) => {
      throw redirect({ href: location.href.replace("/settings/", "/build/"), replace: true });
    },
  });
}

const formerTypesRoute = movedToBuild("/settings/types");
const formerTypeRoute = movedToBuild("/settings/types/$");
const formerCriteriaSetsRoute = movedToBuild("/settings/criteria-sets");
const formerNewCriteriaSetRoute = movedToBuild("/settings/criteria-sets/new");
const formerCriteriaSetRoute = movedToBuild("/settings/criteria-sets/$");
const formerViewsRoute = movedToBuild("/settings/views");
const formerViewRoute = movedToBuild("/settings/views/$");

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./pages/SettingsLayout"), "SettingsLayout"),
});

const settingsHomeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/members", replace: true });
  },
});

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/members",
  validateSearch: v.object(listSearch),
  component: lazyRouteComponent(() => import("./pages/MembersPage"), "MembersPage"),
});

const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/keys",
  validateSearch: v.object({ ...listSearch, status: lenient(v.picklist(["active", "expired", "revoked"])) }),
  component: lazyRouteComponent(() => import("./pages/KeysPage"), "KeysPage"),
});

const agentsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/agents",
  validateSearch: v.object(listSearch),
  component: lazyRouteComponent(() => import("./pages/AgentsPage"), "AgentsPage"),
});

const connectAgentRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/agents/connect",
  validateSearch: connectSearch,
  component: lazyRouteComponent(() => import("./pages/ConnectAgentPage"), "ConnectAgentPage"),
});

const sourcesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/agents/sources",
  component: lazyRouteComponent(() => import("./pages/SourcesPage"), "SourcesPage"),
});

const agentRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/agents/$id",
  validateSearch: agentSearch,
  component: lazyRouteComponent(() => import("./pages/AgentPage"), "AgentPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/webhooks",
  validateSearch: v.object(listSearch),
  component: lazyRouteComponent(() => import("./pages/WebhooksPage"), "WebhooksPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/webhooks/$id",
  validateSearch: v.object({
    status: lenient(v.picklist(DELIVERY_STATUSES)),
    event: lenient(v.string()),
    delivery: lenient(v.pipe(v.string(), v.uuid())),
  }),
  component: lazyRouteComponent(() => import("./pages/WebhookPage"), "WebhookPage"),
});

const jobsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/jobs",
  validateSearch: v.object({
    status: lenient(v.picklist(JOB_STATUSES)),
    routine: lenient(v.boolean()),
    job: lenient(v.pipe(v.string(), v.uuid())),
  }),
  component: lazyRouteComponent(() => import("./pages/JobsPage"), "JobsPage"),
});

const auditRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./pages/AuditPage"), "AuditPage"),
});

const limitsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/limits",
  component: lazyRouteComponent(() => import("./pages/LimitsPage"), "LimitsPage"),
});

const archivesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/export",
  component: lazyRouteComponent(() => import("./pages/ArchivesPage"), "ArchivesPage"),
});

const deletingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/deleting",
  validateSearch: v.object({ erasure: lenient(v.pipe(v.string(), v.uuid())) }),
  component: lazyRouteComponent(() => import("./pages/DeletingPage"), "DeletingPage"),
});

const accountRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("./pages/AccountPage"), "AccountPage"),
});

const workspaceRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: "/workspace",
  component: lazyRouteComponent(() => import("./pages/WorkspacePage"), "WorkspacePage"),
});

const elsewhereRoute = createRoute({ getParentRoute: () => shellRoute, path: "$", component: NotFoundPage });

const routeTree = rootRoute.addChildren([
  signInRoute,
  providerRoute,
  resetRoute,
  joinRoute,
  shellRoute.addChildren([
    homeRoute,
    recordsRoute,
    recordImportRoute,
    recordRoute,
    artifactEvalsRoute,
    artifactEvalSuiteRoute,
    formerEvalsRoute,
    formerSuiteRoute,
    tasksRoute,
    reviewQueueRoute,
    taskRoute,
    agentReviewRoute.addChildren([
      agentReviewHomeRoute,
      // The sections of the agent review: one line each, and a tab for those that name one.
      conversationsRoute.addChildren([conversationListRoute, unclearReactionsRoute, satisfactionRoute]),
      sessionsRoute,
      feedbackRoute.addChildren([
        feedbackGroupsRoute,
        singleFeedbackRoute,
        allFeedbackRoute,
        feedbackTrendsRoute,
        qualityLoopRoute,
        feedbackImportRoute,
      ]),
      knowledgeRoute.addChildren([knowledgeRowsRoute, knowledgePromptRoute, reviewAgentRoute]),
      evalsRoute,
    ]),
    evalRunRoute,
    evalGoldenRoute,
    evalJudgesRoute,
    evalJudgeRoute,
    labellingRoute,
    evalExperimentRoute,
    evalReplayRoute,
    sessionsHomeRoute,
    sessionRoute,
    chainRoute,
    retractionsRoute,
    conversationRoute,
    oldConversationsRoute,
    buildRoute.addChildren([
      buildHomeRoute,
      typesRoute,
      typeRoute,
      criteriaSetsRoute,
      newCriteriaSetRoute,
      criteriaSetRoute,
      viewsRoute,
      viewRoute,
    ]),
    formerTypesRoute,
    formerTypeRoute,
    formerCriteriaSetsRoute,
    formerNewCriteriaSetRoute,
    formerCriteriaSetRoute,
    formerViewsRoute,
    formerViewRoute,
    settingsRoute.addChildren([
      settingsHomeRoute,
      membersRoute,
      keysRoute,
      agentsRoute,
      connectAgentRoute,
      sourcesRoute,
      agentRoute,
      webhooksRoute,
      webhookRoute,
      jobsRoute,
      auditRoute,
      archivesRoute,
      deletingRoute,
      limitsRoute,
      accountRoute,
      workspaceRoute,
    ]),
    elsewhereRoute,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0, // the query cache decides what is fresh
    defaultErrorComponent: CrashPage,
    defaultPendingComponent: PendingPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
