"""When a run may be held to what a judge says of it."""

from typing import Any

import msgspec
import pytest

from goldloop.evals.reports.gate import Gate, decide_gate
from goldloop.evals.reports.judged import JudgedResult, judged_line
from goldloop.evals.reports.run_report import GoldenResult, build_report
from goldloop.evals.stats.counting import ReplayOutcome

LICENSED = JudgedResult(
    judge="j", rubric="Answers", model="m", replays=20, passed=18, rate=0.9,
    corrected=0.88, low=0.7, high=0.97, method="rogan_gladen", licence="licensed",
)  # fmt: skip
ADVISORY = msgspec.structs.replace(
    LICENSED,
    licence="advisory",
    reasons=["kappa is at least 0.20, and 0.50 is needed"],
    page="http://here/judges/j",
)
REFUSED = msgspec.structs.replace(LICENSED, corrected=None, low=None, high=None, refused="it is too weak")


@pytest.mark.parametrize(
    ("judged", "least", "exit_code", "reason"),
    [
        ([LICENSED], 0.7, 0, None),  # at the bound
        ([LICENSED], 0.8, 1, "the lower end of the corrected rate by Answers is 70.0%"),
        ([ADVISORY], 0.0, 4, "has no licence (advisory): kappa is at least 0.20"),
        ([ADVISORY], 0.0, 4, "Label replays at http://here/judges/j"),
        ([LICENSED, ADVISORY], 0.1, 4, "has no licence"),
        ([REFUSED], 0.1, 4, "is not corrected: it is too weak"),
        ([], 0.1, 4, "no judge has judged"),
        ([ADVISORY], None, 0, None),  # advice
        ([], None, 0, None),
    ],
)
def test_a_gate_takes_only_the_word_of_licensed_judges(
    judged: list[Any], least: float | None, exit_code: int, reason: str | None
) -> None:
    passed = [GoldenResult(id="g", outcomes=[ReplayOutcome.PASSED] * 3)]
    report = build_report(passed, set_name="s", agent="a", baseline=None, repeats=3, mode="hybrid")
    held = msgspec.structs.replace(report, judged=judged)
    decision = decide_gate(held, Gate(min_judge_pass_rate=least))
    assert decision.exit == exit_code
    assert reason is None or reason in "; ".join(decision.reasons)


def test_a_line_tells_the_licence_and_both_rates() -> None:
    assert judged_line(LICENSED) == (
        "judge by Answers (licensed): 18 of 20 pass, 90.0%; corrected 88.0%, 70.0% to 97.0% (rogan_gladen)"
    )
    assert "advisory, so it only advises" in judged_line(ADVISORY)
    assert judged_line(REFUSED).endswith("not corrected: it is too weak")
