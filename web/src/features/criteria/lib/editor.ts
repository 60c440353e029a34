/** Every way in which the draft of a criteria set changes. */
import { moved } from "@/ui/move";
import type { DimensionType } from "./dimensionTypes";
import { type DimensionDraft, type SetDraft, newDimension } from "./draft";

const MAX_SLUG = 120;

export type EditorAction =
  | { do: "change"; part: Partial<Omit<SetDraft, "dimensions">> }
  | { do: "add"; type: DimensionType }
  | { do: "changeDimension"; id: string; part: Partial<Omit<DimensionDraft, "id">> }
  | { do: "duplicate"; id: string }
  | { do: "move"; id: string; delta: -1 | 1 }
  | { do: "remove"; id: string }
  | { do: "reset"; draft: SetDraft };

export function editSet(draft: SetDraft, action: EditorAction): SetDraft {
  const { dimensions } = draft;
  switch (action.do) {
    case "change":
      return withSlug({ ...draft, ...action.part });
    case "add":
      return { ...draft, dimensions: [...dimensions, newDimension(action.type)] };
    case "changeDimension":
      return {
        ...draft,
        dimensions: dimensions.map((each) =>
          each.id === action.id ? withKey({ ...each, ...action.part }, dimensions) : each,
        ),
      };
    case "duplicate":
      return { ...draft, dimensions: duplicated(dimensions, action.id) };
    case "move": {
      const place = dimensions.findIndex(({ id }) => id === action.id);
      return place < 0 ? draft : { ...draft, dimensions: moved(dimensions, place, action.delta) };
    }
    case "remove":
      return { ...draft, dimensions: dimensions.filter(({ id }) => id !== action.id) };
    case "reset":
      return action.draft;
  }
}

/** Until somebody chooses a slug it follows the name. */
function withSlug(draft: SetDraft): SetDraft {
  return draft.slugIsOwn ? draft : { ...draft, slug: keyFrom(draft.name, "-").slice(0, MAX_SLUG) };
}

function withKey(dimension: DimensionDraft, all: readonly DimensionDraft[]): DimensionDraft {
  if (dimension.keyIsOwn) return dimension;
  const others = all.filter(({ id }) => id !== dimension.id).map(({ key }) => key);
  return { ...dimension, key: freeKey(keyFrom(dimension.label, "_"), others) };
}

function duplicated(dimensions: readonly DimensionDraft[], id: string): DimensionDraft[] {
  return dimensions.flatMap((each) => {
    if (each.id !== id) return [each];
    const label = each.label ? `${each.label} copy` : "";
    const copy = { ...each, id: newDimension(each.type).id, label, keyIsOwn: false, fieldName: "" };
    return [each, withKey(copy, dimensions)];
  });
}

/** `Trouble sleeping?` as `trouble_sleeping`. */
export function keyFrom(text: string, joint: "_" | "-"): string {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const words = plain.split(joint === "-" ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.join(joint).slice(0, 90);
}

function freeKey(key: string, taken: readonly string[]): string {
  if (!key || !taken.includes(key)) return key;
  let number = 2;
  while (taken.includes(`${key}_${number}`)) number += 1;
  return `${key}_${number}`;
}
