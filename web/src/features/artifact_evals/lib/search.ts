/** What the address of a suite's page may say; a value that cannot be used counts as not given. */
import * as v from "valibot";
import { DIMENSIONS } from "./dimensions";

export const SHOWN = ["failed", "passed", "all"] as const;
export type Shown = (typeof SHOWN)[number];

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

export const suiteSearch = v.object({
  /** An older run; the newest when absent. */
  run: lenient(v.pipe(v.string(), v.uuid())),
  /** Which records are listed; those to fix when absent. */
  show: lenient(v.picklist(SHOWN)),
  dimension: lenient(v.picklist(DIMENSIONS)),
});
export type SuiteSearch = v.InferOutput<typeof suiteSearch>;
