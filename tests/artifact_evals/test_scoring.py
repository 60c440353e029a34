"""How checks become dimensions, dimensions an overall score, and failures a list of what to fix first."""

from dataclasses import replace
from typing import Any

import pytest

from goldloop.artifact_evals import (
    Check,
    CheckResult,
    KnowledgeDimension,
    KnowledgeRubric,
    RenderTarget,
    SafetyPosture,
    score_knowledge_artifact,
)
from goldloop.artifact_evals.rubric import WEIGHTS
from tests.artifact_evals.artifacts import RUBRIC, make_artifact

_D = KnowledgeDimension
ANYTHING: Any = CheckResult  # made from what its type forbids


def says(passed: bool, score: float | None, name: str = "c") -> Check:
    return Check(
        name=name, run=lambda _: CheckResult(passed, score, f"{name} {score}", ("f",)), fields=("f",)
    )


FULL = says(True, 1.0)
ALL: dict[str, Any] = {dimension.value: FULL for dimension in _D}


def scored(**checks: Any) -> Any:
    return score_knowledge_artifact(make_artifact(), KnowledgeRubric(name="r", **(ALL | checks)))


@pytest.mark.parametrize(
    ("checks", "passed", "score", "reason"),
    [
        ([says(True, 1.0)], True, 1.0, "c 1.0"),
        ([says(True, 1.0), says(False, 0.5)], False, 0.5, "c 0.5"),
        ([says(False, 0.5), says(False, 0.2)], False, 0.2, "c 0.2"),
        ([says(True, 0.3), says(False, 0.5)], False, 0.5, "c 0.5"),  # what failed is told before what is low
        ([says(True, None)], True, None, "c None"),
        ([says(True, None), says(True, 1.0)], True, 1.0, "c 1.0"),  # not due is no score
        ([says(True, None), says(False, 0.4)], False, 0.4, "c 0.4"),
        ([], False, None, "nothing in the rubric checks this: add a check"),
    ],
)
def test_a_dimension_is_its_worst_check(
    checks: list[Check], passed: bool, score: float | None, reason: str
) -> None:
    result = scored(actionability=checks)
    found = result.dimensions[2]
    assert (found.passed, found.score, found.reason) == (passed, score, reason)
    assert result.passed == passed


def test_overall_is_the_weighted_mean_of_what_has_a_score() -> None:
    result = scored(source_grounding=says(False, 0.5), tenant_isolation=says(True, None))
    rest = sum(
        weight for key, weight in WEIGHTS.items() if key not in (_D.SOURCE_GROUNDING, _D.TENANT_ISOLATION)
    )
    assert result.overall == pytest.approx((0.2 * 0.5 + rest) / (0.2 + rest))
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_without_any_score_there_is_no_overall() -> None:
    result = score_knowledge_artifact(make_artifact(), KnowledgeRubric(name="empty"))
    assert (result.passed, result.overall, len(result.gaps)) == (False, None, 6)


def test_gaps_are_ordered_by_importance_then_by_dimension() -> None:
    artifact = make_artifact(
        tenant=None, evidence_refs=(), safety=SafetyPosture(), fields={}, render=RenderTarget("view:desk", {})
    )
    gaps = score_knowledge_artifact(artifact, RUBRIC).gaps
    assert [(gap.dimension, gap.importance) for gap in gaps] == [
        (_D.SAFETY_HUMAN_GATE, 0.25),
        (_D.TENANT_ISOLATION, 0.25),
        (_D.SOURCE_GROUNDING, 0.2),
        (_D.SCHEMA_COMPLETENESS, 0.1),
        (_D.ACTIONABILITY, 0.1),
        (_D.WORKSPACE_RENDERABILITY, 0.05),
    ]
    assert gaps[3].fields == ("topic", "owner.name")


def test_every_failed_check_of_a_dimension_is_a_gap() -> None:
    result = scored(actionability=[says(False, 0.5, "a"), says(False, 0.0, "b")])
    assert [gap.check for gap in result.gaps] == ["b", "a"]


def _crash(_artifact: object) -> CheckResult:
    raise KeyError("owner")


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def _mute(_artifact: object) -> CheckResult:
    raise Mute


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (_crash, "mine crashed: KeyError “'owner'”"),
        (lambda _: True, "mine crashed: TypeError “it returned true, not a CheckResult”"),
        (
            lambda _: CheckResult(True, 2.0, "x"),
            "mine crashed: ValueError “its score is 2.0, not within 0 and 1”",
        ),
        (lambda _: CheckResult(True, float("nan"), "x"), "mine crashed: ValueError “its score is nan"),
        (
            lambda _: ANYTHING(False, 0.5, None),
            "mine crashed: TypeError “its reason is nothing, not a text",
        ),
        (lambda _: ANYTHING(False, 0.5, object()), "mine crashed: TypeError “its reason is a object"),
        (lambda _: ANYTHING(None, 0.5, "x"), "mine crashed: TypeError “passed is nothing"),
        (lambda _: ANYTHING("no", 0.5, "x"), "mine crashed: TypeError “passed is “no”"),
        (lambda _: ANYTHING(False, 0.5, "x", "owner"), "mine crashed: TypeError “its fields are not"),
        (lambda _: ANYTHING(False, 0.5, "x", (1,)), "mine crashed: TypeError “its fields are not"),
        (lambda _: exit(0), "mine crashed: SystemExit “0”"),
        (_mute, "mine crashed: Mute “which cannot be told”"),
    ],
)
def test_a_check_that_crashes_has_failed_with_the_reason(run: Any, reason: str) -> None:
    result = scored(actionability=Check(name="mine", run=run, fields=("owner",)))
    found = result.dimensions[2]
    assert (found.passed, found.score, found.fields) == (False, None, ("owner",))
    assert found.reason.startswith(reason)
    assert result.failed == (_D.ACTIONABILITY,)


def test_the_reason_of_a_failure_can_be_printed_anywhere() -> None:
    rude = Check(name="mine", run=lambda _: CheckResult(False, 0.5, "a\nb \x1b[31m \ud800", ("f",)))
    result = scored(actionability=rude)
    assert result.dimensions[2].reason == result.gaps[0].reason == "a�b �[31m �"
    assert (result.gaps[0].score, result.gaps[0].fields) == (0.5, ("f",))


@pytest.mark.parametrize("checks", [None, [None], "text", lambda artifact: None])
def test_a_rubric_takes_nothing_but_checks(checks: Any) -> None:
    with pytest.raises(TypeError, match="has something in actionability that is no Check"):
        replace(RUBRIC, actionability=checks)


@pytest.mark.parametrize("weights", [{_D.ACTIONABILITY: 1.0}, dict.fromkeys(_D, 0.0), dict.fromkeys(_D, 2.0)])
def test_weights_name_every_dimension_and_are_above_zero(weights: dict[KnowledgeDimension, float]) -> None:
    with pytest.raises(ValueError):
        replace(RUBRIC, weights=weights)


def test_a_rubric_knows_the_fields_that_it_reads() -> None:
    assert RUBRIC.fields == {
        *("sources", "topic", "owner.name", "steps", "surface"),
        *("safety_class", "review_required", "reviewed_by", "reviewer_kind"),
    }
