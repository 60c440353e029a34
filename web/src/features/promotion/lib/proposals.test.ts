import { expect, test } from "vitest";
import { promotion, response } from "@/testing/records";
import { alternatesFor } from "./proposals";

test("alternates leave out the present source, what was rejected and what leads to no field", () => {
  const other = { ...response, id: "other" };
  const rejected = { ...response, id: "rejected", status: "rejected" as const };
  const found = alternatesFor("revenue", [response, other, rejected], promotion);
  expect(found.map((proposal) => [proposal.response.id, proposal.value])).toEqual([["other", 43.2]]);
  expect(alternatesFor("revenue", [response], undefined)).toHaveLength(1);
  expect(alternatesFor("team", [response], undefined)).toEqual([]);
  expect(alternatesFor("revenue", [], undefined)).toEqual([]);
});
