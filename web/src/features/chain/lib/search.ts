/** What the addresses of the chain may say; a value that cannot be used counts as not given. */
import * as v from "valibot";

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

const uuid = v.pipe(v.string(), v.uuid());
const ref = v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(6000)); // the server's limit

export const DIRECTIONS = ["back", "forward"] as const;
export const VIEWS = ["picture", "list"] as const;

export const chainSearch = v.object({
  /** What it is about, as `field:<record>/<field>`. */
  from: lenient(ref),
  /** What it rests on, unless told: `forward` is what rests on it. */
  direction: lenient(v.picklist(DIRECTIONS)),
  /** A picture, unless told. */
  view: lenient(v.picklist(VIEWS)),
  /** The node that is shown closer. */
  node: lenient(ref),
});
export type ChainSearch = v.InferOutput<typeof chainSearch>;

export const retractionsSearch = v.object({
  /** What waits, unless told. */
  show: lenient(v.literal("all")),
  /** Of one retraction. */
  retraction: lenient(uuid),
  /** The item at hand. */
  item: lenient(uuid),
});
export type RetractionsSearch = v.InferOutput<typeof retractionsSearch>;
