import { RouterProvider, createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { Session } from "@/api/types";
import { chosenWorkspace, forgetChoice } from "@/features/tenants/lib/workspaceChoice";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn, session } from "@/testing/render";
import { JoinPage } from "./JoinPage";

afterEach(forgetChoice);

const [engines] = session.workspaces as [Session["workspaces"][number]];
const theirs = ["engines", "looms", "mills"].map((slug) => ({ ...engines, slug, name: slug }));

/** Somebody who is in three workspaces now, the second of them since the invitation. */
async function join(who: Session | null, press: string) {
  const joined = { status: 201, body: { ...session, workspaces: theirs, joined: "looms" } };
  fakeServer({ "POST /api/session/join": joined, "POST /api/session/accept": joined });
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: "/join", component: JoinPage });
  const home = createRoute({ getParentRoute: () => root, path: "/", component: () => "Home" });
  const router = createRouter({
    routeTree: root.addChildren([page, home]),
    history: createMemoryHistory({ initialEntries: ["/join#token=secret"] }),
  });
  renderSignedIn(<RouterProvider router={router as never} />, who);
  const user = userEvent.setup();
  const button = await screen.findByRole("button", { name: press });
  if (!who) {
    await user.type(screen.getByLabelText("Your name"), "Ada");
    await user.type(screen.getByLabelText("Password"), "the one of my account");
  }
  await user.click(button);
  await screen.findByText("Home");
}

test.each([
  ["with the password of an account", null, "Join workspace"],
  ["as who is signed in", session, `Join as ${session.user.email}`],
  ["once more, of a workspace they are in", { ...session, workspaces: theirs }, `Join as ${session.user.email}`],
])("who joins %s sees the workspace of the invitation", async (_how, who, press) => {
  await join(who, press);
  expect(chosenWorkspace()).toBe("looms");
});
