/** Which of a list's rows are selected. Pure. */
export type Selected = ReadonlySet<string>;

export function toggled(selected: Selected, id: string): Selected {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Also all that stand between the row that was selected last and this one. */
export function withRange(selected: Selected, ids: readonly string[], from: string | null, to: string): Selected {
  const [one, other] = [ids.indexOf(from ?? to), ids.indexOf(to)];
  if (other === -1) return selected;
  const start = one === -1 ? other : Math.min(one, other);
  return new Set([...selected, ...ids.slice(start, Math.max(one, other) + 1)]);
}

/** What an act is about: the selected rows that are still there, else the one at hand. */
export function targetsOf<Row extends { id: string }>(rows: readonly Row[], selected: Selected, at: string | null): Row[] {
  const chosen = rows.filter(({ id }) => selected.has(id));
  return chosen.length > 0 ? chosen : rows.filter(({ id }) => id === at);
}

/** Which row to go on with when some are decided: the next that is left, else the last before them. */
export function nextAfter<Row extends { id: string }>(rows: readonly Row[], decided: readonly Row[]): string | undefined {
  const isLeft = ({ id }: Row) => !decided.some((row) => row.id === id);
  const last = rows.findLastIndex((row) => !isLeft(row));
  return (rows.slice(last + 1).find(isLeft) ?? rows.findLast(isLeft))?.id;
}
