/** What a response says about where one of its values comes from, read with care: it is anybody's JSON. */
import { safeUrl } from "@/features/entities/lib/values";
import { humanize } from "@/features/entity_types/lib/fields";

export type Confidence = "high" | "medium" | "low";

export interface Source {
  label: string;
  /** What kind of evidence it is, such as "Document". */
  kind: string;
  url: string | null;
  /** The record it stands in, for evidence of type entity. */
  entityId: string | null;
  quote: string | null;
}

export interface Evidence {
  confidence: Confidence | null;
  sources: Source[];
  /** How much work it was, in words. */
  effort: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CONFIDENCES: readonly unknown[] = ["high", "medium", "low"];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstText(source: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = source[key];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}

/** An address without what makes it long: host and path. */
export function shortUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host.replace(/^www\./, "")}${pathname === "/" ? "" : pathname}`;
}

function readSource(value: unknown): Source[] {
  if (!isObject(value)) return [];
  const kind = humanize(typeof value.type === "string" ? value.type : "source");
  const url = safeUrl(value.url);
  const id = firstText(value, ["entity_id", "entityId", "id"]);
  const entityId = value.type === "entity" && id && UUID.test(id) ? id : null;
  const named = firstText(value, ["title", "name", "label", "field", "page"]);
  return [
    {
      kind,
      url,
      entityId,
      quote: firstText(value, ["quote", "excerpt", "snippet", "text"]),
      label: named ?? (url ? shortUrl(url) : (firstText(value, ["url", "document_id", "documentId"]) ?? id ?? kind)),
    },
  ];
}

function effortOf(meta: Record<string, unknown>): string | null {
  const parts: string[] = [];
  if (typeof meta.tokens_used === "number") parts.push(`${meta.tokens_used.toLocaleString("en")} tokens`);
  if (typeof meta.duration_ms === "number") parts.push(`${(meta.duration_ms / 1000).toFixed(1)} s`);
  return parts.length > 0 ? parts.join(", ") : null;
}

export function readEvidence(meta: unknown): Evidence {
  if (!isObject(meta)) return { confidence: null, sources: [], effort: null };
  return {
    confidence: CONFIDENCES.includes(meta.confidence) ? (meta.confidence as Confidence) : null,
    sources: Array.isArray(meta.sources) ? meta.sources.flatMap(readSource) : [],
    effort: effortOf(meta),
  };
}
