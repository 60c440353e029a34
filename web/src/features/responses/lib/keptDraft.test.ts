import { expect, test } from "vitest";
import { isBlank, parseKept } from "./keptDraft";
import { EMPTY_DRAFT } from "./submission";

const id = "0190a000-0000-7000-8000-000000000001";
const source = { id: "local-1", type: "web", reference: "", quote: "" } as const;
const asked = [{ key: "good" }, { key: "why" }];

test.each([
  ["nothing", {}, true],
  ["an answer that was taken back", { values: { good: null, why: "  " } }, true],
  ["an answer of 0", { values: { good: 0 } }, false],
  ["notes", { notes: "Fine" }, false],
  ["a snapshot", { temporalValue: "2026-Q3" }, false],
  ["a source nobody filled in", { evidence: { good: { confidence: null, sources: [source] } } }, true],
  ["a confidence", { evidence: { good: { confidence: "low" as const, sources: [] } } }, false],
])("a draft with %s is blank: %j %s", (_what, part, blank) => {
  expect(isBlank({ ...EMPTY_DRAFT, ...part })).toBe(blank);
});

test("what was kept comes back, without what is no longer asked", () => {
  const draft = { ...EMPTY_DRAFT, values: { good: 4, gone: 1 } };
  expect(parseKept({ id, draft }, asked)).toEqual({ id, draft: { ...EMPTY_DRAFT, values: { good: 4 } } });
  expect(parseKept({ id, draft }, [])).toBeNull();
});

test.each([[undefined], [null], ["x"], [{}], [{ id: "1", draft: EMPTY_DRAFT }], [{ id, draft: { notes: "Fine" } }]])(
  "%j is no draft",
  (stored) => {
    expect(parseKept(stored, asked)).toBeNull();
  },
);
