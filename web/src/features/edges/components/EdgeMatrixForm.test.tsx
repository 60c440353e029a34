import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { run } from "axe-core";
import { expect, test, vi } from "vitest";
import type { CriteriaSet } from "@/api/types";
import { fakeServer } from "@/testing/fakeServer";
import { company, northwind } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { ResponseForm } from "./ResponseForm";

const set = {
  id: "0190a000-0000-7000-8000-00000000000a",
  slug: "outcomes",
  name: "Outcomes",
  kind: "assessment",
  version: 1,
  scope: { type: "relation", fieldKey: "founders" },
  dimensions: [
    { key: "rating", label: "Rating", type: "rating", scale: [1, 5], weight: 1, required: false },
    { key: "cost", label: "Cost", type: "number", required: false },
    { key: "verdict", label: "Verdict", type: "select", options: ["keep", "drop"], required: false },
    { key: "note", label: "Note", type: "text", required: false },
  ],
} as unknown as CriteriaSet;

const at = `/api/entities/${northwind.id}`;
const connected = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `rel-${n}`, target_id: `c${n}`, target_title: `Person ${n}` }));

async function open(count: number, reply: { status?: number; body?: unknown } = {}, asked = set) {
  const calls = fakeServer({
    [`GET ${at}`]: { body: northwind },
    [`GET /api/entity-types/${company.slug}`]: { body: company },
    [`GET ${at}/relations`]: { body: { data: connected(count), next_cursor: null } },
    [`POST ${at}/responses`]: reply,
  });
  const onSubmitted = vi.fn();
  const form = <ResponseForm entityId={northwind.id} criteriaSet={asked} onSubmitted={onSubmitted} />;
  const view = await renderAt(`/records/${northwind.id}`, form, ["responses.team.create", "entities.team.create"]);
  return { ...view, calls, onSubmitted, user: userEvent.setup() };
}

const cell = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const focused = () => document.activeElement?.getAttribute("data-cell");
const posted = (calls: { method: string; body: unknown }[]) => calls.find(({ method }) => method === "POST")?.body;

test("a matrix is filled in and submitted by keyboard, in part", async () => {
  const { calls, onSubmitted, user } = await open(3, { status: 201, body: { id: "r" } });
  const grid = await screen.findByRole("grid", { name: "Ratings of 3 connected records" });
  expect(within(grid).getAllByRole("row")).toHaveLength(4);
  expect(within(grid).getByRole("link", { name: "Person 1" }).getAttribute("href")).toBe("/records/c1");
  cell("Rating of Person 0, 1 to 5").focus();
  await user.keyboard("4{ArrowRight}12,5{Tab}");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Verdict of Person 0");
  await user.keyboard("{ArrowRight}good{Enter}");
  expect(focused()).toBe("1:4");
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}5{ArrowDown}{ArrowDown}");
  expect(focused()).toBe("2:1");
  await user.keyboard("{ArrowLeft}");
  expect(document.activeElement?.textContent).toBe("Person 2");
  await user.keyboard("{Control>}{Home}{/Control}");
  expect(focused()).toBe("0:0");
  await user.keyboard("{ArrowRight}{Control>}{Enter}{/Control}");
  await waitFor(() => expect(onSubmitted).toHaveBeenCalledWith({ id: "r" }));
  expect(posted(calls)).toEqual({
    id: expect.any(String),
    criteria_set_id: set.id,
    values: { c0: { rating: 4, cost: 12.5, note: "good" }, c1: { rating: 5 } },
  });
});

test("a click on a value chooses it, another takes it back", async () => {
  const { user } = await open(1);
  await screen.findByRole("grid");
  const field = cell("Rating of Person 0, 1 to 5");
  const values = within(field.parentElement as HTMLElement);
  await user.click(values.getByText("4"));
  expect(field.value).toBe("4");
  expect(screen.getByRole("status", { name: "Score preview" }).textContent).toContain("75");
  await user.click(values.getByText("4"));
  expect(field.value).toBe("");
  await user.keyboard("27{Delete}3");
  expect(field.value).toBe("3");
});

test("an unfinished matrix survives, is announced, and can be discarded", async () => {
  const { unmount, user } = await open(2);
  await screen.findByRole("grid");
  await user.type(cell("Cost of Person 1"), "7");
  await user.type(screen.getByLabelText("Notes"), "half way");
  act(() => void window.dispatchEvent(new Event("pagehide")));
  unmount();
  const again = await open(2);
  expect(await screen.findByText(/Your unfinished matrix/)).toBeTruthy();
  expect(cell("Cost of Person 1").value).toBe("7");
  expect(cell("Notes").value).toBe("half way");
  await again.user.click(screen.getByRole("button", { name: "Discard" }));
  expect(cell("Cost of Person 1").value).toBe("");
  expect(screen.queryByText(/Your unfinished matrix/)).toBeNull();
  expect(localStorage.length).toBe(0);
});

test("an edit of the set leaves an unfinished matrix what is still asked", async () => {
  const { unmount, user } = await open(2);
  await screen.findByRole("grid");
  await user.type(cell("Cost of Person 1"), "7");
  await user.type(cell("Note of Person 1"), "half way");
  unmount();
  const edited = { ...set, version: 2, dimensions: set.dimensions.filter(({ key }) => key !== "cost") };
  const again = await open(2, { status: 201, body: { id: "r" } }, edited);
  expect(await screen.findByText(/Your unfinished matrix/)).toBeTruthy();
  expect(cell("Note of Person 1").value).toBe("half way");
  await again.user.click(screen.getByRole("button", { name: "Submit response" }));
  await waitFor(() => expect(posted(again.calls)).toHaveProperty("values", { c1: { note: "half way" } }));
});

test("a submitted matrix leaves no draft behind", async () => {
  const { onSubmitted, unmount, user } = await open(1, { status: 201, body: { id: "r" } });
  await screen.findByRole("grid");
  await user.type(cell("Cost of Person 0"), "7");
  await user.click(screen.getByRole("button", { name: "Submit response" }));
  await waitFor(() => expect(onSubmitted).toHaveBeenCalled());
  unmount();
  expect(localStorage.length).toBe(0);
});

test("the server's objections stand at their cell until it is changed", async () => {
  const { user } = await open(60, {
    status: 422,
    body: {
      code: "invalid_input",
      errors: [
        { path: "/values/c55/cost", code: "out_of_scale", message: "Too dear" },
        { path: "/values/c55", code: "unknown_connection", message: "Not connected" },
      ],
    },
  });
  await screen.findByRole("grid");
  expect(screen.getAllByRole("row")).toHaveLength(51);
  await user.type(cell("Cost of Person 0"), "7");
  await user.click(screen.getByRole("button", { name: "Submit response" }));
  // It is on the second page, which is opened for it.
  expect(await screen.findByText("Too dear")).toBeTruthy();
  expect(screen.getByText("Not connected")).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toBe("2 values cannot be submitted as they are.");
  const wrong = cell("Cost of Person 55");
  expect(wrong.getAttribute("aria-invalid")).toBe("true");
  await user.type(wrong, "6");
  expect(screen.queryByText("Too dear")).toBeNull();
});

test("what cannot be right is not sent, and is led to", async () => {
  const { calls, user } = await open(1);
  await screen.findByRole("grid");
  await user.type(cell("Cost of Person 0"), "much");
  await user.click(screen.getByRole("button", { name: "Submit response" }));
  expect(screen.getByText("This is a finite number")).toBeTruthy();
  await waitFor(() => expect(focused()).toBe("0:2"));
  expect(posted(calls)).toBeUndefined();
});

const strict = {
  ...set,
  dimensions: set.dimensions.map((each) => (each.key === "cost" ? each : { ...each, required: true })),
} as CriteriaSet;

test("a required column is marked, and needed in the rows that are begun", async () => {
  const { calls, user } = await open(3, { status: 201, body: { id: "r" } }, strict);
  const grid = within(await screen.findByRole("grid"));
  const [required, free] = ["Rating", "Cost"].map((name) => grid.getByRole("columnheader", { name: new RegExp(name) }));
  expect(required?.textContent).toContain("*");
  expect(free?.textContent).not.toContain("*");
  expect([required, free].map((each) => each?.getAttribute("aria-required"))).toEqual(["true", null]);
  for (const name of ["Rating of Person 0, 1 to 5", "Verdict of Person 0", "Note of Person 0"]) {
    expect(cell(name).getAttribute("aria-required")).toBe("true");
  }
  expect(cell("Cost of Person 0").getAttribute("aria-required")).toBeNull();
  expect(screen.getByText(/^\* is needed for each record that you say anything about/)).toBeTruthy();
  await user.type(cell("Cost of Person 1"), "7");
  await user.type(cell("Note of Person 1"), "fine");
  await user.click(screen.getByRole("button", { name: "Submit response" }));
  expect(posted(calls)).toBeUndefined();
  expect(screen.getByText("Rating is needed")).toBeTruthy();
  expect(screen.getByText("Verdict is needed")).toBeTruthy();
  await waitFor(() => expect(focused()).toBe("1:1"));
  await user.keyboard("4");
  await user.selectOptions(cell("Verdict of Person 1"), "keep");
  await user.click(screen.getByRole("button", { name: "Submit response" }));
  await waitFor(() => expect(posted(calls)).toBeDefined());
  expect(posted(calls)).toMatchObject({ values: { c1: { rating: 4, cost: 7, verdict: "keep", note: "fine" } } });
});

test("without required columns nothing is said about them", async () => {
  await open(1);
  await screen.findByRole("grid");
  expect(screen.queryByText(/is needed for each record/)).toBeNull();
});

test("keys go on across pages", async () => {
  const { user } = await open(60);
  await screen.findByRole("grid");
  cell("Cost of Person 49").focus();
  await user.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused()).toBe("50:2"));
  expect(screen.getByText("Rows 51 to 60 of 60")).toBeTruthy();
  await user.keyboard("{ArrowUp}");
  await waitFor(() => expect(focused()).toBe("49:2"));
});

test("submitting nothing says that nothing was written", async () => {
  const { calls, onSubmitted, user } = await open(1, { status: 200, body: { submitted: false } });
  await screen.findByRole("grid");
  await user.click(screen.getByRole("button", { name: "Submit response" }));
  expect(await screen.findByText(/Nothing was written/)).toBeTruthy();
  expect(posted(calls)).toEqual({ id: expect.any(String), criteria_set_id: set.id, values: {} });
  expect(onSubmitted).not.toHaveBeenCalled();
});

test("where nothing is connected, the way to connect is there", async () => {
  const { user } = await open(0);
  expect(await screen.findByText("No founders connected")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Connect a record as Founders" }));
  expect(screen.getByRole("combobox", { name: "Record to connect as Founders" })).toBeTruthy();
});

test("connections that cannot be loaded are asked for again", async () => {
  fakeServer({});
  await renderAt(
    `/records/${northwind.id}`,
    <ResponseForm entityId={northwind.id} criteriaSet={set} onSubmitted={() => {}} />,
    [],
  );
  expect(await screen.findByRole("button", { name: "Try again" })).toBeTruthy();
});

test("all pages of connections are loaded before anything can be submitted", async () => {
  const all = connected(3);
  fakeServer({
    [`GET ${at}/relations`]: ({ query }) => {
      const from = Number(query.get("cursor") ?? 0);
      return { body: { data: all.slice(from, from + 1), next_cursor: from < 2 ? String(from + 1) : null } };
    },
  });
  const form = <ResponseForm entityId={northwind.id} criteriaSet={set} onSubmitted={() => {}} />;
  await renderAt(`/records/${northwind.id}`, form, []);
  expect(await screen.findByRole("grid", { name: "Ratings of 3 connected records" })).toBeTruthy();
});

async function onNarrowScreen(act: () => Promise<void>) {
  const wide = window.matchMedia;
  window.matchMedia = ((media: string) => ({
    matches: true,
    media,
    addEventListener: () => {},
    removeEventListener: () => {},
  })) as unknown as typeof window.matchMedia;
  try {
    await act();
  } finally {
    window.matchMedia = wide;
  }
}

test("on a narrow screen the rows stand below each other", () =>
  onNarrowScreen(async () => {
    const { user } = await open(12);
    const card = within(await screen.findByRole("group", { name: "Person 3" }));
    await user.click(card.getByRole("radio", { name: "4" }));
    expect(screen.getByRole("status", { name: "Score preview" }).textContent).toContain("1 of 12 rated");
    expect(screen.queryByRole("group", { name: "Person 11" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Next rows" }));
    expect(screen.getByRole("group", { name: "Person 11" })).toBeTruthy();
  }));

test("there too a required answer is marked, and a record that was begun can be left out after all", () =>
  onNarrowScreen(async () => {
    const { calls, user } = await open(2, { status: 200, body: { submitted: false } }, strict);
    const card = within(await screen.findByRole("group", { name: "Person 0" }));
    expect(card.getByRole("radiogroup", { name: /Rating/ }).getAttribute("aria-required")).toBe("true");
    expect(card.getByRole<HTMLInputElement>("textbox", { name: /Note/ }).required).toBe(true);
    expect(card.getByText("Rating").textContent).toContain("*");
    await user.click(card.getByRole("radio", { name: "4" }));
    await user.click(screen.getByRole("button", { name: "Submit response" }));
    expect(card.getByText("Note is needed")).toBeTruthy();
    expect(posted(calls)).toBeUndefined();
    await user.click(card.getByRole("button", { name: "Clear Rating" }));
    expect(card.queryByText("Note is needed")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Submit response" }));
    await waitFor(() => expect(posted(calls)).toMatchObject({ values: {} }));
  }));

test("the form is accessible, with a fault in it as well", async () => {
  const { container, user } = await open(3);
  await screen.findByRole("grid");
  await user.type(cell("Cost of Person 0"), "much");
  fireEvent.submit(screen.getByRole("form"));
  await screen.findByText("This is a finite number");
  const found = await run(container, { rules: { "color-contrast": { enabled: false }, region: { enabled: false } } });
  expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
});
