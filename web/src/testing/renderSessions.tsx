import { Notifications, notifications } from "@mantine/notifications";
import { ModalsProvider } from "@mantine/modals";
import {
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from "@tanstack/react-router";
import { act } from "@testing-library/react";
import { sessionSearch, sessionsSearch } from "@/features/sessions/lib/search";
import { SessionPage } from "@/pages/SessionPage";
import { SessionsPage } from "@/pages/SessionsPage";
import { renderSignedIn, workspace } from "./render";

function Root() {
  return (
    <ModalsProvider>
      <Outlet />
      <Notifications />
    </ModalsProvider>
  );
}

/** Draws the pages about sessions at an address, for somebody with these permissions besides reading. */
export async function renderSessions(path: string, permissions: string[] = []) {
  notifications.clean(); // of the test before
  const root = createRootRoute({ component: Root });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const pages = [
    createRoute({ getParentRoute: () => shell, path: "/admin/agent-review/sessions", validateSearch: sessionsSearch, component: SessionsPage }),
    createRoute({ getParentRoute: () => shell, path: "/sessions/$id", validateSearch: sessionSearch, component: SessionPage }),
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
    view.queryClient.setQueryData(["workspace", "engines"], { ...workspace, permissions: ["*.team.read", ...permissions] });
  });
  return { ...view, router };
}
