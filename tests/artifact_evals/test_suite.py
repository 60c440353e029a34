"""The contracts of a suite, shown on one that is broken in each way."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec
import pytest

from goldloop.artifact_evals import (
    KnowledgeArtifact,
    KnowledgeEvalSuite,
    KnowledgeFixture,
    bad,
    good,
    run_knowledge_eval_suite,
    vary,
)
from goldloop.artifact_evals.suite import OutOfTime
from goldloop.artifact_evals.suites import evidence_claim
from tests.loops import some

SUITE = evidence_claim.SUITE
MICROBREAKS = SUITE.fixtures[0].record


def broken(*fixtures: KnowledgeFixture, **changes: Any) -> Any:
    """The suite with other fixtures in place of those of the same name."""
    kept = {fixture.name: fixture for fixture in (*SUITE.fixtures, *fixtures)}
    return run_knowledge_eval_suite(
        msgspec.structs.replace(SUITE, **({"fixtures": tuple(kept.values())} | changes))
    )


def test_a_suite_that_holds_says_so() -> None:
    report = run_knowledge_eval_suite(SUITE)
    assert (report.passed, report.problems, report.drift) == (True, (), ())
    assert all(fixture.held and fixture.why == "" for fixture in some(report.fixtures))


@pytest.mark.parametrize(
    ("fixture", "why"),
    [
        (
            good("x", vary(MICROBREAKS, evidence=[])),
            "should pass, but fails on `source_grounding`",
        ),
        (
            bad("x", MICROBREAKS, "actionability"),
            "should fail on `actionability`, but does not and passes",
        ),
        (
            bad("x", vary(MICROBREAKS, evidence=[]), "actionability"),
            "should fail on `actionability`, but does not and fails on `source_grounding` instead",
        ),
        (
            bad("x", vary(MICROBREAKS, evidence=[], surface="x"), "source_grounding"),
            "should fail on `source_grounding` alone, but also fails on `workspace_renderability`",
        ),
    ],
)
def test_a_fixture_that_is_not_as_labelled_is_reported(fixture: KnowledgeFixture, why: str) -> None:
    report = broken(fixture)
    assert not report.passed
    assert [found.why for found in report.fixtures if not found.held] == [why]


def test_a_dimension_that_nothing_is_aimed_at_is_a_problem() -> None:
    kept = tuple(f for f in SUITE.fixtures if f.fails_dimension != "tenant_isolation")
    report = broken(fixtures=kept)
    assert all(fixture.held for fixture in some(report.fixtures))
    assert report.problems == (
        "nothing proves that `tenant_isolation` can fail: 0 bad fixtures aimed at it, none caught",
    )
    assert not report.passed


def test_without_a_good_fixture_nothing_is_proved() -> None:
    report = broken(fixtures=tuple(f for f in SUITE.fixtures if f.fails_dimension))
    assert report.problems[0].startswith("no good fixture")
    assert not broken(fixtures=()).passed


def _crash(record: Any) -> KnowledgeArtifact:
    raise LookupError("content")


def _exit(record: Any) -> KnowledgeArtifact:
    raise SystemExit(0)


@pytest.mark.parametrize(
    ("adapter", "why"),
    [
        (_crash, "the adapter crashed: LookupError “content”"),
        (_exit, "the adapter crashed: SystemExit “0”"),
        (
            lambda record: None,
            "the adapter crashed: TypeError “it returned nothing, not a KnowledgeArtifact”",
        ),
    ],
)
def test_an_adapter_that_crashes_is_a_failed_fixture_and_not_the_end(adapter: Any, why: str) -> None:
    report = broken(adapter=adapter)
    assert {(fixture.why, fixture.result) for fixture in report.fixtures} == {(why, None)}
    assert not report.passed


def test_the_first_fixture_that_is_out_of_time_is_the_last_that_is_judged() -> None:
    """A suite that lets no exception through does not hold this one up either."""
    asked: list[Any] = []

    def hangs_on_the_third(record: Any) -> KnowledgeArtifact:
        asked.append(record)
        try:
            if len(asked) == 3:
                raise OutOfTime("within 1 s")
        except Exception:
            pass
        return SUITE.adapter(record)

    entered: list[int] = []

    def limit() -> AbstractContextManager[object]:
        entered.append(1)
        return nullcontext()

    report = run_knowledge_eval_suite(msgspec.structs.replace(SUITE, adapter=hangs_on_the_third), limit)
    whys = [fixture.why for fixture in report.fixtures]
    assert whys[:3] == ["", "", "gave no answer within 1 s: the adapter or a check hangs on it"]
    assert set(whys[3:]) == {f"not judged, because “{SUITE.fixtures[2].name}” gave no answer"}
    assert (len(whys), len(asked), len(entered)) == (len(SUITE.fixtures), 3, 3)
    assert not report.passed


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": ""}, "“” cannot be the name of a suite"),
        ({"name": " "}, "cannot be the name of a suite"),
        ({"name": "two\nlines"}, "cannot be the name of a suite"),
        ({"name": None}, "nothing cannot be the name of a suite"),
        ({"rubric": None}, "needs a KnowledgeRubric"),
        ({"adapter": None}, "needs a KnowledgeRubric and an adapter"),
        ({"fixtures": ({"id": 1},)}, "has an object among its fixtures"),
        ({"fixtures": (good("", {}),)}, "has a fixture called “”"),
        ({"fixtures": (good("\x1b[2J", {}),)}, "has a fixture called “�"),
    ],
)
def test_a_suite_that_cannot_be_run_is_refused_with_the_reason(changes: dict[str, Any], says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        msgspec.structs.replace(SUITE, **changes)


def test_two_fixtures_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two fixtures called `x`"):
        KnowledgeEvalSuite(
            name="s",
            title="S",
            adapter=SUITE.adapter,
            rubric=SUITE.rubric,
            fixtures=(good("x", {}), good("x", {})),
        )


def test_a_dimension_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError):
        bad("x", {}, "grammar")


def test_a_varied_record_leaves_the_original_as_it_was() -> None:
    varied = vary(MICROBREAKS, "surface", tenant="other", certainty="high")
    assert (varied["tenant"], varied["content"]["certainty"]) == ("other", "high")
    assert "surface" not in varied["content"]
    assert (MICROBREAKS["tenant"], MICROBREAKS["content"]["certainty"]) == ("northwind", "moderate")
    assert "surface" in MICROBREAKS["content"]


def test_artifacts_can_be_fixtures_of_a_suite_without_a_type() -> None:
    suite = KnowledgeEvalSuite(
        name="outputs",
        title="Outputs of an agent",
        adapter=lambda artifact: artifact,
        rubric=SUITE.rubric,
        fixtures=tuple(
            KnowledgeFixture(name=f.name, record=SUITE.adapter(f.record), fails_dimension=f.fails_dimension)
            for f in SUITE.fixtures
        ),
    )
    assert run_knowledge_eval_suite(suite).passed
