"""How far two judgements of the same runs agree beyond chance: Cohen's kappa, with its large-sample error. Pure.

    kappa = (observed − expected) / (1 − expected)

The error is that of Fleiss, Cohen and Everitt (1969).
"""

import math
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


def cohen_kappa(both: Both, level: float = ONE_SIDED) -> Agreement | None:
    """None where one of them says the same of all runs, or there are none: chance explains everything then."""
    check_level(level)
    if any(isinstance(count, bool) or count < 0 for count in both):
        raise InvalidCounts(f"{tuple(both)} are no numbers of runs")
    n = sum(both)
    if not n:
        return None
    cells = ((both.passed / n, both.first_only / n), (both.second_only / n, both.neither / n))
    first = [sum(row) for row in cells]
    second = [sum(column) for column in zip(*cells, strict=True)]
    if 0.0 in (*first, *second):
        return None
    expected = sum(a * b for a, b in zip(first, second, strict=True))
    kappa = (cells[0][0] + cells[1][1] - expected) / (1 - expected)
    agreeing = sum(cells[i][i] * (1 - (first[i] + second[i]) * (1 - kappa)) ** 2 for i in (0, 1))
    differing = (1 - kappa) ** 2 * sum(cells[i][j] * (second[i] + first[j]) ** 2 for i, j in ((0, 1), (1, 0)))
    spread = agreeing + differing - (kappa - expected * (1 - kappa)) ** 2
    error = math.sqrt(max(spread, 0.0) / n) / (1 - expected)
    return Agreement(kappa=kappa, error=error, low=kappa - z(level) * error)
