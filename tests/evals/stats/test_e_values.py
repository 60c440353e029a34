"""Evidence that may be looked at at any time."""

import random
from itertools import product
from math import prod

import pytest

from goldloop.evals.stats import InvalidCounts, e_bh, e_value
from goldloop.evals.stats.e_values import ENOUGH, MOST


@pytest.mark.parametrize(
    ("better", "worse", "e"),
    [
        (0, 0, 1.0),
        (1, 0, 1.5),
        (0, 1, 0.5),
        (1, 1, 1 - (1 + 4 + 9) / 48),
        (5, 0, (1.25**5 + 1.5**5 + 1.75**5) / 3),
        (8, 0, 39.85108439127604),
        (12, 2, (1.25**12 * 0.75**2 + 1.5**12 * 0.5**2 + 1.75**12 * 0.25**2) / 3),
        (100_000, 0, MOST),
        (0, 100_000, 0.0),
    ],
)
def test_e_value(better: int, worse: int, e: float) -> None:
    assert e_value(better, worse) == pytest.approx(e, rel=1e-9, abs=1e-12)


def test_seven_of_seven_pairs_are_enough() -> None:
    assert e_value(6, 0) < ENOUGH <= e_value(7, 0)


def test_on_average_a_row_that_does_nothing_has_an_e_value_of_one() -> None:
    every = [e_value(sum(wins), 6 - sum(wins)) for wins in product((0, 1), repeat=6)]
    assert sum(every) / len(every) == pytest.approx(1)


def test_help_and_harm_are_never_both_shown() -> None:
    assert not any(e_value(a, b) >= ENOUGH and e_value(b, a) >= ENOUGH for a in range(60) for b in range(60))


@pytest.mark.parametrize(
    ("e_values", "believed"),
    [
        ([], []),
        ([20], [True]),
        ([19.9], [False]),
        ([30, 1], [False, False]),
        ([40, 1], [True, False]),
        ([25, 1, 30, 28], [False, False, False, False]),
        ([27, 1, 30, 28], [True, False, True, True]),
        ([20, 20, 20], [True, True, True]),
    ],
)
def test_many_rows_at_once(e_values: list[float], believed: list[bool]) -> None:
    assert e_bh(e_values) == believed


def test_what_is_no_count_or_rate_is_refused() -> None:
    with pytest.raises(InvalidCounts):
        e_value(-1, 0)
    with pytest.raises(InvalidCounts):
        e_bh([1.0], 0)


def ever_enough(rng: random.Random, wins: float, discordance: float) -> int | None:
    """After how many pairs, of at most 200, of which each is looked at."""
    better = worse = 0
    for pair in range(1, 201):
        if rng.random() < discordance:
            won = rng.random() < wins
            better, worse = better + won, worse + (not won)
            if e_value(better, worse) >= ENOUGH:
                return pair
    return None


@pytest.mark.parametrize(
    ("wins", "discordance", "least", "most"),
    [
        (0.5, 0.3, 0.0, 0.05),
        (0.5, 1.0, 0.0, 0.05),
        (0.3, 0.3, 0.0, 0.0),
        (0.8, 0.3, 0.97, 1.0),
        (0.65, 0.3, 0.4, 0.6),
    ],
    ids=["useless", "useless and shaky", "harmful", "+18 points", "+9 points"],
)
def test_looking_after_each_pair(wins: float, discordance: float, least: float, most: float) -> None:
    rng = random.Random(8)
    draws = 600
    found = sum(ever_enough(rng, wins, discordance) is not None for _ in range(draws))
    assert least <= found / draws <= most


def test_the_mirror_is_the_product_the_other_way_round() -> None:
    pairs = [1, -1, 1, 1, -1]
    by_hand = sum(prod(1 - bet * x for x in pairs) for bet in (0.25, 0.5, 0.75)) / 3
    assert e_value(2, 3) == pytest.approx(by_hand)
