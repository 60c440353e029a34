/** A draft as a form can show it, whatever is still wrong with it. */
import { isNumber } from "@/api/plain";
import type { Dimension } from "@/api/types";
import type { Displayed } from "./display";
import { type SetDraft, definitionOf } from "./draft";

/** Keys may be missing or double while typing; the draft's own ids are not. */
export function previewOf(draft: SetDraft): Displayed {
  const { dimensions, display_type, display_config } = definitionOf(draft);
  return {
    display_type: display_type ?? null,
    display_config: display_config ?? null,
    dimensions: dimensions.map((dimension, place) => ({
      ...dimension,
      key: draft.dimensions[place]?.id ?? dimension.key,
      label: dimension.label || "Untitled",
      scale: usableScale(dimension),
      step: isNumber(dimension.step) && dimension.step > 0 ? dimension.step : null,
    })),
  };
}

function usableScale({ scale }: Dimension): [number, number] | null {
  return scale?.every(isNumber) && scale[0] < scale[1] ? scale : null;
}
