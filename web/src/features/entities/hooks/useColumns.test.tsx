import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { renderSignedIn } from "@/testing/render";
import { useColumns } from "./useColumns";

const CHOICES = [["price"], ["price", "stage"]];

function Chooser() {
  const { chosen, keep } = useColumns("gauge", undefined);
  return (
    <>
      <p>Shown: {chosen.join(" and ")}</p>
      {CHOICES.map((columns) => (
        <button key={columns.length} onClick={() => keep(columns)}>
          {columns.length}
        </button>
      ))}
    </>
  );
}

test("columns are shown at once, and reach a slow server in the order in which they were chosen", async () => {
  let answerFirst = () => {};
  const first = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  const calls = fakeServer({
    "GET /api/entity-types/gauge/columns": { body: { columns: [] } },
    "PUT /api/entity-types/gauge/columns": async ({ body }) => {
      await first;
      return { body };
    },
  });
  const sent = () => calls.filter(({ method }) => method === "PUT").map(({ body }) => (body as { columns: string[] }).columns);
  const user = userEvent.setup();
  renderSignedIn(<Chooser />);
  await waitFor(() => expect(calls).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "1" }));
  await user.click(screen.getByRole("button", { name: "2" }));
  expect(await screen.findByText("Shown: price and stage")).toBeTruthy();
  expect(sent()).toEqual([["price"]]);
  answerFirst();
  await waitFor(() => expect(sent()).toEqual(CHOICES));
});
