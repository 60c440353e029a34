/** Where values come from, while it is typed and as it is sent. */
import { type Fault, fault, pointer } from "@/api/faults";

export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** Each kind of source with the key its reference is sent under. */
export const SOURCE_TYPES = {
  web: { label: "Web page", key: "url", reference: "Address", placeholder: "https://" },
  document: { label: "Document", key: "title", reference: "Title", placeholder: "Annual report 2025, page 12" },
  entity: { label: "Record", key: "id", reference: "Record id", placeholder: "" },
  field: { label: "Field", key: "field", reference: "Field name", placeholder: "" },
} as const;
export type SourceType = keyof typeof SOURCE_TYPES;

export interface SourceDraft {
  id: string;
  type: SourceType;
  reference: string;
  quote: string;
}

export interface EvidenceDraft {
  confidence: Confidence | null;
  sources: readonly SourceDraft[];
}

/** By the key of a dimension. */
export type Evidence = Readonly<Record<string, EvidenceDraft>>;

export const NO_EVIDENCE: EvidenceDraft = { confidence: null, sources: [] };

function isGiven({ reference, quote }: SourceDraft): boolean {
  return Boolean(reference.trim() || quote.trim());
}

/** Where a source stands in what is sent, which leaves out those nobody filled in. */
export function sourcePlace(key: string, draft: EvidenceDraft, source: SourceDraft): string {
  return pointer("field_meta", key, "sources", draft.sources.filter(isGiven).indexOf(source));
}

export function toFieldMeta(evidence: Evidence): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  for (const [key, { confidence, sources }] of Object.entries(evidence)) {
    const given = sources.filter(isGiven).map(({ type, reference, quote }) => ({
      type,
      ...(reference.trim() ? { [SOURCE_TYPES[type].key]: reference.trim() } : {}),
      ...(quote.trim() ? { quote: quote.trim() } : {}),
    }));
    if (confidence || given.length > 0) {
      meta[key] = { ...(confidence ? { confidence } : {}), ...(given.length > 0 ? { sources: given } : {}) };
    }
  }
  return meta;
}

export function checkEvidence(evidence: Evidence): Fault[] {
  return Object.entries(evidence).flatMap(([key, draft]) =>
    draft.sources
      .filter((source) => source.type === "web" && source.reference.trim())
      .filter((source) => !/^https?:\/\//i.test(source.reference.trim()))
      .map((source) =>
        fault(`${sourcePlace(key, draft, source)}/url`, "invalid_url", "An address begins with https:// or http://"),
      ),
  );
}
