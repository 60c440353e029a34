"""The variance ledger beside a mixed model."""

import pytest

from goldloop.evals.stats import InvalidCounts, VarianceLedger, judgings_to_buy, variance_ledger
from tests.evals.stats.references import REFERENCES

OF_MODEL = REFERENCES["ledger"]


def test_a_balanced_design_is_as_the_mixed_model_says() -> None:
    found = variance_ledger(OF_MODEL["scores"])
    assert (found.judge, found.agent, found.case) == pytest.approx(
        (OF_MODEL["judge"], OF_MODEL["agent"], OF_MODEL["case"]), abs=1e-6
    )
    assert (found.judgings, found.runs) == (3, 4)


def test_what_cannot_be_told_is_not_zero() -> None:
    once = variance_ledger([[[0.5], [0.7]], [[0.1], [0.2]]])
    assert once.judge is None
    assert once.agent == pytest.approx((0.02 + 0.005) / 2)
    single = variance_ledger([[[0.5]], [[0.7]]])
    assert (single.judge, single.agent) == (None, None)
    assert variance_ledger([[[0.5, 0.6]]]).case is None


def test_less_than_chance_would_show_is_zero() -> None:
    found = variance_ledger([[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]]])
    assert (found.judge, found.agent, found.case) == (0.5, 0.0, 0.0)


def test_runs_that_were_not_judged_are_left_out() -> None:
    assert variance_ledger([[[0.5], []], [[0.7]], []]) == variance_ledger([[[0.5]], [[0.7]]])
    with pytest.raises(InvalidCounts):
        variance_ledger([[[]]])


@pytest.mark.parametrize(
    ("judge", "agent", "run_cost", "judgings"),
    [(0.04, 0.01, 1.0, 2), (0.04, 0.01, 9.0, 6), (0.0001, 0.01, 1.0, 1), (None, 0.01, 1.0, None), (0.04, 0.0, 1.0, None)],
)  # fmt: skip
def test_judgings_to_buy(
    judge: float | None, agent: float | None, run_cost: float, judgings: int | None
) -> None:
    ledger = VarianceLedger(judge=judge, agent=agent, case=0.1, judgings=3, runs=3)
    assert judgings_to_buy(ledger, run_cost, 1.0) == judgings
