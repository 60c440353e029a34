import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderSignedIn } from "@/testing/render";
import { JoinForm } from "./JoinForm";

test("a browser offers the password of an account one has, rather than to make up another", async () => {
  const Page = () => <JoinForm token="secret" onJoined={() => {}} />;
  const router = createRouter({ routeTree: createRootRoute({ component: Page }), history: createMemoryHistory() });
  renderSignedIn(<RouterProvider router={router as never} />, null);
  expect((await screen.findByLabelText("Password")).getAttribute("autocomplete")).toBe("current-password");
});
