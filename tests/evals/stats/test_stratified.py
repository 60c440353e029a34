"""The golden-stratified interval, at the values worked out by hand, and the exact test beside every way to deal out runs."""

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldloop.evals.stats import (
    InvalidCounts,
    Verdict,
    decide,
    exact_test,
    stratified_interval,
    stratified_test,
)
from goldloop.evals.stats.model import Pair
from tests.evals.stats.references import REFERENCES

Pairs = list[Pair | None]


def of(passes: list[int], runs: int) -> Pairs:
    return [(each, runs) for each in passes]


WORSE, GOOD = of([3, 2, 0, 1, 3], 3), of([3, 3, 2, 3, 3], 3)


@pytest.mark.parametrize(
    ("candidate", "baseline", "difference", "low", "high", "verdict"),
    [
        (WORSE, GOOD, -0.3333, -0.5105, -0.0778, Verdict.REGRESSION),
        (GOOD, WORSE, 0.3333, 0.0778, 0.5105, Verdict.IMPROVEMENT),
        (of([1, 1, 0, 1, 1], 1), of([1] * 5, 1), -0.2, -0.5400, 0.2543, Verdict.INCONCLUSIVE),
        (of([3] * 3, 3), of([3] * 3, 3), 0, -0.2115, 0.2115, Verdict.INCONCLUSIVE),
        (of([5] * 50, 5), of([5] * 50, 5), 0, -0.0092, 0.0092, Verdict.NO_WORSE),
        ([(1, 1)], [(0, 3)], 1, -0.3508, 1.0, Verdict.INCONCLUSIVE),
        ([(0, 1)], [(0, 1)], 0, -0.7754, 0.7754, Verdict.INCONCLUSIVE),
    ],
)
def test_interval(
    candidate: Pairs, baseline: Pairs, difference: float, low: float, high: float, verdict: Verdict
) -> None:
    found = stratified_interval(candidate, baseline)
    assert (found.low, found.difference, found.high) == pytest.approx((low, difference, high), abs=1e-4)
    assert found.verdict is verdict


def test_what_is_returned_is_read_by_key_as_well() -> None:
    found = stratified_interval(WORSE, GOOD)
    assert found["verdict"] == "regression"
    assert found["smallest_detectable"] == pytest.approx(0.2871, abs=1e-4)
    assert {"low", "difference", "high", "verdict", "smallest_detectable"} <= dict(found).keys()


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.3, -0.01, Verdict.REGRESSION),
        (-0.3, 0.0, Verdict.INCONCLUSIVE),
        (0.01, 0.2, Verdict.IMPROVEMENT),
        (0.0, 0.2, Verdict.NO_WORSE),
        (-0.049, 0.2, Verdict.NO_WORSE),
        (-0.05, 0.2, Verdict.INCONCLUSIVE),
    ],
)
def test_verdict(low: float, high: float, verdict: Verdict) -> None:
    assert decide(low, high) is verdict


def test_rates_of_goldens_like_these_differ_by_at_most_everything() -> None:
    found = stratified_interval([(0, 3), (0, 3), (3, 3)], [(3, 3)] * 3).like_these
    assert found is not None
    assert (found.low, round(found.mean, 3), round(found.high, 3)) == (-1.0, -0.667, 0.307)
    turned = stratified_interval([(3, 3)] * 3, [(0, 3), (0, 3), (3, 3)]).like_these
    assert turned is not None
    assert (round(turned.low, 3), turned.high) == (-0.307, 1.0)


def test_a_golden_without_runs_is_missing_and_changes_nothing() -> None:
    with_missing = stratified_interval([*WORSE, (0, 0), (2, 3), None], [*GOOD, (3, 3), None, None])
    assert (with_missing.goldens, with_missing.missing) == (5, 3)
    alone = stratified_interval(WORSE, GOOD)
    assert (with_missing.low, with_missing.high) == (alone.low, alone.high)


@pytest.mark.parametrize(("candidate", "baseline"), [([], []), ([(0, 0)], [(3, 3)]), ([None], [(1, 1)])])
def test_without_goldens_to_compare_there_is_no_difference(candidate: Pairs, baseline: Pairs) -> None:
    found = stratified_interval(candidate, baseline)
    assert (found.low, found.difference, found.high, found.smallest_detectable) == (None, None, None, None)
    assert found.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("candidate", "baseline", "level"),
    [
        ([(4, 3)], [(1, 3)], 0.9),
        ([(-1, 3)], [(1, 3)], 0.9),
        ([(1, 3)], [(1, 3), (1, 3)], 0.9),
        ([(0.5, 1)], [(1, 1)], 0.9),
        ([(True, 1)], [(1, 1)], 0.9),
        ([(1, 1)], [(1, 1)], 1.0),
    ],
)
def test_what_is_no_count_is_refused(candidate: Pairs, baseline: Pairs, level: float) -> None:
    with pytest.raises(InvalidCounts):
        stratified_interval(candidate, baseline, level)


COUNTS = st.integers(1, 6).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs)))
SIDES = st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=12)


@given(SIDES)
@settings(max_examples=40)
def test_the_interval_is_ordered_and_turns_with_the_sides(pairs: list[tuple[Pair, Pair]]) -> None:
    candidate, baseline = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = stratified_interval(candidate, baseline), stratified_interval(baseline, candidate)
    assert -1 <= there.low <= there.high <= 1  # type: ignore[operator]
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))  # type: ignore[operator]
    wider = stratified_interval(candidate, baseline, 0.95)
    assert wider.low <= there.low  # type: ignore[operator]
    assert wider.high >= there.high  # type: ignore[operator]


def test_exact_test_at_the_values_worked_out_by_hand() -> None:
    found = exact_test(WORSE, GOOD)
    assert (found.p, found.mid_p) == pytest.approx((0.0200, 0.0100), abs=5e-5)
    assert exact_test(of([1, 1, 0, 1, 1], 1), of([1] * 5, 1)).mid_p == 0.25
    assert exact_test([], []).mid_p is None


@pytest.mark.parametrize(("better", "worse", "p"), REFERENCES["mcnemar"])
def test_with_one_run_each_it_is_the_exact_test_of_mcnemar(better: int, worse: int, p: float) -> None:
    candidate = of([1] * better + [0] * worse + [1, 0], 1)
    baseline = of([0] * better + [1] * worse + [1, 0], 1)
    assert exact_test(candidate, baseline).p == pytest.approx(p)


@pytest.mark.parametrize(
    "goldens",
    [[((2, 3), (1, 2))], [((1, 2), (2, 2)), ((0, 1), (2, 3))], [((0, 2), (2, 2)), ((1, 1), (0, 2)), ((1, 1), (1, 1))]],
)  # fmt: skip
def test_exact_test_beside_every_way_to_deal_out_the_runs(goldens: list[tuple[Pair, Pair]]) -> None:
    seen = sum(a for (a, _), _ in goldens)
    ways = []
    for (a, ka), (b, kb) in goldens:
        outcomes = [1] * (a + b) + [0] * (ka + kb - a - b)
        ways.append([sum(outcomes[i] for i in chosen) for chosen in combinations(range(ka + kb), ka)])
    sums = [sum(each) for each in product(*ways)]
    found = exact_test([a for a, _ in goldens], [b for _, b in goldens])
    assert found.p == pytest.approx(sum(s <= seen for s in sums) / len(sums))
    middle = (sum(s < seen for s in sums) + sum(s == seen for s in sums) / 2) / len(sums)
    assert found.mid_p == pytest.approx(middle)


@pytest.mark.parametrize("kept", [0, 2, 3])
def test_thousands_of_goldens_are_tested_as_hundreds_are(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    candidate = [(kept, 3), (3, 3), (1, 2), (2, 3)] * 60
    baseline = [(3, 3), (2, 3), (2, 2), (2, 5)] * 60
    exact = exact_test(candidate, baseline)
    monkeypatch.setattr(stratified_test, "MOST_EXACT", 10)
    rounded = exact_test(candidate, baseline)
    assert (rounded.p, rounded.mid_p) == (
        pytest.approx(exact.p, abs=1e-12),
        pytest.approx(exact.mid_p, abs=1e-12),
    )


def test_a_run_of_five_thousand_goldens_is_no_long_wait() -> None:
    found = exact_test([(0, 1)] * 5000, [(1, 1)] * 5000)
    assert (found.p, found.mid_p) == (0, 0)
    assert exact_test([(1, 1)] * 5000, [(0, 1)] * 5000).p == pytest.approx(1)
