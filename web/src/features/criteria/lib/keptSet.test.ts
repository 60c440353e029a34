import { expect, test } from "vitest";
import { NEW_SET, type SetDraft, newDimension } from "./draft";
import { parseKeptSet } from "./keptSet";

const begun: SetDraft = { ...NEW_SET, name: "Trust", dimensions: [{ ...newDimension("rating"), label: "Reliability" }] };
const stored = (draft: unknown): unknown => JSON.parse(JSON.stringify(draft));

test("a set that was begun is there again, as it was", () => {
  const read = parseKeptSet(stored(begun));
  const [dimension] = read?.dimensions ?? [];
  expect({ ...read, dimensions: [{ ...dimension, id: begun.dimensions[0]?.id }] }).toEqual(begun);
});

test("what is read and what is new on this page have ids of their own", () => {
  const ids = [parseKeptSet(stored(begun)), parseKeptSet(stored(begun))].flatMap((read) => read?.dimensions.map(({ id }) => id));
  expect(new Set([...ids, newDimension("text").id]).size).toBe(3);
});

test.each([[undefined], [null], ["{"], [{}], [{ ...begun, kind: "other" }], [{ ...begun, dimensions: [{ label: "x" }] }]])(
  "%j is no draft",
  (broken) => {
    expect(parseKeptSet(broken)).toBeNull();
  },
);
