import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { ChainNode } from "@/api/types";
import { fakeServer } from "@/testing/fakeServer";
import { renderAt } from "@/testing/renderAt";
import { RetractDialog } from "./RetractDialog";

const node: ChainNode = {
  ref: "source:document:signed.pdf",
  kind: "source",
  depth: 0,
  seen: "shown",
  title: "signed.pdf",
  detail: null,
  state: null,
  at: null,
  by: null,
  href: null,
  retraction_id: null,
  more: false,
  unused_sessions: 0,
};

/** A part of the page whose answer does not come. */
function Slow() {
  useQuery({ queryKey: ["inbox", "engines"], queryFn: () => new Promise<never>(() => {}) });
  return null;
}

test("whoever retracts goes on to what is listed, and waits for nothing else on the page", async () => {
  fakeServer({ "POST /api/chain/retractions": { status: 201, body: { id: "01a1ef12-6cbb-79d9-b512-4f6b4b5be991", open_items: 6 } } });
  const view = (
    <>
      <Slow />
      <RetractDialog node={node} onClose={() => {}} />
    </>
  );
  const { router } = await renderAt("/records/x", view, ["chain.team.retract"]);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(/Why it is not to be relied on/), "It was never signed");
  await user.click(screen.getByRole("button", { name: "Retract" }));
  await waitFor(() => expect(router.state.location.href).toContain("/chain/retractions?retraction=01a1ef12"));
});
