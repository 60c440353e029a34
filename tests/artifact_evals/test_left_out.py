"""A dimension is left out by saying so with a reason: it does not count, and is shown wherever results are."""

from typing import Any

import msgspec
import pytest

from goldloop.artifact_evals import (
    KnowledgeDimension,
    KnowledgeRubric,
    bad,
    knowledge_result_to_rubric_score_result,
    knowledge_rubric_to_criteria_dimensions,
    leave_out,
    run_knowledge_eval_suite,
    score_knowledge_artifact,
)
from goldloop.artifact_evals.scorecard import as_markdown, as_text, build_scorecard, summarize
from goldloop.artifact_evals.suites import evidence_claim
from tests.artifact_evals.artifacts import RUBRIC, make_artifact
from tests.loops import some

_D = KnowledgeDimension
WHY = "Everything is read in the terminal"
WITHOUT = leave_out(RUBRIC, {_D.WORKSPACE_RENDERABILITY: WHY})
RENDER = 4  # its place among the dimensions


def suite_without(fixtures: Any = None) -> Any:
    given = evidence_claim.SUITE
    kept = [each for each in given.fixtures if each.fails_dimension != _D.WORKSPACE_RENDERABILITY]
    return msgspec.structs.replace(
        given,
        rubric=leave_out(given.rubric, {_D.WORKSPACE_RENDERABILITY: WHY}),
        fixtures=tuple(kept if fixtures is None else fixtures),
    )


def test_what_is_left_out_neither_fails_nor_counts_and_says_why() -> None:
    shown_nowhere = make_artifact(render=None, fields={"topic": "x"})
    plain, without = (score_knowledge_artifact(shown_nowhere, rubric) for rubric in (RUBRIC, WITHOUT))
    assert _D.WORKSPACE_RENDERABILITY in plain.failed
    assert without.failed == tuple(each for each in plain.failed if each != _D.WORKSPACE_RENDERABILITY)
    found = without.dimensions[RENDER]
    assert (found.score, found.left_out, found.reason) == (None, True, f"left out: {WHY}")
    assert without.left_out == (found,)
    assert all(gap.dimension != _D.WORKSPACE_RENDERABILITY for gap in some(without.gaps))


def test_the_overall_score_is_that_of_the_rest() -> None:
    nothing_to_show = make_artifact(render=None)
    assert score_knowledge_artifact(nothing_to_show, RUBRIC).overall == pytest.approx(0.9)
    whole = score_knowledge_artifact(nothing_to_show, WITHOUT)
    assert (whole.passed, whole.overall) == (True, 1.0)


def test_nothing_left_out_is_the_same_rubric() -> None:
    assert leave_out(RUBRIC, {}) is RUBRIC
    assert score_knowledge_artifact(make_artifact(), RUBRIC).left_out == ()


def test_reasons_add_to_those_of_the_rubric_and_replace_them() -> None:
    twice = leave_out(WITHOUT, {_D.WORKSPACE_RENDERABILITY: "other", _D.ACTIONABILITY: "only read"})
    assert twice.left_out == {_D.WORKSPACE_RENDERABILITY: "other", _D.ACTIONABILITY: "only read"}


@pytest.mark.parametrize(
    ("left_out", "says"),
    [
        ({_D.ACTIONABILITY: ""}, "each with a reason"),
        ({_D.ACTIONABILITY: "  "}, "each with a reason"),
        ({_D.ACTIONABILITY: None}, "each with a reason"),
        ({"usefulness": "x"}, "by their names"),
        (dict.fromkeys(_D, "x"), "it judges nothing"),
    ],
)
def test_leaving_out_without_a_reason_or_altogether_is_refused(left_out: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        KnowledgeRubric(name="r", left_out=left_out)


def test_a_suite_needs_no_bad_fixture_for_it_and_reports_it() -> None:
    report = run_knowledge_eval_suite(suite_without())
    assert report.passed, report.problems
    covered = report.coverage[RENDER]
    assert (covered.targeted, covered.caught, covered.left_out) == (0, 0, WHY)
    assert [each.left_out for each in report.coverage if each is not covered] == [None] * 5


def test_a_fixture_that_is_aimed_at_it_no_longer_holds() -> None:
    aimed = bad("shown nowhere", {}, _D.WORKSPACE_RENDERABILITY)
    report = run_knowledge_eval_suite(suite_without((*suite_without().fixtures, aimed)))
    assert not report.passed
    assert "should fail on `workspace_renderability`, but does not" in report.fixtures[-1].why


def test_the_scorecard_says_what_is_left_out_and_why() -> None:
    card = build_scorecard([suite_without()])
    text = as_text(card, colour=False).splitlines()
    assert text[1].split() == ["evidence-claim", "4/4", "3/3", "2/2", "1/1", "2/2", "–", "2/2", "PASS"]
    assert text[2:5] == ["", "evidence-claim", f"  workspace_renderability is left out: {WHY}"]
    assert f"- workspace_renderability is left out: {WHY}" in as_markdown(card)
    assert summarize(card)["suites"][0]["coverage"][RENDER]["left_out"] == WHY


def test_people_are_not_asked_about_it_and_other_programs_are_told() -> None:
    keys = [dimension.key for dimension in knowledge_rubric_to_criteria_dimensions(WITHOUT)]
    assert "workspace_renderability_score" not in keys
    assert len(keys) == len(_D) - 1
    bridged = knowledge_result_to_rubric_score_result(score_knowledge_artifact(make_artifact(), WITHOUT))
    other = bridged.dimensions["workspace_renderability_score"]
    assert (other.score, other.rationale) == (None, f"left out: {WHY}")
