/** Where a field's value comes from, in words. */
import type { EntityResponse, FieldChange, Party } from "@/api/types";

export function partyName(party: Party | null | undefined): string {
  if (!party) return "Someone";
  return party.name || (party.kind === "system" ? "The system" : party.kind === "agent" ? "An agent" : "Someone");
}

/** The present source of a field, as said beneath it. `response` is the promoted one, once it is known. */
export function sourceText(change: FieldChange, response: EntityResponse | undefined): string {
  switch (change.kind) {
    case "promotion": {
      const from = response ? ` from ${partyName(response.submitted_by)}` : "";
      return `Promoted${from} by ${partyName(change.actor)}`;
    }
    case "aggregate":
      return "Computed from all responses";
    case "undo":
      return `Brought back by ${partyName(change.actor)}`;
    case "edit":
      return change.present ? `Edited by ${partyName(change.actor)}` : `Cleared by ${partyName(change.actor)}`;
  }
}

/** One entry of a field's history, as a sentence about who did what. */
export function changeText(change: FieldChange, response?: EntityResponse): string {
  const who = partyName(change.actor);
  switch (change.kind) {
    case "promotion":
      return `${who} promoted a proposal${response ? ` of ${partyName(response.submitted_by)}` : ""}`;
    case "undo":
      return `${who} undid a promotion`;
    case "aggregate":
      return "Computed from all responses";
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
