"""What a run came to, when it is good enough, and how CI reads it."""

from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from goldloop.evals.reports.gate import Gate, GateExit, decide_gate
from goldloop.evals.reports.junit import as_junit
from goldloop.evals.reports.run_report import GoldenMove, GoldenResult, RunReport, build_report
from goldloop.evals.reports.step_summary import MOST_CHANGED, as_markdown
from goldloop.evals.stats import NoiseFloor, ReplayOutcome, Verdict

P, F, N, E = ReplayOutcome.PASSED, ReplayOutcome.FAILED, ReplayOutcome.INCONCLUSIVE, ReplayOutcome.ERROR


def golden(
    name: str, outcomes: list[ReplayOutcome], baseline: tuple[int, int] | None = (3, 3), **more: Any
) -> GoldenResult:
    return GoldenResult(id=name, outcomes=outcomes, baseline=baseline, **more)


def report(*goldens: GoldenResult, baseline: str | None = "v1") -> RunReport:
    return build_report(
        goldens, set_name="smoke", agent="support", baseline=baseline, repeats=3, mode="frozen"
    )


@pytest.mark.parametrize(
    ("outcomes", "baseline", "more", "change", "fails"),
    [
        ([P, P, P], (3, 3), {}, GoldenMove.UNCHANGED, False),
        ([F, F, F], (3, 3), {}, GoldenMove.HARD_BREAK, True),
        ([F, F, F], None, {}, GoldenMove.HARD_BREAK, True),
        ([F, F, F], (2, 3), {}, GoldenMove.FLIPPED, False),
        ([P, F, P], (3, 3), {}, GoldenMove.FLIPPED, False),
        ([P, F, P], (3, 3), {"min_pass": 0.9}, GoldenMove.FLIPPED, True),
        ([P, P, P], (0, 3), {}, GoldenMove.IMPROVED, False),
        ([P, F], (5, 10), {}, GoldenMove.UNCHANGED, False),
        ([N, N], (3, 3), {}, GoldenMove.INCONCLUSIVE, False),
        ([E], (3, 3), {}, GoldenMove.ERROR, False),
        ([], (3, 3), {}, GoldenMove.MISSING, False),
        ([], (0, 3), {"floor": NoiseFloor.BROKEN}, GoldenMove.QUARANTINED, False),
    ],
)  # fmt: skip
def test_change(
    outcomes: list[ReplayOutcome],
    baseline: tuple[int, int] | None,
    more: Any,
    change: GoldenMove,
    fails: bool,
) -> None:
    found = golden("a", outcomes, baseline, **more)
    assert (found.change, found.fails) == (change, fails)


GOOD = [golden(f"g{n}", [P, P, P]) for n in range(8)]
WORSE = [golden(f"g{n}", [F, F, P]) for n in range(8)]
STEADY = [golden(f"g{n}", [P] * 5, (5, 5)) for n in range(50)]


@pytest.mark.parametrize(
    ("goldens", "gate", "code"),
    [
        (STEADY, Gate(), GateExit.PASSED),
        (GOOD, Gate(), GateExit.PASSED),
        (GOOD, Gate(require_conclusive=True), GateExit.FAILED),
        (WORSE, Gate(), GateExit.FAILED),
        (GOOD, Gate(min_pass_rate=1.0), GateExit.PASSED),
        (GOOD, Gate(min_pass_rate_lower=0.9), GateExit.FAILED),
        ([golden("a", [F, P, P], (2, 3))], Gate(min_pass_rate=0.7), GateExit.FAILED),
        ([golden("a", [F, P, P], (2, 3))], Gate(min_pass_rate=2 / 3), GateExit.PASSED),
        ([golden("a", [N, N, N])], Gate(min_pass_rate=0.5), GateExit.FAILED),
        ([], Gate(), GateExit.NO_GOLDENS),
        ([golden("a", [E, P, P])], Gate(), GateExit.INFRASTRUCTURE),
        ([*STEADY, golden("x", [E])], Gate(), GateExit.PASSED),
        ([*STEADY, golden("x", [P] * 4 + [F], (5, 5), min_pass=1.0)], Gate(), GateExit.FAILED),
        ([*STEADY, golden("x", [P] * 4 + [F], (5, 5), min_pass=0.8)], Gate(), GateExit.PASSED),
        ([golden("a", [], (0, 5), floor=NoiseFloor.BROKEN)], Gate(), GateExit.NO_GOLDENS),
        ([golden("a", []), golden("b", [])], Gate(), GateExit.INFRASTRUCTURE),
        ([golden(f"g{n}", [F] * 5, None) for n in range(4)], Gate(), GateExit.FAILED),
    ],
)
def test_gate(goldens: list[GoldenResult], gate: Gate, code: GateExit) -> None:
    assert decide_gate(report(*goldens), gate).exit is code


def test_too_many_inconclusive_replays_leave_no_verdict() -> None:
    found = report(*WORSE, *[golden(f"n{n}", [N, N, N]) for n in range(3)])
    assert found.interval is not None
    assert (found.interval.verdict, found.verdict) == (Verdict.REGRESSION, Verdict.INCONCLUSIVE)


def test_one_that_is_quarantined_does_not_count() -> None:
    found = report(*GOOD, golden("b", [F], (0, 3), floor=NoiseFloor.BROKEN))
    assert (found.counts.pass_rate, found.counts.replays) == (1.0, 24)


def test_a_baseline_without_replays_is_no_comparison() -> None:
    found = report(*[golden(f"g{n}", [F] * 5, None) for n in range(4)])
    assert (found.interval, found.verdict) == (None, Verdict.INCONCLUSIVE)
    assert decide_gate(found, Gate()).reasons == ["there is no replay of v1 to compare with"]


def test_what_is_left_out_or_broke_hard_is_named() -> None:
    found = report(*GOOD, golden("old", [], (0, 3), floor=NoiseFloor.BROKEN), golden("sad", [F], (3, 3)))
    warnings = decide_gate(found, Gate()).warnings
    assert "1 goldens are quarantined" in warnings
    assert "sad passed always before and never now" in warnings


@pytest.mark.parametrize(("runs", "verdict"), [(3, Verdict.INCONCLUSIVE), (10, Verdict.REGRESSION)])
def test_one_golden_decides_nothing_by_a_few_runs(runs: int, verdict: Verdict) -> None:
    assert report(golden("a", [F] * runs, (runs, runs))).verdict is verdict


@pytest.mark.parametrize(
    "goldens",
    [
        [golden("a", [F, N, N, N, N]), golden("b", [P] * 5)],
        [golden("a", [F, *[E] * 19]), golden("b", [P] * 20)],
        [golden("a", [P]), golden("b", [P] * 20)],
    ],
)
def test_a_rate_lies_within_its_bounds(goldens: list[GoldenResult]) -> None:
    found = report(*goldens)
    assert found.rate is not None
    assert found.counts.pass_rate is not None
    assert found.rate.low <= found.counts.pass_rate <= found.rate.high


def test_without_a_baseline_there_is_no_verdict() -> None:
    found = report(golden("a", [P], None), baseline=None)
    assert (found.interval, found.verdict) == (None, None)
    assert "without a baseline" in as_markdown(found, decide_gate(found, Gate()))


MIXED = [
    golden("ok", [P, P, P]),
    golden("flaky", [P, F, P], divergence="refund was done with another amount"),
    golden("broken", [F, F, F], divergence="bad \x00 <tag> " + "x" * 5000, seconds=1.5),
    golden("lost", [E, E], error="ConnectionError: away"),
    golden("open", [N]),
    golden("gone", []),
    golden("old", [], (0, 3), floor=NoiseFloor.BROKEN),
]


def test_junit() -> None:
    found = report(*MIXED)
    xml = as_junit(
        found, decide_gate(found, Gate()), timestamp="2026-01-01T00:00:00+00:00", properties={"run": "7"}
    )
    root = Xml.fromstring(xml)
    suite = root.find("testsuite")
    assert suite is not None
    assert suite.get("name") == "smoke support"
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "8", "failures": "1", "errors": "3", "skipped": "2"}
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    tags = {name: [child.tag for child in case] for name, case in cases.items()}
    assert tags == {
        "ok": [],
        "flaky": ["flakyFailure"],
        "broken": ["failure"],
        "lost": ["error"],
        "open": ["skipped"],
        "gone": ["error"],
        "old": ["skipped"],
        "[gate] no regression against v1": ["error"],
    }
    message = cases["broken"][0].get("message") or ""
    assert len(message) == 4000
    assert "\ufffd <tag>" in message
    properties = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert (properties["run"], properties["k"], properties["verdict"]) == ("7", "3", str(found.verdict))


def test_a_regression_fails_the_case_of_the_gate() -> None:
    found = report(*WORSE)
    root = Xml.fromstring(as_junit(found, decide_gate(found, Gate()), timestamp="x"))
    *_, last = root.iter("testcase")
    assert [child.get("message") for child in last] == ["regression against v1"]


def test_summary() -> None:
    found = report(*MIXED)
    text = as_markdown(found, decide_gate(found, Gate()))
    assert text.startswith("### smoke, support: not decided\n")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "golden |" not in line]
    assert [row.split(" | ")[0] for row in rows] == [
        "| broken",
        "| flaky",
        "| open",
        "| lost",
        "| gone",
        "| old",
    ]
    assert "&lt;tag>" in text
    assert all(len(row) < 500 for row in rows)


def test_more_than_a_person_reads_is_folded_away() -> None:
    found = report(*[golden(f"g{n:03}", [F, F, F]) for n in range(MOST_CHANGED + 5)])
    assert "<summary>5 more</summary>" in as_markdown(found, decide_gate(found, Gate()))


def test_a_summary_is_never_too_long_to_be_taken() -> None:
    found = report(*[golden(f"{n:05}" + "ü" * 290, [F]) for n in range(2500)])
    text = as_markdown(found, decide_gate(found, Gate()))
    assert len(text.encode()) < 1_000_000
    assert text.endswith("The rest is left out.\n")
