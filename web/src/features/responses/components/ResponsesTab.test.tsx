import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { ada, company, northwind, response } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { ResponsesTab } from "./ResponsesTab";

const at = `/api/entities/${northwind.id}/responses`;
const set = {
  id: response.criteria_set_id,
  slug: "diligence",
  name: "Diligence",
  kind: "assessment",
  dimensions: response.criteria_snapshot,
  is_default: false,
  archived_at: null,
};
const byAda = { ...response, id: "0190a000-0000-7000-8000-000000000052", submitted_by: ada, normalized_score: null };

const REVIEWER = ["entities.team.update", "responses.team.review", "responses.team.create"];

async function open(permissions: string[], search = "") {
  const calls = fakeServer({
    "GET /api/criteria-sets": { body: { data: [set], next_cursor: null } },
    [`GET /api/criteria-sets/${set.id}`]: { body: set },
    [`GET ${at}`]: { body: { data: [response, byAda], next_cursor: null } },
    [`POST ${at}/${byAda.id}/promote/preview`]: {
      body: {
        entity_id: northwind.id,
        response_id: byAda.id,
        version: 3,
        status_after: "promoted",
        fields: [
          { dimension: "revenue", field: "revenue", value: 43.2, value_before: 41.5, present_before: true, changes: true },
        ],
        errors: [],
      },
    },
    [`POST ${at}/${byAda.id}/promote`]: { body: byAda },
    [`PATCH ${at}/${response.id}`]: { body: { ...response, status: "rejected" } },
  });
  const tab = <ResponsesTab entity={northwind} entityType={company} />;
  const { router } = await renderAt(`/records/${northwind.id}?tab=responses${search}`, tab, permissions);
  await screen.findByRole("article", { name: "Response by Filing reader" });
  return { calls, router, user: userEvent.setup() };
}

const focused = () => document.activeElement?.getAttribute("data-stop");

test("responses stand under their criteria set with count and latest score", async () => {
  await open(REVIEWER);
  const group = await screen.findByRole("group", { name: "Diligence" });
  expect(within(group).getByText("2 responses")).toBeTruthy();
  expect(within(group).getByTitle("Latest score: 75 of 100")).toBeTruthy();
  expect(within(group).getAllByText("The record has 41.5")).toHaveLength(2);
});

test("one place has the focus: keys move it, promote what it is on, and say so", async () => {
  const { calls, user } = await open(REVIEWER);
  screen.getAllByRole("listitem").find((item) => item.tabIndex === 0)?.focus();
  expect(focused()).toBe(`${response.id}/revenue`);
  await user.keyboard("{ArrowDown}");
  expect(focused()).toBe(`${response.id}/team`);
  await user.keyboard("p");
  expect(screen.getByText("The record has no field for this")).toBeTruthy();
  await user.keyboard("j");
  expect(focused()).toBe(`${byAda.id}/revenue`);
  expect(screen.getByText("Response 2 of 2, by Ada")).toBeTruthy();
  await user.keyboard("p");
  await screen.findByRole("button", { name: "Promote" });
  await user.keyboard("{Enter}");
  expect(calls.find((call) => call.path.endsWith("/promote"))?.body).toEqual({ fields: ["revenue"], expected_version: 3 });
  expect(await screen.findByText("The value was promoted.")).toBeTruthy();
});

test("r asks for notes and rejects; what is typed there is no command", async () => {
  const { calls, user } = await open(REVIEWER);
  screen.getAllByRole("listitem").find((item) => item.tabIndex === 0)?.focus();
  await user.keyboard("r");
  const notes = await screen.findByLabelText("Notes");
  await user.type(notes, "jpa? wrong");
  await user.click(screen.getByRole("button", { name: "Reject" }));
  const patch = calls.find((call) => call.method === "PATCH");
  expect(patch?.body).toEqual({ status: "rejected", review_notes: "jpa? wrong" });
});

test("who may only read sees no button that would fail, and hears why a key does nothing", async () => {
  const { user } = await open([]);
  expect(screen.queryByRole("button", { name: /^(Promote|Reject)/ })).toBeNull();
  expect(screen.getByRole("button", { name: "New response" }).getAttribute("aria-disabled")).toBe("true");
  screen.getAllByRole("listitem").find((item) => item.tabIndex === 0)?.focus();
  await user.keyboard("a");
  expect(screen.getByText("Reviewers and admins can promote values.")).toBeTruthy();
});

test("a link leads to the response that it names, and the status is in the address", async () => {
  const { calls, router, user } = await open(REVIEWER, `&response=${byAda.id}`);
  expect(focused()).toBe(`${byAda.id}/revenue`);
  await user.selectOptions(screen.getByLabelText("Status"), "rejected");
  expect(router.state.location.search).toEqual({ tab: "responses", status: "rejected" });
  expect(calls.some((call) => call.query.get("status") === "rejected")).toBe(true);
});
