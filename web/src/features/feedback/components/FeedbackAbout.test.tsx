import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { type Call, fakeServer } from "@/testing/fakeServer";
import { feedback } from "@/testing/feedback";
import { renderSignedIn } from "@/testing/render";
import { FeedbackAbout } from "./FeedbackAbout";

test("what was read so far is not shown as all there is", async () => {
  const rows = (...ids: string[]) => ids.map((id) => ({ ...feedback, id, created_by: null }));
  fakeServer({
    "GET /api/feedback": ({ query }: Call) => ({
      body: query.get("cursor") ? { data: rows("5"), next_cursor: null } : { data: rows("1", "2", "3", "4"), next_cursor: "more" },
    }),
  });
  renderSignedIn(<FeedbackAbout about={{ entity_id: "e" }} />);
  const heading = await screen.findByRole("heading", { name: /Feedback/ });
  expect(heading.textContent).toBe("Feedback4+");
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Show the newest 4" }));
  await user.click(screen.getByRole("button", { name: "Load more" }));
  await waitFor(() => expect(heading.textContent).toBe("Feedback5"));
  expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
});
