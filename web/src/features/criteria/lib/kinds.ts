import type { Kind } from "./definition";

export const KINDS = ["assessment", "record", "temporal"] as const satisfies Kind[];

export const KIND_LABEL: Record<Kind, string> = {
  assessment: "Assessment",
  record: "Record",
  temporal: "Temporal",
};

export const KIND_MEANING: Record<Kind, string> = {
  assessment: "Scores and evaluates a record",
  record: "Captures the fields of a record",
  temporal: "Repeated snapshots over time",
};
