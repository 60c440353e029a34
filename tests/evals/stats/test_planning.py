"""The smallest change that a run can see, and how many repeats see a smaller one."""

import pytest

from goldloop.evals.stats import (
    InvalidCounts,
    repeats_beside,
    repeats_to_buy,
    run_variance,
    smallest_detectable,
    stratified_interval,
)
from goldloop.evals.stats.planning import detectable_by


@pytest.mark.parametrize(
    ("goldens", "repeats", "points"), [(20, 1, 24.9), (20, 3, 14.4), (20, 5, 11.1), (50, 3, 9.1), (5, 5, 22.2)]
)  # fmt: skip
def test_smallest_detectable(goldens: int, repeats: int, points: float) -> None:
    assert smallest_detectable(0.10, goldens, repeats) * 100 == pytest.approx(points, abs=0.05)


@pytest.mark.parametrize(
    ("variance", "goldens", "target", "repeats"),
    [(0.10, 20, 0.10, 7), (0.10, 20, 0.5, 1), (0.0, 20, 0.1, 1), (0.10, 1, 0.10, 124)],
)
def test_repeats_to_buy(variance: float, goldens: int, target: float, repeats: int) -> None:
    assert repeats_to_buy(variance, goldens, target) == repeats
    assert smallest_detectable(variance, goldens, repeats) <= target


@pytest.mark.parametrize(
    ("goldens", "baseline", "repeats"), [(20, 7, 6), (20, 100, 4), (200, 1, 1), (20, 3, None), (5, 5, None)]
)
def test_repeats_beside_the_runs_that_a_baseline_has(
    goldens: int, baseline: int, repeats: int | None
) -> None:
    pairs = [((1, 1), (baseline, baseline))] * goldens
    assert repeats_beside(pairs, 0.10, 0.10) == repeats
    if repeats is not None:
        bought = [((repeats, repeats), before) for _, before in pairs]
        assert detectable_by(bought, 0.10) <= 0.10


def test_what_is_bought_is_not_more_than_needed() -> None:
    assert smallest_detectable(0.10, 20, repeats_to_buy(0.10, 20, 0.10) - 1) > 0.10


@pytest.mark.parametrize(
    ("pairs", "known", "variance"),
    [
        ([(1, 2), (2, 2)], None, 0.25),
        ([(2, 3), (0, 3), (1, 1)], None, 1 / 6),
        ([(1, 1), (0, 1)], None, 0.10),
        ([(1, 1)], 0.2, 0.2),
        ([], None, 0.10),
        ([(3, 3)] * 9, None, 0.01),
    ],
    ids=["unbiased", "one run says nothing", "unknown", "noise floor", "no runs", "nothing varied"],
)
def test_variance_of_runs(pairs: list[tuple[int, int]], known: float | None, variance: float) -> None:
    assert run_variance(pairs, known) == pytest.approx(variance)


def test_a_run_says_what_it_could_have_seen() -> None:
    sides = [(2, 3), (3, 3)] * 10
    found = stratified_interval(sides, sides)
    assert found.smallest_detectable == pytest.approx(smallest_detectable(1 / 6, 20, 3))
    reused = stratified_interval(sides, [(2 * a, 2 * k) for a, k in sides])
    assert reused.smallest_detectable < found.smallest_detectable  # type: ignore[operator]


def test_a_plan_without_goldens_or_target_is_refused() -> None:
    with pytest.raises(InvalidCounts):
        smallest_detectable(0.1, 0, 1)
    with pytest.raises(InvalidCounts):
        repeats_to_buy(0.1, 5, 0)
    with pytest.raises(InvalidCounts):
        repeats_beside([], 0.1, 0.1)
