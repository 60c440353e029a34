/** What the address of an agent's page may say; a value that cannot be used counts as not given. */
import * as v from "valibot";

function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

export const AGENT_TABS = ["configuration", "versions", "sessions", "responses", "keys"] as const;
export type AgentTab = (typeof AGENT_TABS)[number];

const version = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Of the page that connects an agent: what it is connected with. */
export const connectSearch = v.object({ with: lenient(v.string()) });

export const agentSearch = v.object({
  tab: lenient(v.picklist(AGENT_TABS)),
  /** The two versions that are compared; 0 is before the first. */
  from: lenient(version),
  to: lenient(version),
  /** Whether the form for a new key is open. */
  new: lenient(v.literal(1)),
  sort: lenient(v.string()),
  dir: lenient(v.picklist(["asc", "desc"])),
});
export type AgentSearch = v.InferOutput<typeof agentSearch>;
