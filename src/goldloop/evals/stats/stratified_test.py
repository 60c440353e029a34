"""The exact stratified test of two agents: how likely is it by chance that the candidate passes so rarely? Pure.

Given how often both sides together passed a golden, the candidate's share is hypergeometric; over the goldens these are
convolved (Cochran, Mantel, Haenszel). With one run each it is McNemar's exact test.
"""

import math
from collections.abc import Sequence
from math import comb
from typing import TypeVar

import msgspec

from goldloop.evals.stats.model import Pair, both_sides

MOST_EXACT = 500  # goldens; beyond that the digits cost seconds and change nothing
_NEGLIGIBLE = 1e-18  # what a chance adds that is left out
Number = TypeVar("Number", int, float)


class ExactTest(msgspec.Struct, frozen=True, kw_only=True):
    """One-sided, that the candidate is worse; `mid_p` counts what was seen by half. None without goldens to compare."""

    p: float | None
    mid_p: float | None


def exact_test(candidate: Sequence[Pair | None], baseline: Sequence[Pair | None]) -> ExactTest:
    pairs, _ = both_sides(candidate, baseline)
    if not pairs:
        return ExactTest(p=None, mid_p=None)
    goldens, seen = [], 0
    for (a, runs_a), (b, runs_b) in pairs:
        least = max(0, a + b - runs_b)
        goldens.append(
            [comb(runs_a, i) * comb(runs_b, a + b - i) for i in range(least, min(runs_a, a + b) + 1)]
        )
        seen += a - least
    if len(goldens) > MOST_EXACT:
        return _rounded(goldens, seen)
    ways = [1]  # whole numbers of any size: nothing is rounded before the end
    for golden in goldens:
        ways = _convolve(ways, golden)
    total = sum(ways)
    below, at = sum(ways[:seen]), ways[seen]
    return ExactTest(p=(below + at) / total, mid_p=(2 * below + at) / (2 * total))


def _rounded(goldens: Sequence[Sequence[int]], seen: int) -> ExactTest:
    """The same in floating point, without the far ends of the distribution: the numbers of ways of thousands of goldens have
    thousands of digits."""
    chances, first = [1.0], 0  # of so many passes, from `first` on
    for golden in goldens:
        total = sum(golden)
        chances = _convolve(chances, [ways / total for ways in golden])
        start = next(place for place, chance in enumerate(chances) if chance > _NEGLIGIBLE)
        while chances[-1] <= _NEGLIGIBLE:
            chances.pop()
        chances, first = chances[start:], first + start
    place = seen - first
    below = math.fsum(chances[: max(0, place)])
    at = chances[place] if 0 <= place < len(chances) else 0.0
    return ExactTest(p=min(1.0, below + at), mid_p=min(1.0, below + at / 2))


def _convolve(a: list[Number], b: list[Number]) -> list[Number]:
    if len(b) == 1:  # every run passed, or none
        return [each * b[0] for each in a]
    result = [b[0] * 0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return result
