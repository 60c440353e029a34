import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fakeServer } from "@/testing/fakeServer";
import { ada, company, northwind, promotion, response } from "@/testing/records";
import { session } from "@/testing/render";
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

interface Setting {
  search?: string;
  routes?: Parameters<typeof fakeServer>[0];
  only?: string;
}

async function open(permissions: string[], { search = "", routes = {}, only }: Setting = {}) {
  const calls = fakeServer({
    [`GET /api/entities/${northwind.id}/fields`]: { body: { data: [] } },
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
    ...routes,
  });
  const tab = <ResponsesTab entity={northwind} entityType={company} criteriaSetSlug={only ?? null} wholePage={!only} />;
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

test("what was shown when it was opened before is not decided on", async () => {
  const never = new Promise<{ body: unknown }>(() => {});
  const fields = [{ dimension: "revenue", field: "revenue", value: 43.2, value_before: 41.5, present_before: true, changes: true }];
  const first = { entity_id: northwind.id, response_id: byAda.id, version: 3, status_after: "promoted", fields, errors: [] };
  let answer: Promise<{ body: unknown }> = Promise.resolve({ body: first });
  const { calls, user } = await open(REVIEWER, { routes: { [`POST ${at}/${byAda.id}/promote/preview`]: () => answer } });
  const previews = () => calls.filter((call) => call.path.endsWith("/preview"));
  screen.getAllByRole("listitem").find((item) => item.tabIndex === 0)?.focus();
  await user.keyboard("jp");
  await screen.findByRole("button", { name: "Promote" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const before = previews().length;
  answer = never;
  await user.keyboard("p");
  await waitFor(() => expect(previews().length).toBeGreaterThan(before));
  expect(within(screen.getByRole("dialog")).queryByRole("button", { name: "Promote" })).toBeNull();
});

const scope = { type: "relation" as const, fieldKey: "founders" };
const early = { ...set, id: "0190a000-0000-7000-8000-0000000000e1", slug: "effort", name: "Zeal", scope, created_at: "2026-01-01T00:00:00Z" };
const late = { ...early, id: "0190a000-0000-7000-8000-0000000000e2", slug: "cost", name: "Cost", created_at: "2026-02-01T00:00:00Z" };
const drawn = {
  dimensions: response.criteria_snapshot,
  connections: [{ id: "c", title: "Person" }],
  respondents: [ada],
  cells: { connection: [0], respondent: [0], values: [[1], [4]] },
};
const twoMatrices = {
  "GET /api/criteria-sets": { body: { data: [set, late, early], next_cursor: null } },
  [`GET /api/criteria-sets/${early.id}`]: { body: early },
  [`GET /api/criteria-sets/${late.id}`]: { body: late },
  [`GET ${at}/aggregate`]: { body: { count: 1, dimensions: [], matrix: drawn } },
};
const pictured = (name: string) => within(screen.getByRole("group", { name })).queryByRole("figure") !== null;

test("of two sets that rate connections one picture is shown, and the address says which", async () => {
  const { router, user } = await open(REVIEWER, { routes: twoMatrices, search: "&agg=max" });
  await screen.findByRole("figure");
  expect([pictured("Zeal"), pictured("Cost")]).toEqual([true, false]);
  expect(screen.getByRole("figure").dataset.agg).toBe("max");
  await user.click(screen.getByRole("button", { name: "Show ratings by connection of Cost" }));
  await waitFor(() => expect([pictured("Zeal"), pictured("Cost")]).toEqual([false, true]));
  expect(router.state.location.search).toEqual({ tab: "responses", set: late.id });
  await user.click(await screen.findByRole("radio", { name: "Min" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: "responses", set: late.id, agg: "min" }));
});

test("a link shows the picture of the set that it names", async () => {
  await open(REVIEWER, { routes: twoMatrices, search: `&set=${late.id}&agg=median` });
  await waitFor(() => expect(pictured("Cost")).toBe(true));
  expect(screen.getByRole("figure").dataset.agg).toBe("median");
  expect(pictured("Zeal")).toBe(false);
});

test("a single set that rates connections needs no name in the address", async () => {
  const routes = { ...twoMatrices, "GET /api/criteria-sets": { body: { data: [set, early], next_cursor: null } } };
  const { router, user } = await open(REVIEWER, { routes });
  await user.click(await screen.findByRole("radio", { name: "Min" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: "responses", agg: "min" }));
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

test("rejecting an agent's work asks for a note; to leave it out is said", async () => {
  const { calls, user } = await open(REVIEWER);
  const rejections = () => calls.filter((call) => call.method === "PATCH").map(({ body }) => body);
  screen.getAllByRole("listitem").find((item) => item.tabIndex === 0)?.focus();
  await user.keyboard("r");
  const notes = await screen.findByLabelText("Notes");
  await user.click(screen.getByRole("button", { name: "Reject" }));
  expect(within(screen.getByRole("dialog")).getByRole("alert").textContent).toContain("Filing reader learns nothing");
  expect(document.activeElement).toBe(notes);
  expect(rejections()).toEqual([]);
  await user.type(notes, "x");
  expect(screen.queryByRole("button", { name: "Reject without a note" })).toBeNull();
  await user.clear(notes);
  await user.click(screen.getByRole("button", { name: "Reject without a note" }));
  expect(rejections()).toEqual([{ status: "rejected", review_notes: null }]);
});

test("who presses twice while it is saved rejects once", async () => {
  const never = new Promise<{ body: unknown }>(() => {});
  const { calls, user } = await open(REVIEWER, { routes: { [`PATCH ${at}/${response.id}`]: () => never } });
  screen.getAllByRole("listitem").find((item) => item.tabIndex === 0)?.focus();
  await user.keyboard("r");
  await user.type(await screen.findByLabelText("Notes"), "Wrong{Control>}{Enter}{/Control}");
  await waitFor(() => expect(calls.filter((call) => call.method === "PATCH")).toHaveLength(1));
  await user.type(screen.getByLabelText("Notes"), "{Control>}{Enter}{/Control}");
  expect(calls.filter((call) => call.method === "PATCH")).toHaveLength(1);
});

test("a person's response is rejected with or without a note", async () => {
  const byPerson = { ...response, submitted_by: ada, source: "manual" };
  const { calls, user } = await open(REVIEWER, {
    routes: { [`GET ${at}`]: { body: { data: [byPerson, { ...byAda, submitted_by: response.submitted_by }], next_cursor: null } } },
  });
  await user.click(screen.getAllByRole("button", { name: "Reject the response of Ada" })[0] as HTMLElement);
  await screen.findByLabelText("Notes");
  await user.click(screen.getByRole("button", { name: "Reject" }));
  await waitFor(() => expect(calls.find((call) => call.method === "PATCH")?.body).toMatchObject({ review_notes: null }));
});

const both = { ...response, promotable_fields: ["revenue", "team"] };
const changes = [
  { dimension: "revenue", field: "revenue", value: 43.2, value_before: 41.5, present_before: true, changes: true },
  { dimension: "team", field: "team", value: 4, value_before: null, present_before: false, changes: true },
];

test("of several values any can be left out, also the one that the schema refuses", async () => {
  const wrong = { path: "/content/team", code: "type", message: "No" };
  const { calls, user } = await open(REVIEWER, {
    routes: {
      [`GET ${at}`]: { body: { data: [both, byAda], next_cursor: null } },
      [`POST ${at}/${response.id}/promote/preview`]: ({ body }) => {
        const { fields } = body as { fields: string[] };
        return {
          body: {
            entity_id: northwind.id,
            response_id: response.id,
            version: 3,
            status_after: "promoted",
            fields: changes.filter(({ dimension }) => fields.includes(dimension)),
            errors: fields.includes("team") ? [wrong] : [],
          },
        };
      },
      [`POST ${at}/${response.id}/promote`]: { body: both },
    },
  });
  await user.keyboard("{Shift>}P{/Shift}");
  const tick = await screen.findByRole("checkbox", { name: "Team" });
  await waitFor(() => expect(document.activeElement).toBe(tick));
  expect(within(screen.getByRole("dialog")).getByRole("alert").textContent).toContain("Untick what is wrong");
  await user.keyboard(" ");
  await waitFor(() => expect(within(screen.getByRole("dialog")).queryByRole("alert")).toBeNull());
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Promote 1 value" }).disabled).toBe(false));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(calls.find((call) => call.path.endsWith("/promote"))?.body).toEqual({ fields: ["revenue"], expected_version: 3 }));
  expect(await screen.findByText("The value was promoted.")).toBeTruthy();
});

test("what was decided is taken back by u, the last first, and what was promoted together in one call", async () => {
  const { calls, user } = await open(REVIEWER, {
    routes: {
      [`GET ${at}`]: { body: { data: [both, byAda], next_cursor: null } },
      [`POST ${at}/${response.id}/promote/preview`]: {
        body: { entity_id: northwind.id, response_id: response.id, version: 3, status_after: "promoted", fields: changes, errors: [] },
      },
      [`POST ${at}/${response.id}/promote`]: { body: both },
      [`POST ${at}/${response.id}/undo`]: { body: both },
      [`PATCH ${at}/${byAda.id}`]: ({ body }) => ({ body: { ...byAda, ...(body as object) } }),
    },
  });
  const decisions = () => calls.filter(({ path, method }) => method === "PATCH" || path.endsWith("/undo")).map(({ body }) => body);
  await user.keyboard("u");
  expect(screen.getByText("Nothing was decided here yet.")).toBeTruthy();
  await user.keyboard("{Shift>}P{/Shift}");
  await screen.findByRole("button", { name: "Promote 2 values" });
  await user.keyboard("{Enter}");
  expect((await screen.findAllByText("2 values were promoted.")).length).toBeGreaterThan(0);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Reject the response of Ada" }));
  await screen.findByLabelText("Notes");
  await user.click(screen.getByRole("button", { name: "Reject" }));
  await user.click(screen.getByRole("button", { name: "Reject without a note" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("u");
  expect((await screen.findAllByText("The response is open again.")).length).toBeGreaterThan(0);
  await user.keyboard("u");
  expect((await screen.findAllByText("The promotion was undone.")).length).toBeGreaterThan(0);
  expect(decisions()).toEqual([
    { status: "rejected", review_notes: null },
    { status: "submitted" },
    { fields: ["revenue", "team"] },
  ]);
});

test("who may only read sees no button that would fail, and hears why a key does nothing", async () => {
  const { user } = await open([]);
  expect(screen.queryByRole("button", { name: /^(Promote|Reject)/ })).toBeNull();
  expect(screen.getByRole("button", { name: "New response" }).getAttribute("aria-disabled")).toBe("true");
  screen.getAllByRole("listitem").find((item) => item.tabIndex === 0)?.focus();
  await user.keyboard("{Shift>}P{/Shift}");
  expect(screen.getByText("Reviewers and admins can promote values.")).toBeTruthy();
});

test("a link leads to the response that it names, and the status is in the address", async () => {
  const { calls, router, user } = await open(REVIEWER, { search: `&response=${byAda.id}` });
  expect(focused()).toBe(`${byAda.id}/revenue`);
  await user.selectOptions(screen.getByLabelText("Status"), "rejected");
  expect(router.state.location.search).toEqual({ tab: "responses", status: "rejected" });
  expect(calls.some((call) => call.query.get("status") === "rejected")).toBe(true);
});

test("the keys work before anything has the focus, and begin with the first response", async () => {
  const { user } = await open(REVIEWER);
  expect(document.activeElement).toBe(document.body);
  await user.keyboard("j");
  expect(focused()).toBe(`${response.id}/revenue`);
  await user.keyboard("j");
  expect(focused()).toBe(`${byAda.id}/revenue`);
});

test("p and r act on what they then show; ? shows the keys", async () => {
  const { user } = await open(REVIEWER);
  await user.keyboard("r");
  expect(await screen.findByRole("dialog", { name: "Reject this response" })).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(focused()).toBe(`${response.id}/revenue`));
  await user.keyboard("?");
  expect(await screen.findByRole("dialog", { name: "Review by keyboard" })).toBeTruthy();
});

test("notes that were typed are there when the dialog is opened again", async () => {
  const { user } = await open(REVIEWER);
  await user.keyboard("r");
  await user.type(await screen.findByLabelText("Notes"), "See page 7");
  await user.keyboard("{Escape}r");
  expect((await screen.findByLabelText<HTMLTextAreaElement>("Notes")).value).toBe("See page 7");
});

test("outside of the list arrows scroll, and in an input and a dialog letters are letters", async () => {
  const { user } = await open(REVIEWER);
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(document.body);
  screen.getByLabelText("Status").focus();
  await user.keyboard("j");
  expect(document.activeElement).toBe(screen.getByLabelText("Status"));
  await user.click(screen.getByRole("button", { name: "New response" }));
  await screen.findByRole("dialog");
  await user.keyboard("r?");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
});

test("whoever wants letters to themselves keeps the keys to the list", async () => {
  const { user } = await open(REVIEWER);
  await user.keyboard("?");
  await user.click(await screen.findByRole("switch", { name: /whole tab/ }));
  await user.keyboard("{Escape}");
  (document.activeElement as HTMLElement | null)?.blur();
  await user.keyboard("j");
  expect(document.activeElement).toBe(document.body);
});

test("what is in the record is told from what was there before", async () => {
  const partly = { status: "partially_promoted", promoted_fields: ["revenue"] };
  const { user } = await open(REVIEWER, {
    routes: {
      [`GET ${at}`]: { body: { data: [{ ...response, ...partly }, { ...byAda, ...partly }], next_cursor: null } },
      [`GET /api/entities/${northwind.id}/fields`]: { body: { data: [promotion] } },
    },
  });
  const current = within(screen.getByRole("article", { name: "Response by Filing reader" }));
  const before = within(screen.getByRole("article", { name: "Response by Ada" }));
  expect(await current.findByText("In the record")).toBeTruthy();
  expect(before.getByText("Promoted before")).toBeTruthy();
  expect(current.queryByRole("button", { name: /Promote Revenue/ })).toBeNull();
  await user.keyboard("jp");
  expect(screen.getByText("This is the value in the record.")).toBeTruthy();
  await user.click(before.getByRole("button", { name: "Promote Revenue (USD m) again" }));
  expect(await screen.findByRole("dialog", { name: "Promote into the record" })).toBeTruthy();
});

test("a link to a withdrawn response shows it, marked, with nothing to do", async () => {
  const withdrawn = {
    ...response,
    id: "0190a000-0000-7000-8000-000000000053",
    submitted_by: { ...ada, name: "Ben" },
    withdrawn_at: "2026-01-02T00:00:00Z",
  };
  await open(REVIEWER, {
    search: `&response=${withdrawn.id}`,
    routes: { [`GET ${at}/${withdrawn.id}`]: { body: withdrawn } },
  });
  const row = within(await screen.findByRole("article", { name: "Response by Ben" }));
  expect(row.getByText("Withdrawn")).toBeTruthy();
  expect(row.getByText(/kept for the history/)).toBeTruthy();
  expect(row.queryByRole("button")).toBeNull();
});

test("a person withdraws their own response, not that of an agent with their id", async () => {
  const id = session.workspaces[0]?.user_id;
  const ofAgent = { ...response, submitted_by: { ...response.submitted_by, kind: "agent", id } };
  const own = { ...byAda, submitted_by: { ...ada, id } };
  await open(["responses.team.create"], { routes: { [`GET ${at}`]: { body: { data: [ofAgent, own], next_cursor: null } } } });
  expect(screen.getByRole("button", { name: "More for the response of Ada" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "More for the response of Filing reader" })).toBeNull();
});

test("a link to a response that is not there says so", async () => {
  await open(REVIEWER, { search: "&response=0190a000-0000-7000-8000-000000000059" });
  expect(await screen.findByText("The response that the link leads to is not there.")).toBeTruthy();
});

test("when the criteria sets cannot be loaded the responses are still there, and it can be tried again", async () => {
  const { calls, user } = await open(REVIEWER, { routes: { "GET /api/criteria-sets": { status: 500 } } });
  const asked = () => calls.filter(({ path }) => path === "/api/criteria-sets").length;
  const before = asked();
  await user.click(within(screen.getByRole("alert")).getByRole("button", { name: "Try again" }));
  expect(asked()).toBe(before + 1);
});

test("an archived set still shows its responses, and takes no more", async () => {
  const archived = { ...set, archived_at: "2026-01-02T00:00:00Z" };
  const { calls } = await open(REVIEWER, {
    only: "diligence",
    routes: {
      "GET /api/criteria-sets": { body: { data: [archived], next_cursor: null } },
      [`GET /api/criteria-sets/${set.id}`]: { body: archived },
    },
  });
  expect(calls.find(({ path }) => path === "/api/criteria-sets")?.query.get("archived")).toBe("true");
  expect(await screen.findByText("Archived")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "New response" })).toBeNull();
});

test("what was typed into a new response is there when it is opened again", async () => {
  const { user } = await open(REVIEWER);
  await user.click(screen.getByRole("button", { name: "New response" }));
  await user.type(await screen.findByLabelText("Notes"), "From the filing");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: "New response" }));
  expect((await screen.findByLabelText<HTMLTextAreaElement>("Notes")).value).toBe("From the filing");
  await user.click(screen.getByRole("button", { name: "Start over" }));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Notes").value).toBe("");
  expect(sessionStorage).toHaveLength(0);
});

test("each criteria set keeps its own draft", async () => {
  const other = { ...set, id: "0190a000-0000-7000-8000-000000000062", slug: "other", name: "Other" };
  const { user } = await open(REVIEWER, {
    routes: { "GET /api/criteria-sets": { body: { data: [set, other], next_cursor: null } } },
  });
  await user.click(screen.getByRole("button", { name: "New response" }));
  await user.type(await screen.findByLabelText("Notes"), "For the first");
  await user.selectOptions(screen.getByLabelText("Criteria set"), "other");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Notes").value).toBe("");
  await user.selectOptions(screen.getByLabelText("Criteria set"), "diligence");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Notes").value).toBe("For the first");
});
