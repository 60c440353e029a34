import { ModalsProvider } from "@mantine/modals";
import { Notifications, notifications } from "@mantine/notifications";
import { Outlet, RouterProvider, createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { act } from "@testing-library/react";
import { knowledgeSearch, promptSearch } from "@/features/knowledge/lib/search";
import { KnowledgePage } from "@/pages/KnowledgePage";
import { KnowledgePromptPage } from "@/pages/KnowledgePromptPage";
import { ReviewAgentPage } from "@/pages/ReviewAgentPage";
import { renderSignedIn, workspace } from "./render";

function Root() {
  return (
    <ModalsProvider>
      <Outlet />
      <Notifications />
    </ModalsProvider>
  );
}

/** Draws the pages of knowledge at an address, for somebody with these permissions besides reading. */
export async function renderKnowledge(path: string, permissions: string[]) {
  notifications.clean(); // of the test before
  const root = createRootRoute({ component: Root });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const knowledge = createRoute({ getParentRoute: () => shell, path: "/admin/agent-review/knowledge", component: Outlet });
  const child = { getParentRoute: () => knowledge };
  const pages = [
    createRoute({ ...child, path: "/", validateSearch: knowledgeSearch, component: KnowledgePage }),
    createRoute({ ...child, path: "/prompt", validateSearch: promptSearch, component: KnowledgePromptPage }),
    createRoute({ ...child, path: "/review", component: ReviewAgentPage }),
  ];
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([knowledge.addChildren(pages)])]),
    history: createMemoryHistory({ initialEntries: [path] }),
    defaultPendingMinMs: 0,
  });
  await router.load();
  // The tree of a test is not the app's, which is what the types know.
  const view = renderSignedIn(<RouterProvider router={router as never} />);
  await act(async () => {
    view.queryClient.setQueryData(["workspace", "engines"], { ...workspace, permissions: ["*.team.read", ...permissions] });
  });
  return { ...view, router };
}
