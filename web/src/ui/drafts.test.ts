// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { dropAllDrafts, dropDraft, isDraftKept, keepDraft, readDraft, watchDrafts } from "./drafts";

test("a draft is there until it is dropped", () => {
  expect(readDraft("a")).toBeUndefined();
  keepDraft("a", { notes: "Fine" });
  expect(readDraft("a")).toEqual({ notes: "Fine" });
  dropDraft("a");
  expect(readDraft("a")).toBeUndefined();
});

test("signing out drops all of them and nothing else", () => {
  sessionStorage.setItem("other", "1");
  keepDraft("a", 1);
  keepDraft("b", 2);
  dropAllDrafts();
  expect([readDraft("a"), readDraft("b"), sessionStorage.getItem("other")]).toEqual([undefined, undefined, "1"]);
});

test("what cannot be read is no draft", () => {
  sessionStorage.setItem("goldloop.draft/a", "{");
  expect(readDraft("a")).toBeUndefined();
});

test("a browser that keeps nothing is no failure", () => {
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(() => keepDraft("a", 1)).not.toThrow();
  full.mockRestore();
});

test("whoever shows that a draft waits is told when it comes and goes, wherever it is kept", () => {
  const seen: boolean[] = [];
  const stop = watchDrafts(() => seen.push(isDraftKept("mara/response/r1/")));
  keepDraft("mara/response/r2/s1", 1);
  keepDraft("mara/response/r1/s1", 1, "browser");
  dropDraft("mara/response/r1/s1", "browser");
  stop();
  keepDraft("mara/response/r1/s1", 1);
  expect(seen).toEqual([false, true, false]);
  dropAllDrafts();
  expect(isDraftKept("mara/")).toBe(false);
});
