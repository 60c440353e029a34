"""Intervals of one pass rate: Wilson to show, Jeffreys for the bar of a golden, Clopper and Pearson where a guarantee is
asked for. Pure.

Runs of one golden are not independent of each other: over a set the rate is that of `golden_rate`, and a difference has the
interval of `stratified.py`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from goldloop.evals.stats.distributions import beta_quantile, z
from goldloop.evals.stats.model import Pair, check_level, checked


class Bounds(NamedTuple):
    low: float
    high: float


EVERYTHING = Bounds(0.0, 1.0)  # what is known of a rate without runs


def wilson(passes: int, runs: int, level: float = 0.95) -> Bounds:
    _check(passes, runs, level)
    return _score(passes / runs, runs, level) if runs else EVERYTHING


def _score(rate: float, runs: float, level: float) -> Bounds:
    q = z((1 + level) / 2) ** 2
    centre = (rate + q / (2 * runs)) / (1 + q / runs)
    half = math.sqrt(q) / (1 + q / runs) * math.sqrt(rate * (1 - rate) / runs + q / (4 * runs**2))
    return Bounds(0.0 if rate == 0 else centre - half, 1.0 if rate == 1 else centre + half)


def golden_rate(pairs: Sequence[Pair], level: float = 0.95) -> Bounds | None:
    """Of the mean of the goldens' rates, each golden counting once however often it ran: Wilson's, with as many runs as that
    mean is worth. Rather too wide than too narrow, since goldens differ from each other. None without goldens."""
    check_level(level)
    known = [checked(pair, "a pass rate") for pair in pairs if pair[1]]
    if not known:
        return None
    rate = math.fsum(passes / runs for passes, runs in known) / len(known)
    worth = len(known) ** 2 / math.fsum(1 / runs for _, runs in known)
    return _score(min(rate, 1.0), worth, level)


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
