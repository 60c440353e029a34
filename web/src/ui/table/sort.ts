/** How rows are ordered: by one column, rows without a value last in either direction. */
export type SortValue = string | number | null | undefined;
export type Direction = "asc" | "desc";

export interface Sort {
  key: string;
  dir: Direction;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(String(a), String(b));
}

export function sortRows<Row>(rows: readonly Row[], value: (row: Row) => SortValue, dir: Direction): Row[] {
  const sign = dir === "asc" ? 1 : -1;
  return [...rows].sort((left, right) => {
    const a = value(left) ?? null;
    const b = value(right) ?? null;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

/** A second click on the sorted column turns it round. */
export function nextSort(current: Sort, key: string, first: Direction = "asc"): Sort {
  if (current.key !== key) return { key, dir: first };
  return { key, dir: current.dir === "asc" ? "desc" : "asc" };
}

/** What the address says, or the table's own order when it says nothing it knows. */
export function readSort(
  search: { sort?: string | undefined; dir?: Direction | undefined },
  sortable: readonly string[],
  fallback: Sort,
): Sort {
  if (!search.sort || !sortable.includes(search.sort)) return fallback;
  return { key: search.sort, dir: search.dir ?? "asc" };
}
