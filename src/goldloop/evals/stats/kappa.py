"""How far two judgements of the same runs agree beyond chance: Cohen's kappa, with its large-sample error. Pure.

    kappa = (observed − expected) / (1 − expected)

The error is that of Fleiss, Cohen and Everitt (1969). Runs of one golden are alike, and say less than as many of several: where
it is known which are, the error is also that between goldens, and the larger one counts.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from goldloop.evals.stats.distributions import z
from goldloop.evals.stats.model import InvalidCounts, check_level

ONE_SIDED = 0.95  # of the bound that a judge is trusted by


class Both(NamedTuple):
    """Runs by what each of the two says of them."""

    passed: int  # by both
    first_only: int
    second_only: int
    neither: int


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """`low` is the one-sided lower bound."""

    kappa: float
    error: float
    low: float


def cohen_kappa(
    both: Both, level: float = ONE_SIDED, goldens: Sequence[Both] | None = None
) -> Agreement | None:
    """None where one of them says the same of all runs, or there are none: chance explains everything then. `goldens` are the same
    runs by golden."""
    check_level(level)
    if any(isinstance(count, bool) or count < 0 for count in both):
        raise InvalidCounts(f"{tuple(both)} are no numbers of runs")
    if goldens is not None and tuple(map(sum, zip(*goldens, strict=True))) not in (tuple(both), ()):
        raise InvalidCounts("the goldens have other runs")
    n = sum(both)
    if not n:
        return None
    cells = [count / n for count in both]
    first = (cells[0] + cells[1], cells[2] + cells[3])
    second = (cells[0] + cells[2], cells[1] + cells[3])
    if 0.0 in (*first, *second):
        return None
    expected = sum(a * b for a, b in zip(first, second, strict=True))
    kappa = (cells[0] + cells[3] - expected) / (1 - expected)
    pulls = _pulls(kappa, expected, first, second)
    error = math.sqrt(sum(cell * pull**2 for cell, pull in zip(cells, pulls, strict=True)) / n)
    low = kappa - z(level) * error
    if goldens is not None and len(goldens) > 1:
        between = _between(pulls, goldens, n)
        error, low = max(error, between), min(low, kappa - z(level) * between)
    return Agreement(kappa=kappa, error=error, low=low)


def _pulls(
    kappa: float, expected: float, first: tuple[float, float], second: tuple[float, float]
) -> list[float]:
    """How far one run more of each cell moves kappa, times the number of runs: 0 on average."""
    moved = [
        ((i == j) - (1 - kappa) * (second[i] + first[j])) / (1 - expected)
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]
    rest = (kappa - expected * (1 - kappa)) / (1 - expected)
    return [each - rest for each in moved]


def _between(pulls: Sequence[float], goldens: Sequence[Both], n: int) -> float:
    """The error where goldens and not runs are drawn."""
    sums = [sum(count * pull for count, pull in zip(golden, pulls, strict=True)) for golden in goldens]
    return math.sqrt(len(sums) / (len(sums) - 1) * sum(each**2 for each in sums)) / n
