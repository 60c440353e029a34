/** A claim, its sources and what rates them, for tests to vary. */
import type { ClaimSettings, ClaimSource, CriteriaSet, Entity, EntityType, FieldChange } from "@/api/types";
import { company, northwind, promotion } from "./records";

export const settings: ClaimSettings = {
  source_type: "source-item",
  criteria_set: "evidence-quality",
  relation_field: "supports",
};

export const claimType: EntityType = { ...company, slug: "claim", name: "Claim", field_configs: {} };

export const sourceType: EntityType = {
  ...company,
  slug: "source-item",
  name: "Source",
  field_configs: { supports: { label: "Supports", relation: { target_type: "claim", multiple: true } } },
};

export const evidenceQuality: CriteriaSet = {
  id: "0190a000-0000-7000-8000-000000000062",
  slug: "evidence-quality",
  name: "Evidence quality",
  kind: "assessment",
  description: null,
  entity_type_slugs: ["source-item"],
  temporal_key: null,
  display_type: null,
  display_config: null,
  scope: null,
  is_default: false,
  entity_type_version: null,
  archived_at: null,
  version: 1,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  created_by: northwind.created_by,
  dimensions: [
    { key: "rigor", label: "Rigor", type: "rating", scale: [0, 10], weight: 0.5, required: false },
    { key: "relevance", label: "Relevance", type: "rating", scale: [0, 10], weight: 0.5, required: false },
    { key: "comment", label: "Comment", type: "text", required: false },
  ],
};

export const claim: Entity = {
  ...northwind,
  type: "claim",
  title: "Answers within two hours",
  content: { source_count: 2, source_quality_avg: 7 },
};

export const source: ClaimSource = {
  id: "0190a000-0000-7000-8000-000000000081",
  type: "source-item",
  title: "A study",
  quality: 7,
  response_id: "0190a000-0000-7000-8000-000000000091",
  ratings: { rigor: 8, relevance: 6, comment: "No control group." },
};

export const unrated: ClaimSource = {
  ...source,
  id: "0190a000-0000-7000-8000-000000000082",
  title: "An article",
  quality: null,
  response_id: null,
  ratings: {},
};

export const counted: FieldChange = {
  ...promotion,
  field: "source_quality_avg",
  kind: "aggregate",
  value: 7,
  value_before: null,
  response_id: null,
  dimension_key: null,
  actor: { kind: "system", id: null, name: null },
};
