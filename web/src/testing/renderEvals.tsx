import { ModalsProvider } from "@mantine/modals";
import { Notifications, notifications } from "@mantine/notifications";
import { Outlet, RouterProvider, createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { act } from "@testing-library/react";
import { evalRunSearch, evalsSearch } from "@/features/evals/lib/search";
import { EvalExperimentPage } from "@/pages/EvalExperimentPage";
import { EvalGoldenPage } from "@/pages/EvalGoldenPage";
import { EvalReplayPage } from "@/pages/EvalReplayPage";
import { EvalRunPage } from "@/pages/EvalRunPage";
import { EvalsPage } from "@/pages/EvalsPage";
import { renderSignedIn, workspace } from "./render";

function Root() {
  return (
    <ModalsProvider>
      <Outlet />
      <Notifications />
    </ModalsProvider>
  );
}

/** Draws the pages of evals at an address, for somebody with these permissions besides reading. */
export async function renderEvals(path: string, permissions: string[]) {
  notifications.clean(); // of the test before
  const root = createRootRoute({ component: Root });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const child = { getParentRoute: () => shell };
  const pages = [
    createRoute({ ...child, path: "/admin/agent-review/evals", validateSearch: evalsSearch, component: EvalsPage }),
    createRoute({ ...child, path: "/admin/agent-review/evals/runs/$id", validateSearch: evalRunSearch, component: EvalRunPage }),
    createRoute({ ...child, path: "/admin/agent-review/evals/golden/$id", component: EvalGoldenPage }),
    createRoute({ ...child, path: "/admin/agent-review/evals/experiments/$id", component: EvalExperimentPage }),
    createRoute({ ...child, path: "/admin/agent-review/evals/replays/$id", component: EvalReplayPage }),
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
