/** Records and what belongs to them, for tests to vary. */
import type { Entity, EntityResponse, EntityType, FieldChange, Party } from "@/api/types";

export const ada: Party = { kind: "user", id: "0190a000-0000-7000-8000-000000000001", name: "Ada" };
export const reader: Party = { kind: "agent", id: "0190a000-0000-7000-8000-000000000021", name: "Filing reader" };

const when = "2026-01-01T00:00:00Z";

export const company: EntityType = {
  id: "0190a000-0000-7000-8000-000000000031",
  slug: "company",
  name: "Company",
  json_schema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Legal name" },
      revenue: { type: "number", minimum: 0 },
      listedOn: { type: "string" },
      founders: { type: "array" },
    },
    required: ["name"],
  },
  field_configs: {
    revenue: { label: "Revenue (USD m)" },
    founders: { relation: { target_type: "person", multiple: true } },
  },
  config: {},
  version: 1,
  created_at: when,
  updated_at: when,
  created_by: ada,
};

export const northwind: Entity = {
  id: "0190a000-0000-7000-8000-000000000041",
  type: "company",
  title: "Northwind",
  content: { name: "Northwind Inc.", revenue: 41.5 },
  metadata: {},
  version: 3,
  score: 82,
  waiting: 0,
  raters: { count: 1, more: false, median: 82, min: 82, max: 82, spread: null, disagree: false },
  created_at: when,
  updated_at: when,
  created_by: ada,
};

export const response: EntityResponse = {
  id: "0190a000-0000-7000-8000-000000000051",
  entity_id: northwind.id,
  criteria_set_id: "0190a000-0000-7000-8000-000000000061",
  criteria_snapshot: [
    { key: "revenue", label: "Revenue (USD m)", type: "number", fieldName: "revenue", required: false },
    { key: "team", label: "Team", type: "rating", scale: [1, 5], weight: 1, required: false },
  ],
  submitted_by_user: null,
  submitted_by_agent: reader.id,
  submitted_by: reader,
  scope: null,
  source: "extraction",
  values: { revenue: 43.2, team: 4 },
  field_meta: {},
  weighted_score: 4,
  normalized_score: 0.75,
  status: "submitted",
  promoted_fields: [],
  promotable_fields: ["revenue"],
  reviewed_by: null,
  reviewer: null,
  reviewed_at: null,
  review_notes: null,
  parent_response_id: null,
  temporal_value: null,
  notes: null,
  created_at: when,
  withdrawn_at: null,
  assigned_to: null,
  waits: true,
};

export const promotion: FieldChange = {
  id: "0190a000-0000-7000-8000-000000000071",
  field: "revenue",
  kind: "promotion",
  value: 43.2,
  present: true,
  value_before: 41.5,
  present_before: true,
  response_id: response.id,
  dimension_key: "revenue",
  undoes_id: null,
  current: true,
  entity_version: 4,
  actor: ada,
  created_at: when,
};
