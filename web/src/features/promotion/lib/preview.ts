/** A server's preview of a promotion, as rows with what is wrong at each. */
import type { PromotionPreview } from "@/api/types";
import { humanize } from "@/features/entity_types/lib/fields";

export interface PreviewRow {
  /** The key of the dimension that proposes it. */
  dimension: string;
  field: string;
  label: string;
  before: unknown;
  presentBefore: boolean;
  after: unknown;
  changes: boolean;
  errors: string[];
}

/** `/content/revenue/0` is about the field `revenue`; what is about no field in sight is general. */
export function describePreview(
  preview: PromotionPreview,
  labels: ReadonlyMap<string, string>,
): { rows: PreviewRow[]; general: string[] } {
  const general: string[] = [];
  const byField = new Map<string, string[]>(preview.fields.map(({ field }) => [field, []]));
  for (const { path, message } of preview.errors) {
    const [head, name = ""] = path.split("/").slice(1);
    const field = head === "content" ? name.replaceAll("~1", "/").replaceAll("~0", "~") : undefined;
    const place = field === undefined ? undefined : byField.get(field);
    if (place) place.push(message);
    else general.push(field ? `${labels.get(field) ?? humanize(field)}: ${message}.` : `${message}.`);
  }
  const rows = preview.fields.map((each) => ({
    dimension: each.dimension,
    field: each.field,
    label: labels.get(each.field) ?? humanize(each.field),
    before: each.value_before,
    presentBefore: each.present_before,
    after: each.value,
    changes: each.changes,
    errors: byField.get(each.field) ?? [],
  }));
  return { rows, general };
}
