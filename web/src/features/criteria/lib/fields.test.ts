import { expect, test } from "vitest";
import type { EntityType } from "@/api/types";
import { contentFields, relationFields, withChosen } from "./fields";

const typed = (slug: string, properties: Record<string, object>, field_configs: Record<string, object> = {}) =>
  ({ slug, name: slug, json_schema: { type: "object", properties }, field_configs }) as unknown as EntityType;

const contract = typed(
  "contract",
  { end_date: { type: "string", title: "Ends on" }, fee: { type: "number" } },
  { vendor: { label: "Supplier", relation: { target_type: "vendor", multiple: false } } },
);
const vendor = typed("vendor", { fee: { type: "number", title: "Yearly fee" }, due: { type: "string", title: "Ends on" } });

test("fields are offered by label, and keep their key", () => {
  expect(contentFields([contract, vendor], ["contract"])).toEqual([
    { value: "end_date", label: "Ends on" },
    { value: "fee", label: "Fee" },
  ]);
  expect(relationFields([contract, vendor], [])).toEqual([{ value: "vendor", label: "Supplier" }]);
  expect(contentFields([], [])).toEqual([]);
});

test("over several types a key has all its names, and a name that two keys share says which", () => {
  expect(contentFields([contract, vendor], [])).toEqual([
    { value: "due", label: "Ends on (due)" },
    { value: "end_date", label: "Ends on (end_date)" },
    { value: "fee", label: "Fee / Yearly fee" },
  ]);
});

test("what was chosen and is gone is still there to be seen, by its key", () => {
  const known = [{ value: "fee", label: "Fee" }];
  expect(withChosen(known, ["fee", "gone", "gone"])).toEqual([...known, { value: "gone", label: "gone" }]);
});
