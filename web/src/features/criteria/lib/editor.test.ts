import { expect, test } from "vitest";
import type { CriteriaSet } from "@/api/types";
import { checkDefinition } from "./definition";
import { type DimensionDraft, NEW_SET, type SetDraft, definitionOf, draftOf, leftOut, newDimension } from "./draft";
import { type EditorAction, editSet, keyFrom } from "./editor";

function after(...actions: ((draft: SetDraft) => EditorAction)[]): SetDraft {
  return actions.reduce((draft, action) => editSet(draft, action(draft)), NEW_SET);
}

const add = (): EditorAction => ({ do: "add", type: "rating" });
const named =
  (place: number, label: string) =>
  ({ dimensions }: SetDraft): EditorAction => ({
    do: "changeDimension",
    id: dimensions[place]?.id ?? "",
    part: { label },
  });
const labels = (draft: SetDraft) => draft.dimensions.map(({ label }) => label);
const keys = (draft: SetDraft) => draft.dimensions.map(({ key }) => key);

test("a slug follows the name until it is chosen", () => {
  const follows = editSet(NEW_SET, { do: "change", part: { name: "Größe & Güte" } });
  expect(follows.slug).toBe("gro-e-gute");
  const chosen = editSet(follows, { do: "change", part: { slug: "size", slugIsOwn: true } });
  expect(editSet(chosen, { do: "change", part: { name: "Else" } }).slug).toBe("size");
});

test("keys follow labels and stay apart", () => {
  const draft = after(add, named(0, "How good?"), add, named(1, "How good?"), add, named(2, "How good?"));
  expect(keys(draft)).toEqual(["how_good", "how_good_2", "how_good_3"]);
});

test("a key that was chosen stays", () => {
  const draft = after(
    add,
    ({ dimensions }) => ({ do: "changeDimension", id: dimensions[0]?.id ?? "", part: { key: "q", keyIsOwn: true } }),
    named(0, "Quality"),
  );
  expect(keys(draft)).toEqual(["q"]);
});

test.each([
  { name: "up", place: 1, delta: -1, order: ["b", "a", "c"] },
  { name: "down", place: 1, delta: 1, order: ["a", "c", "b"] },
  { name: "up from the top", place: 0, delta: -1, order: ["a", "b", "c"] },
  { name: "down from the end", place: 2, delta: 1, order: ["a", "b", "c"] },
] as const)("a dimension moves $name", ({ place, delta, order }) => {
  const three = after(add, named(0, "a"), add, named(1, "b"), add, named(2, "c"));
  const id = three.dimensions[place]?.id ?? "";
  expect(labels(editSet(three, { do: "move", id, delta }))).toEqual(order);
});

test("moving and removing what is not there changes nothing", () => {
  const one = after(add, named(0, "a"));
  expect(editSet(one, { do: "move", id: "gone", delta: 1 })).toEqual(one);
  expect(editSet(one, { do: "remove", id: "gone" })).toEqual(one);
});

test("a copy stands behind its original and is promoted nowhere", () => {
  const two = after(
    add,
    named(0, "a"),
    ({ dimensions }) => ({ do: "changeDimension", id: dimensions[0]?.id ?? "", part: { fieldName: "f" } }),
    add,
    named(1, "b"),
    ({ dimensions }) => ({ do: "duplicate", id: dimensions[0]?.id ?? "" }),
  );
  expect(labels(two)).toEqual(["a", "a copy", "b"]);
  expect(keys(two)).toEqual(["a", "a_copy", "b"]);
  expect(two.dimensions[1]?.fieldName).toBe("");
});

test("what does not apply is kept but not sent", () => {
  const rating = after(add, named(0, "a"));
  const id = rating.dimensions[0]?.id ?? "";
  const text = editSet(rating, { do: "changeDimension", id, part: { type: "text" } });
  expect(definitionOf(text).dimensions[0]).toEqual({ key: "a", label: "a", type: "text", required: false });
  const back = editSet(text, { do: "changeDimension", id, part: { type: "rating" } });
  expect(definitionOf(back).dimensions[0]?.scale).toEqual([1, 5]);
});

test("a weight that something else than a number came with stays as it is", () => {
  const text = { key: "why", label: "Why", type: "text", weight: 0.5, required: false };
  const stored = { slug: "s", name: "S", kind: "assessment", dimensions: [text] } as unknown as CriteriaSet;
  expect(definitionOf(draftOf(stored)).dimensions[0]).toEqual(text);
});

const rating = { ...newDimension("rating"), weight: 0.5 };
test.each([
  ["a rating", rating, null],
  ["a rating that became text", { ...rating, type: "text" }, "the scale 1–5 and the weight 0.5"],
  ["a number with a step", { ...newDimension("number"), step: 2, type: "select" }, "the step 2"],
  ["a select that became text", { ...newDimension("select"), options: ["a", "b", ""], type: "text" }, "2 options"],
  ["a select that became a number", { ...newDimension("select"), options: ["a"], type: "number" }, "1 option"],
  ["new text", newDimension("text"), null],
  ["text that came with a weight", { ...newDimension("text"), weight: 0.5, weighedAs: "text" }, null],
] as [string, DimensionDraft, string | null][])("%s leaves out %j: %s", (_what, draft, said) => {
  expect(leftOut(draft)).toBe(said);
});

test("half a scale is refused in the server's words", () => {
  const draft = after(
    () => ({ do: "change", part: { name: "Set" } }),
    add,
    named(0, "a"),
    ({ dimensions }) => ({ do: "changeDimension", id: dimensions[0]?.id ?? "", part: { max: "" } }),
  );
  expect(checkDefinition(definitionOf(draft))).toEqual([
    { path: "/dimensions/0/scale", code: "scale_not_finite", message: "Both ends of a scale are finite numbers" },
  ]);
});

test("a stored set comes back as it was", () => {
  const stored = {
    slug: "symptoms",
    name: "Symptoms",
    kind: "temporal",
    description: "How it goes",
    entity_type_slugs: ["patient"],
    temporal_key: "visit",
    display_type: "likert-matrix",
    display_config: { scale: [0, 4], step: 1, anchorLabels: { min: "None", max: "All" } },
    scope: null,
    dimensions: [
      { key: "pain", label: "Pain", type: "rating", scale: [0, 4], step: 2, weight: 0.5, required: true },
      { key: "sleep", label: "Sleep", type: "number", required: false, extraction: { requiresApproval: true } },
    ],
  };
  expect(definitionOf(draftOf(stored as unknown as CriteriaSet))).toEqual(stored);
});

test.each([
  ["Trouble sleeping?", "trouble_sleeping"],
  ["  ", ""],
  ["Größe", "große"],
])("%s has the key %s", (label, key) => {
  expect(keyFrom(label, "_")).toBe(key);
});
