/** The six dimensions as people read them: a short name, the question, and how loud a failure is. */
import type { DimensionSummary } from "@/api/types";

export type KnowledgeDimension = DimensionSummary["dimension"];

interface DimensionLook {
  label: string;
  question: string;
  color: string;
}

export const DIMENSION_LOOK: Record<KnowledgeDimension, DimensionLook> = {
  source_grounding: { label: "Sources", question: "Can it be traced to sources that can be looked up?", color: "orange" },
  schema_completeness: { label: "Fields", question: "Are the fields filled in that it cannot do without?", color: "blue" },
  actionability: { label: "Action", question: "Does it say precisely what to do?", color: "blue" },
  safety_human_gate: { label: "Safety gate", question: "Is it labelled, and did a person let it through?", color: "red" },
  workspace_renderability: { label: "Rendering", question: "Is there a real place that shows it?", color: "blue" },
  tenant_isolation: { label: "Workspace", question: "Does everything in it belong to this workspace?", color: "red" },
};

export const DIMENSIONS = Object.keys(DIMENSION_LOOK) as KnowledgeDimension[];

/** Where nothing could be judged, no dimension is to blame. */
export function dimensionLook(dimension: KnowledgeDimension | null): { label: string; color: string } {
  return dimension === null ? { label: "Not judged", color: "gray" } : DIMENSION_LOOK[dimension];
}
