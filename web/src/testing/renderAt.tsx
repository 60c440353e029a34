import {
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from "@tanstack/react-router";
import { act } from "@testing-library/react";
import type { ReactNode } from "react";
import { recordSearch } from "@/features/entities/lib/search";
import { renderSignedIn, workspace } from "./render";

/** Draws a component on the page of a record, whose address it may read and change. */
export async function renderAt(path: string, children: ReactNode, permissions: string[]) {
  const root = createRootRoute({ component: Outlet });
  const record = createRoute({
    getParentRoute: () => root,
    path: "/records/$id",
    validateSearch: recordSearch,
    component: () => children,
  });
  const router = createRouter({
    routeTree: root.addChildren([record]),
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
