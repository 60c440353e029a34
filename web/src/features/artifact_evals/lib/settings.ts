/** What a workspace wants of a suite, as it is read and as it is sent. */
import type { ArtifactEvalSuite, ArtifactEvalSuiteSettings } from "@/api/types";
import { DIMENSIONS, type KnowledgeDimension } from "./dimensions";

/** A reason for each dimension that is left out; those that count are not in it. */
export type Reasons = Partial<Record<KnowledgeDimension, string>>;

export function reasonsOf(suite: Pick<ArtifactEvalSuite, "left_out">, by: "suite" | "workspace"): Reasons {
  const own = suite.left_out.filter(({ declared_by }) => declared_by === by);
  return Object.fromEntries(own.map(({ dimension, reason }) => [dimension, reason]));
}

export function toLeftOut(reasons: Reasons): ArtifactEvalSuiteSettings["left_out"] {
  return DIMENSIONS.flatMap((dimension) => {
    const reason = reasons[dimension];
    return reason === undefined ? [] : [{ dimension, reason: reason.trim() }];
  });
}

/** The workspace's own part of what is set, to be sent with one thing changed. */
export function settingsOf(suite: Pick<ArtifactEvalSuite, "added" | "left_out">): ArtifactEvalSuiteSettings {
  return { added: suite.added, left_out: toLeftOut(reasonsOf(suite, "workspace")) };
}

/** Which of the dimensions that are left out say no reason; and whether nothing is left to judge. */
export function checkReasons(reasons: Reasons, fixed: Reasons): { blank: KnowledgeDimension[]; isNothingLeft: boolean } {
  const chosen = DIMENSIONS.filter((dimension) => reasons[dimension] !== undefined);
  return {
    blank: chosen.filter((dimension) => !reasons[dimension]?.trim()),
    isNothingLeft: DIMENSIONS.every((dimension) => reasons[dimension] !== undefined || fixed[dimension] !== undefined),
  };
}
