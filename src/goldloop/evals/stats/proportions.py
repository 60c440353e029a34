"""Intervals of one pass rate: Wilson to show, Jeffreys for the bar of a golden, Clopper and Pearson where a guarantee is
asked for. Pure.

Runs of one golden are not independent of each other: over a set, the interval is that of `stratified.py`.
"""

import math
from typing import NamedTuple

from goldloop.evals.stats.distributions import beta_quantile, z
from goldloop.evals.stats.model import check_level, checked


class Bounds(NamedTuple):
    low: float
    high: float


EVERYTHING = Bounds(0.0, 1.0)  # what is known of a rate without runs


def wilson(passes: int, runs: int, level: float = 0.95) -> Bounds:
    _check(passes, runs, level)
    if not runs:
        return EVERYTHING
    q, rate = z((1 + level) / 2) ** 2, passes / runs
    centre = (rate + q / (2 * runs)) / (1 + q / runs)
    half = math.sqrt(q) / (1 + q / runs) * math.sqrt(rate * (1 - rate) / runs + q / (4 * runs**2))
    return Bounds(0.0 if passes == 0 else centre - half, 1.0 if passes == runs else centre + half)


def jeffreys(passes: int, runs: int, level: float = 0.95) -> Bounds:
    _check(passes, runs, level)
    if not runs:
        return EVERYTHING
    tail, a, b = (1 - level) / 2, passes + 0.5, runs - passes + 0.5
    low = beta_quantile(tail, a, b) if passes else 0.0
    return Bounds(low, beta_quantile(1 - tail, a, b) if passes < runs else 1.0)


def clopper_pearson(passes: int, runs: int, level: float = 0.95) -> Bounds:
    _check(passes, runs, level)
    if not runs:
        return EVERYTHING
    tail = (1 - level) / 2
    low = beta_quantile(tail, passes, runs - passes + 1) if passes else 0.0
    return Bounds(low, beta_quantile(1 - tail, passes + 1, runs - passes) if passes < runs else 1.0)


def _check(passes: int, runs: int, level: float) -> None:
    check_level(level)
    checked((passes, runs), "a pass rate")
