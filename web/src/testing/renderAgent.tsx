import { ModalsProvider } from "@mantine/modals";
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
import { agentSearch, connectSearch } from "@/features/agents/lib/search";
import { AgentPage } from "@/pages/AgentPage";
import { AgentsPage } from "@/pages/AgentsPage";
import { ConnectAgentPage } from "@/pages/ConnectAgentPage";
import { SourcesPage } from "@/pages/SourcesPage";
import { renderSignedIn, workspace } from "./render";

function Root() {
  return (
    <ModalsProvider>
      <Outlet />
      <Notifications />
    </ModalsProvider>
  );
}

/** Draws the pages of agents at an address, for somebody with these permissions besides reading. */
export async function renderAgent(path: string, permissions: string[]) {
  notifications.clean(); // of the test before
  const root = createRootRoute({ component: Root });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const settings = createRoute({ getParentRoute: () => shell, path: "/settings", component: Outlet });
  const agents = createRoute({ getParentRoute: () => settings, path: "/agents", component: AgentsPage });
  const agent = createRoute({
    getParentRoute: () => settings,
    path: "/agents/$id",
    validateSearch: agentSearch,
    component: AgentPage,
  });
  const connect = createRoute({
    getParentRoute: () => settings,
    path: "/agents/connect",
    validateSearch: connectSearch,
    component: ConnectAgentPage,
  });
  const sources = createRoute({ getParentRoute: () => settings, path: "/agents/sources", component: SourcesPage });
  const session = createRoute({ getParentRoute: () => shell, path: "/sessions/$id", component: () => "A session" });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([settings.addChildren([agents, connect, sources, agent]), session])]),
    history: createMemoryHistory({ initialEntries: [path] }),
    defaultPendingMinMs: 0,
  });
  await router.load();
  // The tree of a test is not the app's, which is what the types know.
  const view = renderSignedIn(<RouterProvider router={router as never} />);
  await act(async () => {
    view.queryClient.setQueryData(["workspace", "engines"], {
      ...workspace,
      permissions: ["*.team.read", ...permissions],
    });
  });
  return { ...view, router };
}
