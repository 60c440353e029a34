/** Records as the rows of a table for spreadsheets, the same as the server makes of a list. Pure. */
import type { Entity } from "@/api/types";
import type { CsvCell } from "@/ui/csv";

export function toTable(entities: readonly Entity[], fields: readonly { key: string }[]): CsvCell[][] {
  const head = ["id", "type", "title", "score", "created_at", "updated_at", ...fields.map(({ key }) => key)];
  return [head, ...entities.map((entity) => toRow(entity, fields))];
}

function toRow(entity: Entity, fields: readonly { key: string }[]): CsvCell[] {
  const values = fields.map(({ key }) => toCell(entity.content[key]));
  return [entity.id, entity.type, entity.title, entity.score ?? null, entity.created_at, entity.updated_at, ...values];
}

/** As the server writes it into the table of a whole list. */
function toCell(value: unknown): CsvCell {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" || typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  return JSON.stringify(value);
}
