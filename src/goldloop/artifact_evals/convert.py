"""A rubric and its results in the words of the rest of Goldloop: rubric scores, and the dimensions of a criteria set.

Both use the keys of `score_key` and the same scale, so a person's, a model's and this library's judgement of one
artifact stand side by side. Pure.
"""

from typing import Literal

import msgspec

from goldloop.artifact_evals.model import QUESTIONS, KnowledgeDimension, KnowledgeResult
from goldloop.artifact_evals.rubric import KnowledgeRubric
from goldloop.artifact_evals.rubric_scores import Judge, RubricDimensionScore, RubricScoreResult

SCALE = (1, 5)  # what people and models rate on


class CriteriaDimension(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A rating of a criteria set, as `POST /api/criteria-sets` takes it."""

    key: str
    label: str
    description: str
    weight: float
    type: Literal["rating"] = "rating"
    scale: tuple[int, int] = SCALE
    required: bool = True


def score_key(dimension: KnowledgeDimension) -> str:
    return f"{dimension.value}_score"


def knowledge_result_to_rubric_score_result(result: KnowledgeResult) -> RubricScoreResult:
    low, high = SCALE
    return RubricScoreResult(
        rubric=result.rubric,
        overall=result.overall,
        passed=result.passed,
        dimensions={
            score_key(found.dimension): RubricDimensionScore(
                score=None if found.score is None else low + (high - low) * found.score,
                scale=SCALE,
                normalized=found.score,
                passed=found.passed,
                rationale=found.reason,
            )
            for found in result.dimensions
        },
        judge=Judge(kind="deterministic", version=result.rubric_version),
    )


def knowledge_rubric_to_criteria_dimensions(rubric: KnowledgeRubric) -> list[CriteriaDimension]:
    """One rating per dimension that has a check, with the question that a judge answers."""
    return [
        CriteriaDimension(
            key=score_key(planned.dimension),
            label=planned.dimension.value.replace("_", " ").capitalize(),
            description=QUESTIONS[planned.dimension],
            weight=planned.weight,
        )
        for planned in rubric.plan
        if planned.checks  # none of what is left out
    ]
