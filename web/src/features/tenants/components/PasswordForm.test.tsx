import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { SessionWorkspace } from "@/api/types";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn, session } from "@/testing/render";
import { useSession } from "../hooks/useSession";
import { PasswordForm } from "./PasswordForm";

function Account() {
  return (
    <>
      <p>{useSession().workspaces.map(({ name }) => name).join(", ")}</p>
      <PasswordForm />
    </>
  );
}

test("the workspaces of another account of the same person show as soon as a password makes the two one", async () => {
  const looms: SessionWorkspace = { slug: "looms", name: "Looms", role: "viewer", user_id: session.user.id };
  fakeServer({
    "POST /api/session/password": { status: 204 },
    "GET /api/session": { body: { ...session, workspaces: [...session.workspaces, looms] } },
  });
  renderSignedIn(<Account />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("Current password"), "before");
  await user.type(screen.getByLabelText("New password"), "the same as there");
  await user.type(screen.getByLabelText("New password, once more"), "the same as there");
  expect(screen.getByText("Engines")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Change password" }));
  await waitFor(() => expect(screen.getByText("Engines, Looms")).toBeTruthy());
});
