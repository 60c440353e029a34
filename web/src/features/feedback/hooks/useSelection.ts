import { useState } from "react";
import { type Selected, toggled, withRange } from "../lib/selection";

const NONE: Selected = new Set();

/** Which rows are selected, one by one or up to here. */
export function useSelection(ids: readonly string[]) {
  const [selected, setSelected] = useState<Selected>(NONE);
  const [last, setLast] = useState<string | null>(null);
  return {
    selected,
    /** Of those that are still in the list. */
    count: ids.filter((id) => selected.has(id)).length,
    toggle: (id: string) => {
      setSelected(toggled(selected, id));
      setLast(id);
    },
    selectTo: (id: string) => {
      setSelected(withRange(selected, ids, last, id));
      setLast(id);
    },
    clear: () => setSelected(NONE),
  };
}

export type Selection = ReturnType<typeof useSelection>;
