import { expect, test } from "vitest";
import type { View } from "@/api/types";
import { chooseView } from "./views";

const view = (slug: string, entity_type: string | null, blocks = 1) =>
  ({ slug, entity_type, blocks: Array.from({ length: blocks }, () => ({ type: "fields" })) }) as unknown as View;
const views = [view("any", null), view("brief", "company"), view("empty", "company", 0), view("risk", "company")];

test.each([
  ["nothing", undefined, "brief"],
  ["a view", "risk", "risk"],
  ["a view for all types", "any", "any"],
  ["a view that shows nothing", "empty", "brief"],
  ["a view that is not there", "gone", "brief"],
  ["all fields", "_all", undefined],
])("an address that asks for %s (%s) shows %s", (_what, wanted, shown) => {
  expect(chooseView(views, "company", wanted).shown?.slug).toBe(shown);
});

test("the type's own come first, and what shows nothing is not offered", () => {
  expect(chooseView(views, "company", undefined).offered.map(({ slug }) => slug)).toEqual(["brief", "risk", "any"]);
});

test("without views there are all fields", () => {
  expect(chooseView([], "company", "brief")).toEqual({ offered: [], shown: null });
});
