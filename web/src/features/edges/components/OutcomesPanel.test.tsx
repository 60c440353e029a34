import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { RecordBody } from "@/pages/RecordBody";
import { evidenceQuality } from "@/testing/claims";
import { fakeServer } from "@/testing/fakeServer";
import { company, northwind } from "@/testing/records";
import { renderAt } from "@/testing/renderAt";
import { placesOf } from "./Ranking";

const id = (last: number) => `0190a000-0000-7000-8000-0000000000${last}`;
const protocol = { ...company, id: id(32), slug: "protocol", name: "Protocol", field_configs: {} };
const visit = {
  ...company,
  id: id(33),
  slug: "visit",
  name: "Visit",
  field_configs: { protocols: { label: "Protocols", relation: { target_type: "protocol", multiple: true } } },
};
const helped = {
  ...evidenceQuality,
  id: id(63),
  slug: "helped",
  name: "Helped",
  entity_type_slugs: ["visit"],
  scope: { type: "relation", fieldKey: "protocols" },
};
const liked = { ...helped, id: id(64), slug: "liked", name: "Liked" };
const splint = { ...northwind, type: "protocol", title: "Night splint", content: {} };
const at = `/api/entities/${splint.id}`;
const page = (...data: unknown[]) => ({ body: { data, next_cursor: null } });
const outcome = (last: number, title: string, normalized_score: number | null, count: number) => ({
  entity: { id: id(last), type: "visit", title },
  normalized_score,
  weighted_score: normalized_score,
  count,
});

const three = { count: 3, more: false, median: 100, min: 50, max: 100, spread: 28.87, disagree: true };

async function open(sets: unknown[], outcomes: unknown[], entityType = protocol, next_cursor: string | null = null) {
  const calls = fakeServer({
    "GET /api/views": page(),
    "GET /api/entity-types": page(protocol, visit),
    "GET /api/criteria-sets": page(...sets),
    [`GET ${at}/fields`]: { body: { data: [] } },
    [`GET ${at}/responses`]: page(),
    [`GET ${at}/outcomes`]: { body: { data: outcomes, next_cursor } },
    [`GET ${at}/relations/ranked`]: page(
      { relation_id: id(90), target: { id: id(91), type: "protocol", title: "Forearm" }, score: 83.3, raters: three, scores: { count: 2 } },
      { relation_id: id(92), target: { id: id(93), type: "protocol", title: "Laser" }, score: null, raters: null, scores: null },
    ),
    [`GET ${at}/relations`]: page({
      id: id(94),
      source_id: id(95),
      source_title: "OH-2041",
      source_type: "visit",
      field_key: "protocols",
      target_id: splint.id,
      target_title: splint.title,
      target_type: "protocol",
      metadata: {},
      created_at: "2026-01-01T00:00:00Z",
      created_by: northwind.created_by,
    }),
  });
  const entity = { ...splint, type: entityType.slug };
  const { router } = await renderAt(`/records/${splint.id}`, <RecordBody entity={entity} entityType={entityType} />, []);
  return { calls, router, user: userEvent.setup() };
}

const places = (list: HTMLElement) => within(list).getAllByRole("listitem").map(({ textContent }) => textContent);

test("the records that did best with this one are ranked; equal scores share a place, none is last", async () => {
  await open([helped], [outcome(81, "One", 0.75, 2), outcome(82, "Two", 0.75, 1), outcome(83, "Three", 0.5, 1), outcome(84, "Four", null, 1)]);
  const list = await screen.findByRole("list", { name: "Outcomes, best first" });
  expect(places(list)).toEqual([
    "1OneMean score 75 of 1002 responses",
    "1TwoMean score 75 of 1001 response",
    "3ThreeMean score 50 of 1001 response",
    "–FourNo score1 response",
  ]);
  expect(screen.queryByLabelText("Outcomes by criteria set")).toBeNull();
});

test("of several criteria sets one is chosen, and the choice is in the address", async () => {
  const { calls, router, user } = await open([helped, liked], []);
  expect(await screen.findByText(/No response to Helped says anything about this record yet/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Outcomes by criteria set"), "Liked");
  expect(await screen.findByText(/No response to Liked/)).toBeTruthy();
  expect(router.state.location.search).toEqual({ outcomes: "liked" });
  expect(calls.findLast(({ path }) => path.endsWith("/outcomes"))?.query.get("criteria_set_id")).toBe(liked.id);
});

test("a long list is cut until it is wanted whole", async () => {
  const { user } = await open([helped], Array.from({ length: 12 }, (_, n) => outcome(10 + n, `Visit ${n}`, 1 - n / 20, 1)));
  expect(places(await screen.findByRole("list", { name: "Outcomes, best first" }))).toHaveLength(10);
  await user.click(screen.getByRole("button", { name: "Show all 12" }));
  expect(places(screen.getByRole("list", { name: "Outcomes, best first" }))).toHaveLength(12);
});

test("more outcomes are loaded when asked for", async () => {
  const many = Array.from({ length: 12 }, (_, n) => outcome(10 + n, `Visit ${n}`, 1 - n / 20, 1));
  const { calls, user } = await open([helped], many, protocol, "more");
  await user.click(await screen.findByRole("button", { name: "Show the first 12" }));
  await user.click(screen.getByRole("button", { name: "Load more" }));
  const asked = calls.findLast(({ path }) => path.endsWith("/outcomes"))?.query;
  expect([asked?.get("cursor"), asked?.get("criteria_set_id")]).toEqual(["more", helped.id]);
});

test("places of a hundred thousand records are found at once", () => {
  const rows = Array.from({ length: 100_000 }, (_, n) => ({ score: n < 99_999 ? 100 - Math.floor(n / 2) / 1000 : null }));
  const began = performance.now();
  const places = placesOf(rows);
  expect(performance.now() - began).toBeLessThan(1000);
  expect([places[0], places[1], places[2], places[99_998], places[99_999]]).toEqual([1, 1, 3, 99_999, null]);
});

test("what leads to the record is listed by field", async () => {
  const { calls } = await open([], []);
  const list = await screen.findByRole("list", { name: "Referenced through Protocols" });
  expect(within(list).getByRole("link", { name: "OH-2041" }).getAttribute("href")).toContain(id(95));
  const asked = calls.find(({ path }) => path.endsWith("/relations"))?.query;
  expect([asked?.get("direction"), asked?.get("field_key")]).toEqual(["in", "protocols"]);
  expect(screen.queryByRole("region", { name: "Outcomes" })).toBeNull();
});

test("on the other side the connections are ranked", async () => {
  await open([helped], [], visit);
  const list = await screen.findByRole("list", { name: "Protocols, best first" });
  expect(places(list)).toEqual(["1ForearmMean score 83.3 of 1003 raters, 50–1003 raters, each by their newest response: median 100, from 50 to 100. They disagree2 responses", "–LaserNo score"]);
  expect(screen.queryByRole("region", { name: "Outcomes" })).toBeNull();
});
