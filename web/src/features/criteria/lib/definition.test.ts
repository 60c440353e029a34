import { expect, test } from "vitest";
import { base, cases } from "../../../../../cases/criteria_definitions.json";
import { columnsOf, countColumns } from "./columns";
import { type Definition, checkDefinition } from "./definition";

interface Case {
  case: string;
  change?: object;
  dimension?: object;
  faults: string[][];
}

test.each(cases as Case[])("$case", ({ change, dimension, faults }) => {
  const definition = { ...base, ...(dimension ? { dimensions: [dimension] } : {}), ...change } as unknown as Definition;
  expect(checkDefinition(definition).map(({ path, code }) => [path, code])).toEqual(faults);
});

test("messages name what is wrong", () => {
  const [slug, twice] = checkDefinition({ ...base, slug: "A", entity_type_slugs: ["it's", "it's"] } as Definition);
  expect(slug?.message).toBe("A slug has 1 to 120 lower-case letters, digits, _ or -");
  expect(twice?.message).toBe('"it\'s" is there twice');
});

test.each([
  { scale: [1, 5], step: null, columns: [1, 2, 3, 4, 5] },
  { scale: [0, 1], step: 0.25, columns: [0, 0.25, 0.5, 0.75, 1] },
  { scale: [0, 1], step: 0.1, columns: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] },
  { scale: [0, 5], step: 2, columns: [0, 2, 4] },
  { scale: [0, 11], step: null, columns: [] },
  { scale: [5, 1], step: null, columns: [] },
  { scale: null, step: null, columns: [] },
])("$scale in steps of $step has the columns $columns", ({ scale, step, columns }) => {
  expect(columnsOf({ scale: scale as [number, number] | null, step })).toEqual(columns);
});

test("a row's own scale wins over the matrix's", () => {
  expect(columnsOf({ scale: [0, 2] }, { scale: [1, 5] })).toEqual([0, 1, 2]);
  expect(columnsOf({}, { scale: [1, 3] })).toEqual([1, 2, 3]);
  expect(countColumns({}, {})).toBeNull();
});
