import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { EntityResponse } from "@/api/types";
import { fakeServer } from "@/testing/fakeServer";
import { northwind, response } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { MatrixAnswers } from "./MatrixAnswers";

const at = `/api/entities/${northwind.id}`;
const rating = { key: "rating", label: "Rating", type: "rating" as const, scale: [1, 5] as [number, number], required: false };

const about = (...ids: string[]): EntityResponse => ({
  ...response,
  status: "rejected",
  scope: { type: "relation", fieldKey: "founders" },
  criteria_snapshot: [rating],
  values: Object.fromEntries(ids.map((id) => [id, { rating: 4 }])),
});

/** The aggregate knows `rated` and that `gone` is no more; the first page of relations has `connected`. */
const usual = {
  [`GET ${at}/responses/aggregate`]: {
    body: { count: 1, matrix: { dimensions: [], connections: [{ id: "rated", title: "Sauna" }, { id: "gone", title: null }] } },
  },
  [`GET ${at}/relations`]: { body: { data: [{ id: "r", target_id: "connected", target_title: "Massage" }], next_cursor: "more" } },
  "GET /api/entities/far": { body: { ...northwind, id: "far", title: "Cold plunge" } },
};

async function open(routes: Parameters<typeof fakeServer>[0], ...ids: string[]) {
  const calls = fakeServer(routes);
  await renderAt(`/records/${northwind.id}`, <MatrixAnswers response={about(...ids)} fieldKey="founders" />, []);
  await screen.findByRole("table", { name: "Ratings of connections" });
  return { calls, user: userEvent.setup() };
}

const titles = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);
const lookedUp = (calls: { path: string }[]) => calls.map(({ path }) => path).filter((path) => /^\/api\/entities\/[^/]+$/.test(path));

test("only what is really gone is called removed; the rest is looked up", async () => {
  const { calls } = await open(usual, "rated", "connected", "gone", "far", "deleted");
  await waitFor(() => expect(titles()).toEqual(["Sauna", "Massage", "Removed record", "Cold plunge", "Removed record"]));
  expect(lookedUp(calls)).toEqual(["/api/entities/far", "/api/entities/deleted"]);
  expect(screen.getByRole("link", { name: "Cold plunge" }).getAttribute("href")).toBe("/records/far");
  expect(screen.getAllByRole("link")).toHaveLength(3);
});

test("until titles are there, nothing is called removed", async () => {
  const seen: string[] = [];
  const watching = new MutationObserver(() => seen.push(document.body.textContent ?? ""));
  watching.observe(document.body, { childList: true, subtree: true, characterData: true });
  await open(usual, "rated", "far");
  seen.push(document.body.textContent ?? "");
  await waitFor(() => expect(titles()).toEqual(["Sauna", "Cold plunge"]));
  watching.disconnect();
  expect(seen.some((text) => text.includes("Connected recordRating"))).toBe(true);
  expect(seen.filter((text) => text.includes("Removed record"))).toEqual([]);
});

test("a title that cannot be asked for is no removed record", async () => {
  const { calls } = await open({ ...usual, "GET /api/entities/far": { status: 500, body: { code: "internal", status: 500 } } }, "far");
  await waitFor(() => expect(lookedUp(calls)).toEqual(["/api/entities/far"]));
  const [row] = screen.getAllByRole("rowheader");
  expect(within(row as HTMLElement).getByRole("link", { name: "Connected record" }).getAttribute("href")).toBe("/records/far");
});

test("only what is shown is looked up", async () => {
  const ids = Array.from({ length: 7 }, (_, n) => `x${n}`);
  const { calls, user } = await open(usual, ...ids);
  await waitFor(() => expect(lookedUp(calls)).toHaveLength(5));
  await user.click(screen.getByRole("button", { name: "All 7 connections" }));
  await waitFor(() => expect(lookedUp(calls)).toHaveLength(7));
});
