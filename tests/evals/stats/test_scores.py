"""Differences of means, of passes and of scores, beside scipy's."""

import random
from itertools import combinations
from statistics import fmean
from typing import Any

import pytest

from goldloop.evals.stats import InvalidCounts, graded_interval, holm, paired_t, permutation_p
from tests.evals.stats.references import REFERENCES


@pytest.mark.parametrize("row", REFERENCES["paired_t"], ids=str)
def test_paired_t(row: dict[str, Any]) -> None:
    differences = [a - b for a, b in zip(row["candidate"], row["baseline"], strict=True)]
    found = paired_t(differences)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(row["interval"], abs=1e-9)
    assert found.p == pytest.approx(row["p"], abs=1e-9)
    once = graded_interval([[a] for a in row["candidate"]], [[b] for b in row["baseline"]])
    assert once == found


@pytest.mark.parametrize("row", REFERENCES["welch"], ids=str)
def test_several_runs_of_one_golden_are_the_test_of_welch(row: dict[str, Any]) -> None:
    found = graded_interval([row["candidate"]], [row["baseline"]])
    assert found is not None
    assert found.df == pytest.approx(row["df"])
    assert (found.low, found.high) == pytest.approx(row["interval"], abs=1e-9)
    assert found.p == pytest.approx(row["p"], abs=1e-9)


def test_too_little_says_nothing_and_no_spread_is_no_test() -> None:
    assert paired_t([]) is None
    assert paired_t([0.4]) is None
    assert graded_interval([[1.0]], [[0.5]]) is None
    assert graded_interval([], []) is None
    same = paired_t([0.1, 0.1])
    assert same is not None
    assert (same.low, same.high, same.p) == (0.1, 0.1, None)


def test_a_golden_without_scores_on_a_side_is_left_out() -> None:
    whole = graded_interval([[1, 0], [1, 1]], [[1, 1], [1, 0]])
    assert graded_interval([[1, 0], [1, 1], []], [[1, 1], [1, 0], [0, 0]]) == whole
    with pytest.raises(InvalidCounts):
        graded_interval([[1]], [])


@pytest.mark.parametrize(("p_values", "adjusted"), REFERENCES["holm"], ids=str)
def test_holm(p_values: list[float], adjusted: list[float]) -> None:
    assert holm(p_values) == pytest.approx(adjusted)


def test_holm_of_nothing_is_nothing() -> None:
    assert holm([]) == []


def test_permutation_comes_near_every_way_to_deal_out_the_scores() -> None:
    candidate, baseline = [0.2, 0.4, 0.9], [0.8, 0.6, 1.0]
    every = [*candidate, *baseline]
    seen = fmean(candidate) - fmean(baseline)
    ways = [fmean([every[i] for i in c]) * 2 - fmean(every) * 2 for c in combinations(range(6), 3)]
    exact = sum(way <= seen + 1e-12 for way in ways) / len(ways)
    found = permutation_p([candidate], [baseline], random.Random(3).random, draws=2000)
    assert found == pytest.approx(exact, abs=0.03)
    assert permutation_p([], [], random.Random(3).random) is None
