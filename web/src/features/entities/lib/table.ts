/** Records as the rows of a table for spreadsheets. Pure. */
import type { Entity } from "@/api/types";
import type { CsvCell } from "@/ui/csv";
import { formatValue, isEmpty } from "./values";

export function toTable(entities: readonly Entity[], fields: readonly { key: string }[]): CsvCell[][] {
  const head = ["id", "type", "title", "score", "updated_at", ...fields.map(({ key }) => key)];
  return [head, ...entities.map((entity) => toRow(entity, fields))];
}

function toRow(entity: Entity, fields: readonly { key: string }[]): CsvCell[] {
  const values = fields.map(({ key }) => toCell(entity.content[key]));
  return [entity.id, entity.type, entity.title, entity.score ?? null, entity.updated_at, ...values];
}

function toCell(value: unknown): CsvCell {
  if (isEmpty(value)) return null;
  return typeof value === "number" ? value : formatValue(value);
}
