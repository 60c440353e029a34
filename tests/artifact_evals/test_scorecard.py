"""The scorecard: a table for people, a page for a pull request, a summary for programs."""

import json

import msgspec
import pytest

from goldloop.artifact_evals import good, vary
from goldloop.artifact_evals.scorecard import (
    GREEN,
    RED,
    Scorecard,
    as_markdown,
    as_text,
    build_scorecard,
    summarize,
)
from goldloop.artifact_evals.suites import SUITES, pf_idea

BROKEN = msgspec.structs.replace(
    pf_idea.SUITE,
    name="bro|ken",
    fixtures=(
        *(fixture for fixture in pf_idea.SUITE.fixtures if fixture.fails_dimension != "actionability"),
        good("not decided", vary(pf_idea.SUITE.fixtures[0].record, "decided_by")),
    ),
)


@pytest.fixture(scope="module")
def card() -> Scorecard:
    return build_scorecard([SUITES[0], BROKEN])


def test_a_card_that_holds_is_a_table_and_a_sentence() -> None:
    lines = as_text(build_scorecard(SUITES), colour=False).splitlines()
    assert lines[0].split() == ["SUITE", "GOOD", "SOURCES", "FIELDS", "ACTION", "SAFETY", "RENDER", "TENANT"]
    assert [line.split()[-1] for line in lines[1:5]] == ["PASS"] * 4
    assert lines[6] == "4 suites, 69 fixtures: all hold"
    assert max(map(len, lines)) <= 90


def test_the_failing_dimension_and_its_reason_stand_under_each_failure(card: Scorecard) -> None:
    assert as_text(card, colour=False).splitlines() == [
        "SUITE           GOOD  SOURCES  FIELDS  ACTION  SAFETY  RENDER  TENANT",
        "evidence-claim  4/4   3/3      2/2     1/1     2/2     2/2     2/2     PASS",
        "bro|ken         4/5   2/2      1/1     0/0     3/3     1/1     3/3     FAIL",
        "",
        "bro|ken",
        "  FAIL  not decided: should pass, but fails on `safety_human_gate`",
        "          safety_human_gate: `decided_by` names nobody, and it is accepted",
        "  FAIL  nothing proves that `actionability` can fail: 0 bad fixtures aimed at it, none caught",
        "",
        "1 of 2 suites fails",
        "GOOD counts good fixtures that pass; the dimensions count bad ones that they catch.",
    ]


def test_colour_says_the_same_and_only_when_asked_for(card: Scorecard) -> None:
    painted, plain = as_text(card, colour=True), as_text(card, colour=False)
    assert "\033" not in plain
    assert f"{GREEN}PASS" in painted
    assert f"{RED}FAIL" in painted
    for code in (GREEN, RED, "\033[0m", "\033[1m", "\033[2m"):
        painted = painted.replace(code, "")
    assert painted == plain


def test_the_page_has_a_table_and_the_reasons(card: Scorecard) -> None:
    page = as_markdown(card)
    assert "| bro\\|ken | 4/5 | 2/2 | 1/1 | 0/0 | 3/3 | 1/1 | 3/3 | **FAIL** |" in page
    assert (
        "- not decided: should pass, but fails on `safety_human_gate`\n  - safety_human_gate: `decided_by`"
        in page
    )
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {10}


def test_the_summary_is_json_and_always_the_same(card: Scorecard) -> None:
    summary = json.loads(json.dumps(summarize(card)))
    assert summary == json.loads(json.dumps(summarize(build_scorecard([SUITES[0], BROKEN]))))
    assert (summary["passed"], [suite["passed"] for suite in summary["suites"]]) == (False, [True, False])
    failed = next(fixture for fixture in summary["suites"][1]["fixtures"] if not fixture["held"])
    assert failed["name"] == "not decided"
    assert failed["gaps"][0]["fields"] == ["decided_by"]


def test_a_card_of_no_suites_does_not_pass() -> None:
    empty = build_scorecard([])
    assert (empty.passed, empty.verdict) == (False, "no suite was run")
    assert as_text(empty, colour=False)
