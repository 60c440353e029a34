import { Notifications } from "@mantine/notifications";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { feedback } from "@/testing/feedback";
import { renderSignedIn, workspace } from "@/testing/render";
import { FlagButton } from "./FlagButton";

test("who presses twice while it is saved flags once", async () => {
  let answer = () => {};
  const saved = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const calls = fakeServer({
    "POST /api/feedback": async () => {
      await saved;
      return { status: 201, body: feedback };
    },
  });
  const given = () => calls.filter(({ method }) => method === "POST");
  const { queryClient } = renderSignedIn(
    <>
      <FlagButton flagged={{ what: "session", session_id: "s" }} />
      <Notifications />
    </>,
  );
  act(() => queryClient.setQueryData(["workspace", "engines"], { ...workspace, permissions: ["feedback.team.review"] }));
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Flag this session" }));
  await user.type(await screen.findByLabelText("What is wrong"), "Too long{Control>}{Enter}{/Control}");
  await waitFor(() => expect(given()).toHaveLength(1));
  await user.type(screen.getByLabelText("What is wrong"), "{Control>}{Enter}{/Control}");
  answer();
  expect(await screen.findByText("Flagged. It waits among the feedback.")).toBeTruthy();
  expect(given()).toHaveLength(1);
});
