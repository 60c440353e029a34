import { expect, test } from "vitest";
import type { ViewBlock } from "@/api/types";
import { type ViewDraft, blockOf, checkView, draftOfView, editView } from "./blocks";

const blocks: ViewBlock[] = [
  { type: "fields", title: "Facts", fields: ["name", "stage"] },
  { type: "fields" },
  { type: "response-form", criteria_set_slug: "diligence" },
  { type: "responses" },
  { type: "score-progression", title: "Trend", criteria_set_slug: "diligence" },
  { type: "relations", field_key: "vendors" },
  { type: "text", text: "Read **this**" },
];

const stored = draftOfView({ name: "Review", blocks });

test("what was read is written as it was", () => {
  expect(stored.blocks.map(blockOf)).toEqual(blocks);
});

test("a block is sent without the settings of other types", () => {
  const id = stored.blocks[0]?.id ?? "";
  const changed = editView(stored, { do: "changeBlock", id, part: { type: "relations", fieldKey: "vendors" } });
  expect(changed.blocks.map(blockOf)[0]).toEqual({ type: "relations", title: "Facts", field_key: "vendors" });
});

test("blocks are added at the end, moved and removed", () => {
  const added = editView(stored, { do: "add", type: "text" });
  const id = added.blocks.at(-1)?.id ?? "";
  const movedUp = editView(added, { do: "move", id, delta: -1 });
  expect(movedUp.blocks.at(-2)?.id).toBe(id);
  expect(editView(movedUp, { do: "remove", id }).blocks.map(blockOf)).toEqual(blocks);
});

test.each([
  { case: "as it is", part: {}, faults: [] },
  { case: "no name", part: { name: " " }, faults: [["/name", "empty"]] },
  { case: "no blocks", part: { blocks: [] }, faults: [] },
  {
    case: "too many blocks",
    part: { blocks: Array.from({ length: 51 }, () => stored.blocks[1]) },
    faults: [["/blocks", "too_many"]],
  },
  {
    case: "too long a text",
    part: { blocks: [{ ...stored.blocks[6], text: "x".repeat(10_001) }] },
    faults: [["/blocks/0/text", "too_long"]],
  },
])("$case", ({ part, faults }) => {
  expect(checkView({ ...stored, ...part } as ViewDraft).map(({ path, code }) => [path, code])).toEqual(faults);
});
