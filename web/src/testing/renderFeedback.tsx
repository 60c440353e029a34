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
import { feedbackSearch, groupsSearch, qualitySearch } from "@/features/feedback/lib/search";
import { AllFeedbackPage } from "@/pages/AllFeedbackPage";
import { FeedbackGroupsPage } from "@/pages/FeedbackGroupsPage";
import { FeedbackImportPage } from "@/pages/FeedbackImportPage";
import { QualityLoopPage } from "@/pages/QualityLoopPage";
import { SingleFeedbackPage } from "@/pages/SingleFeedbackPage";
import { renderSignedIn, workspace } from "./render";

function Root() {
  return (
    <ModalsProvider>
      <Outlet />
      <Notifications />
    </ModalsProvider>
  );
}

/** Draws the pages about feedback at an address, for somebody with these permissions besides reading. */
export async function renderFeedback(path: string, permissions: string[]) {
  notifications.clean(); // of the test before
  const root = createRootRoute({ component: Root });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const feedback = createRoute({ getParentRoute: () => shell, path: "/admin/agent-review/feedback", component: Outlet });
  const child = { getParentRoute: () => feedback };
  const pages = [
    createRoute({ ...child, path: "/", validateSearch: groupsSearch, component: FeedbackGroupsPage }),
    createRoute({ ...child, path: "/single", validateSearch: feedbackSearch, component: SingleFeedbackPage }),
    createRoute({ ...child, path: "/all", validateSearch: feedbackSearch, component: AllFeedbackPage }),
    createRoute({ ...child, path: "/quality", validateSearch: qualitySearch, component: QualityLoopPage }),
    createRoute({ ...child, path: "/import", component: FeedbackImportPage }),
  ];
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([feedback.addChildren(pages)])]),
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
