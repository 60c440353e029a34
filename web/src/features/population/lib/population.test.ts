import { expect, test } from "vitest";
import { EMPTY, MOST_OF_A_TEXT, canBePopulated, canRun, isOpen, isText, outcomeText, toMaterial, tooMuch } from "./population";

test("what is not given is not sent", () => {
  expect(toMaterial(EMPTY)).toEqual({ agent: "field-populator" });
  expect(toMaterial({ ...EMPTY, text: "  ", instructions: " " })).toEqual({ agent: "field-populator" });
});

test("what is given is sent", () => {
  const draft = {
    agent: "reader",
    setId: "s",
    dimensions: ["size"],
    text: "Twelve.",
    documents: [{ title: "Report", text: "…" }],
    instructions: " Count all. ",
  };
  expect(toMaterial(draft)).toEqual({
    agent: "reader",
    criteria_set_id: "s",
    dimensions: ["size"],
    text: "Twelve.",
    documents: [{ title: "Report", text: "…" }],
    instructions: "Count all.",
  });
});

test("sets of connections and of points in time are not populated", () => {
  expect(canBePopulated({ kind: "record", scope: null })).toBe(true);
  expect(canBePopulated({ kind: "assessment", scope: { type: "entity" } })).toBe(true);
  expect(canBePopulated({ kind: "temporal", scope: null })).toBe(false);
  expect(canBePopulated({ kind: "assessment", scope: { type: "relation", fieldKey: "peer" } })).toBe(false);
});

test("an agent without a configuration or out of service does not run here", () => {
  const runs_with = { runtime: "built_in", model: null, version: 1 } as never;
  expect(canRun({ active: true, runs_with })).toBe(true);
  expect(canRun({ active: false, runs_with })).toBe(false);
  expect(canRun({ active: true, runs_with: null })).toBe(false);
});

test("too much to read is said", () => {
  const file = { title: "F", text: "x".repeat(MOST_OF_A_TEXT) };
  expect(tooMuch({ text: "", documents: [] })).toBeNull();
  expect(tooMuch({ text: "", documents: [file, file] })).toBeNull();
  expect(tooMuch({ text: "x", documents: [file, file] })).toContain("together");
  expect(tooMuch({ text: `${file.text}x`, documents: [] })).toContain("A text");
  expect(tooMuch({ text: "", documents: Array.from({ length: 21 }, () => ({ title: "F", text: "" })) })).toContain("20 files");
});

test("a file with a zero in it is no text", () => {
  expect([isText(""), isText("Grüße"), isText("PK\0")]).toEqual([true, true, false]);
});

test("a session is open until it is over", () => {
  const statuses = ["queued", "running", "waiting", "stalled", "completed", "failed", "cancelled"] as const;
  expect(statuses.filter((status) => isOpen({ status }))).toEqual(["queued", "running", "waiting", "stalled"]);
});

test("the end of many says how each went", () => {
  expect(outcomeText({ completed: 3, failed: 0, cancelled: 0 })).toBe("3 done");
  expect(outcomeText({ completed: 3, failed: 1, cancelled: 2, gone: 4 })).toBe(
    "3 done, 1 failed, 2 cancelled, 4 not there any more",
  );
  expect(outcomeText(null)).toBe("0 done");
});
