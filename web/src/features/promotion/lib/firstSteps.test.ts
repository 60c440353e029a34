import { expect, test } from "vitest";
import { listSteps, nextStep } from "./firstSteps";

const NOTHING = { has_type: false, has_record: false, has_response: false, has_promotion: false, record_id: null };

test.each([
  [{}, "type"],
  [{ has_type: true }, "record"],
  [{ has_type: true, has_record: true }, "response"],
  [{ has_type: true, has_record: true, has_response: true }, "promotion"],
  [{ has_type: true, has_record: true, has_response: true, has_promotion: true }, undefined],
  [{ has_type: true, has_record: false, has_response: true }, "record"],
])("with %j the next step is %s", (facts, next) => {
  const steps = listSteps({ ...NOTHING, ...facts });
  expect(nextStep(steps)).toBe(next);
  expect(steps.filter(({ isDone }) => isDone)).toHaveLength(Object.values(facts).filter(Boolean).length);
});
