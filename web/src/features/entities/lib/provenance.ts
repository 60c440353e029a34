/** Where a field's value comes from, in words. */
import type { EntityResponse, FieldChange, Party } from "@/api/types";

export function partyName(party: Party | null | undefined): string {
  if (!party) return "Someone";
  return party.name || (party.kind === "system" ? "The system" : party.kind === "agent" ? "An agent" : "Someone");
}

/** Which of a claim's fields says how many sources it was counted from. */
export const COUNT_FIELD = "source_count";
export const AVERAGE_FIELD = "source_quality_avg";

/** A number that the server counted. `sources` is how many it was counted from, where that is known. */
function countedText(change: FieldChange, sources: number | undefined): string {
  const count = change.field === COUNT_FIELD && typeof change.value === "number" ? change.value : sources;
  const from = count === undefined ? "its sources" : `${count} ${count === 1 ? "source" : "sources"}`;
  return `Counted by Goldloop from ${from}`;
}

/** How many sources a claim had at one of its versions, by the history of its count. */
export function countAt(counts: readonly FieldChange[], version: number): number | undefined {
  const held = counts
    .filter(({ field, entity_version }) => field === COUNT_FIELD && entity_version <= version)
    .sort((one, other) => other.entity_version - one.entity_version)[0];
  return typeof held?.value === "number" ? held.value : undefined;
}

/** What was counted is shown to two digits: the rest says nothing. */
export function shownValue(value: unknown, kind: FieldChange["kind"] | undefined): unknown {
  return kind === "aggregate" && typeof value === "number" ? Math.round(value * 100) / 100 : value;
}

/** The present source of a field, as said beneath it. `response` is the promoted one, once it is known. */
export function sourceText(change: FieldChange, response: EntityResponse | undefined, sources?: number): string {
  switch (change.kind) {
    case "promotion": {
      const from = response ? ` from ${partyName(response.submitted_by)}` : "";
      return `Promoted${from} by ${partyName(change.actor)}`;
    }
    case "aggregate":
      return countedText(change, sources);
    case "undo":
      return `Brought back by ${partyName(change.actor)}`;
    case "edit":
      return change.present ? `Edited by ${partyName(change.actor)}` : `Cleared by ${partyName(change.actor)}`;
  }
}

/** One entry of a field's history, as a sentence about who did what. */
export function changeText(change: FieldChange, response?: EntityResponse, sources?: number): string {
  const who = partyName(change.actor);
  switch (change.kind) {
    case "promotion":
      return `${who} promoted a proposal${response ? ` of ${partyName(response.submitted_by)}` : ""}`;
    case "undo":
      return `${who} undid a promotion`;
    case "aggregate":
      return countedText(change, sources);
    case "edit":
      if (!change.present) return `${who} cleared the value`;
      return change.present_before ? `${who} edited the value` : `${who} entered the value`;
  }
}

/** The promotions that a later entry took back. */
export function undoneIds(history: readonly FieldChange[]): Set<string> {
  return new Set(history.flatMap((change) => (change.undoes_id ? [change.undoes_id] : [])));
}

/** Only the promotion that the present value comes from can be taken back. */
export function canUndo(change: FieldChange): boolean {
  return change.current && change.kind === "promotion";
}
