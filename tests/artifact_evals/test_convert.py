"""The same rubric as a rubric score and as a criteria set."""

from typing import Any

import msgspec
import pytest

from goldloop.artifact_evals import (
    KnowledgeDimension,
    KnowledgeResult,
    KnowledgeRubric,
    RubricScoreResult,
    assert_tenant_scope,
    knowledge_result_to_rubric_score_result,
    knowledge_rubric_to_criteria_dimensions,
    score_knowledge_artifact,
)
from goldloop.artifact_evals.convert import score_key
from goldloop.artifact_evals.suites import SUITES
from goldloop.criteria.definition import check_definition
from goldloop.criteria.model import CriteriaSetDefinition, Dimension, Kind
from goldloop.responses.scoring import compute_response_score
from tests.artifact_evals.artifacts import RUBRIC, make_artifact


def result_of(**changes: Any) -> KnowledgeResult:
    return score_knowledge_artifact(make_artifact(**changes), RUBRIC)


def test_a_result_has_the_shape_of_a_rubric_score() -> None:
    bridged = knowledge_result_to_rubric_score_result(result_of(evidence_refs=()))
    sent = msgspec.to_builtins(bridged)
    assert sent.keys() == {"rubric", "overall", "passed", "dimensions", "judge"}
    assert (sent["rubric"], sent["passed"], sent["judge"]) == (
        "plain",
        False,
        {"kind": "deterministic", "version": "1"},
    )
    assert sent["overall"] == pytest.approx(0.8)
    assert sent["dimensions"]["source_grounding_score"] == {
        "score": 1.0,
        "scale": (1, 5),
        "normalized": 0.0,
        "passed": False,
        "rationale": "`sources` cites 0 of 2 sources, and it is published",
    }
    assert sent["dimensions"]["tenant_isolation_score"]["score"] == 5.0
    assert msgspec.json.decode(msgspec.json.encode(bridged), type=RubricScoreResult) == bridged


def test_what_is_not_due_is_not_judged() -> None:
    found = knowledge_result_to_rubric_score_result(result_of(status="draft", evidence_refs=()))
    dimension = found.dimensions["source_grounding_score"]
    assert (dimension.score, dimension.normalized, dimension.passed) == (None, None, True)
    assert found.overall == 1.0


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_a_rubric_makes_a_criteria_set_that_goldloop_takes(suite: Any) -> None:
    dimensions = msgspec.convert(
        msgspec.to_builtins(knowledge_rubric_to_criteria_dimensions(suite.rubric)), list[Dimension]
    )
    assert [dimension.key for dimension in dimensions] == [score_key(d) for d in KnowledgeDimension]
    definition = CriteriaSetDefinition(
        slug="trust", name="Trust", kind=Kind.ASSESSMENT, dimensions=dimensions
    )
    assert check_definition(definition) == []


def test_rated_with_the_rubrics_own_scores_a_criteria_set_comes_to_the_same_overall() -> None:
    result = result_of(evidence_refs=(), fields={})
    scores = knowledge_result_to_rubric_score_result(result)
    values = {key: dimension.score for key, dimension in scores.dimensions.items()}
    dimensions = msgspec.convert(
        msgspec.to_builtins(knowledge_rubric_to_criteria_dimensions(RUBRIC)), list[Dimension]
    )
    assert compute_response_score(values, dimensions).normalized == pytest.approx(result.overall)


def test_a_dimension_that_nothing_checks_is_no_rating() -> None:
    partial = KnowledgeRubric(name="partial", tenant_isolation=assert_tenant_scope())
    assert [found.key for found in knowledge_rubric_to_criteria_dimensions(partial)] == [
        "tenant_isolation_score"
    ]
