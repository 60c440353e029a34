/** A matrix of ratings while it is being filled in: a row per connection, a column per dimension. Pure. */
import { type Fault, parsePointer, pointer } from "@/api/faults";
import { settle } from "@/api/plain";
import type { CriteriaSet, Dimension, NewEntityResponse } from "@/api/types";
import { computeResponseScore } from "@/features/criteria/lib/scoring";
import { type Values, checkValues, cleanValues } from "@/features/criteria/lib/values";
import { checkSubmission, EMPTY_DRAFT } from "@/features/responses/lib/submission";

/** `{connection id: {dimension key: value}}` */
export type MatrixValues = Readonly<Record<string, Values>>;

export interface MatrixDraft {
  values: MatrixValues;
  notes: string;
  temporalValue: string;
}

export const EMPTY_MATRIX: MatrixDraft = { values: {}, notes: "", temporalValue: "" };

export function isRelationScoped({ scope }: Pick<CriteriaSet, "scope">): boolean {
  return scope?.type === "relation";
}

/** A row of the form. */
export interface Connection {
  id: string;
  title: string;
}

export function setCell(values: MatrixValues, connection: string, key: string, value: unknown): MatrixValues {
  return { ...values, [connection]: { ...values[connection], [key]: value } };
}

/** Only the connections that are still there, and only what was filled in for them. */
export function cleanMatrix(values: MatrixValues, connections: readonly Connection[]): Record<string, Values> {
  const rows = connections.map(({ id }): [string, Values] => [id, cleanValues(values[id] ?? {})]);
  return Object.fromEntries(rows.filter(([, row]) => Object.keys(row).length > 0));
}

/** Connections that something was filled in for, but that are no longer there. */
export function countGone(values: MatrixValues, connections: readonly Connection[]): number {
  const known = new Set(connections.map(({ id }) => id));
  const filled = Object.entries(values).filter(([, row]) => Object.keys(cleanValues(row)).length > 0);
  return filled.filter(([id]) => !known.has(id)).length;
}

export function isUntouched({ values, notes, temporalValue }: MatrixDraft): boolean {
  const filled = Object.values(values).some((row) => Object.keys(cleanValues(row)).length > 0);
  return !filled && !notes.trim() && !temporalValue.trim();
}

/** Without answers to what is no longer asked. Rows that have none stay the same objects: they need not be drawn anew. */
export function onlyAsked(draft: MatrixDraft, dimensions: readonly Pick<Dimension, "key">[]): MatrixDraft {
  const asked = new Set(dimensions.map(({ key }) => key));
  const only = (row: Values): Values =>
    Object.keys(row).every((key) => asked.has(key))
      ? row
      : Object.fromEntries(Object.entries(row).filter(([key]) => asked.has(key)));
  const rows = Object.entries(draft.values).map(([id, row]) => [id, only(row)] as const);
  return { ...draft, values: Object.fromEntries(rows) };
}

/** Any connection may be left out; about one that anything is said about, what the set requires is needed. */
export function checkMatrix(draft: MatrixDraft, set: CriteriaSet, connections: readonly Connection[]): Fault[] {
  const rows = Object.entries(cleanMatrix(draft.values, connections));
  const around = checkSubmission({ ...EMPTY_DRAFT, ...draft, values: {} }, { ...set, dimensions: [] });
  const cells = rows.flatMap(([id, row]) => checkValues(row, set.dimensions, pointer("values", id)));
  return [...around, ...cells];
}

export function toMatrixSubmission(
  draft: MatrixDraft,
  set: CriteriaSet,
  connections: readonly Connection[],
): NewEntityResponse {
  return {
    criteria_set_id: set.id,
    values: cleanMatrix(draft.values, connections),
    ...(draft.notes.trim() ? { notes: draft.notes.trim() } : {}),
    ...(set.kind === "temporal" ? { temporal_value: draft.temporalValue.trim() } : {}),
  };
}

export interface MatrixScore {
  /** The mean over the connections that have a score, from 0 to 1. */
  normalized: number | null;
  rated: number;
}

export function scoreMatrix(
  values: MatrixValues,
  connections: readonly Connection[],
  dimensions: readonly Dimension[],
): MatrixScore {
  const rows = Object.values(cleanMatrix(values, connections));
  const scores = rows.flatMap((row) => computeResponseScore(row, dimensions).normalized ?? []);
  const normalized = scores.length > 0 ? settle(scores.reduce((sum, score) => sum + score, 0) / scores.length) : null;
  return { normalized, rated: rows.length };
}

export interface RowFaults {
  /** About the connection as a whole. */
  row?: string;
  /** By the key of the dimension. */
  cells: Record<string, string>;
}

/** Where each fault is shown; what no cell can show comes back as `rest`. */
export function placeFaults(
  faults: readonly Fault[],
  connections: readonly Connection[],
  dimensions: readonly Dimension[],
): { rows: Map<string, RowFaults>; rest: Fault[] } {
  const known = new Set(connections.map(({ id }) => id));
  const keys = new Set(dimensions.map(({ key }) => key));
  const rows = new Map<string, RowFaults>();
  const rest: Fault[] = [];
  for (const each of faults) {
    const [head, id, key] = parsePointer(each.path);
    if (head !== "values" || id === undefined || !known.has(id)) {
      rest.push(each);
      continue;
    }
    const row = rows.get(id) ?? { cells: {} };
    rows.set(id, row);
    if (key !== undefined && keys.has(key)) row.cells[key] ??= each.message;
    else row.row ??= each.message;
  }
  return { rows, rest };
}

/** Faults of the server about a place that has been changed since are no longer true. */
export function withoutFaultsOf(faults: readonly Fault[], connection: string, key: string): Fault[] {
  const [row, cell] = [pointer("values", connection), pointer("values", connection, key)];
  return faults.filter(({ path }) => path !== row && path !== cell && !path.startsWith(`${cell}/`));
}

/** The sentence above the form, for what is marked at its place and for what cannot be. */
export function describeFaults(rows: ReadonlyMap<string, RowFaults>, rest: readonly Fault[]): string | null {
  const elsewhere = rest.filter(({ path }) => path !== "/notes" && path !== "/temporal_value");
  const marked = [...rows.values()].reduce(
    (count, { row, cells }) => count + Object.keys(cells).length + (row ? 1 : 0),
    0,
  );
  const said = elsewhere.map(({ message }) => message);
  if (marked > 0) said.push(marked === 1 ? "One value cannot be submitted as it is." : `${marked} values cannot be submitted as they are.`);
  return said.join(" ") || null;
}


interface Answered {
  criteria_snapshot: readonly Dimension[];
  values: Readonly<Record<string, unknown>>;
}

/** A response about connections as a table; a response about the record itself has no rows. */
export function listAnswers({ criteria_snapshot: asked, values }: Answered) {
  const keys = new Set(asked.map(({ key }) => key));
  const rows = Object.entries(values).flatMap(([id, row]) => {
    if (keys.has(id) || typeof row !== "object" || row === null || Array.isArray(row)) return [];
    return { id, values: cleanValues(row as Values) };
  });
  const dimensions = asked.filter(({ key }) => rows.some((row) => row.values[key] !== undefined));
  return { dimensions, rows };
}
