import { Notifications, notifications } from "@mantine/notifications";
import {
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from "@tanstack/react-router";
import { act } from "@testing-library/react";
import { conversationsSearch, satisfactionSearch, transcriptSearch, unclearSearch } from "@/features/conversations/lib/search";
import { AgentReviewPage } from "@/pages/AgentReviewPage";
import { ConversationPage } from "@/pages/ConversationPage";
import { ConversationsPage } from "@/pages/ConversationsPage";
import { SatisfactionPage } from "@/pages/SatisfactionPage";
import { UnclearReactionsPage } from "@/pages/UnclearReactionsPage";
import { renderSignedIn, workspace } from "./render";

function Root() {
  return (
    <>
      <Outlet />
      <Notifications />
    </>
  );
}

/** Draws the pages about agents at an address, for somebody with these permissions besides reading. */
export async function renderAgentReview(path: string, permissions: string[]) {
  notifications.clean(); // of the test before
  const root = createRootRoute({ component: Root });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const review = createRoute({ getParentRoute: () => shell, path: "/admin/agent-review", component: AgentReviewPage });
  const conversations = createRoute({ getParentRoute: () => review, path: "/conversations", component: Outlet });
  const child = { getParentRoute: () => conversations };
  const parts = [
    createRoute({ ...child, path: "/", validateSearch: conversationsSearch, component: ConversationsPage }),
    createRoute({ ...child, path: "/unclear", validateSearch: unclearSearch, component: UnclearReactionsPage }),
    createRoute({ ...child, path: "/satisfaction", validateSearch: satisfactionSearch, component: SatisfactionPage }),
  ];
  const pages = [
    review.addChildren([conversations.addChildren(parts)]),
    createRoute({
      getParentRoute: () => shell,
      path: "/admin/agent-review/conversations/$project/$conversation",
      validateSearch: transcriptSearch,
      component: ConversationPage,
    }),
  ];
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren(pages)]),
    history: createMemoryHistory({ initialEntries: [path] }),
    defaultPendingMinMs: 0,
  });
  await router.load();
  // The tree of a test is not the app's, which is what the types know.
  const view = renderSignedIn(<RouterProvider router={router as never} />);
  await act(async () => {
    view.queryClient.setQueryData(["workspace", "engines"], {
      ...workspace,
      role: permissions.length === 0 ? "viewer" : workspace.role,
      permissions: ["*.team.read", ...permissions],
    });
  });
  return { ...view, router };
}
