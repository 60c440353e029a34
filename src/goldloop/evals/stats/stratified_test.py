"""The exact stratified test of two agents: how likely is it by chance that the candidate passes so rarely? Pure.

Given how often both sides together passed a golden, the candidate's share is hypergeometric; over the goldens these are
convolved (Cochran, Mantel, Haenszel). With one run each it is McNemar's exact test.
"""

from collections.abc import Sequence
from math import comb

import msgspec

from goldloop.evals.stats.model import Pair, both_sides


class ExactTest(msgspec.Struct, frozen=True, kw_only=True):
    """One-sided, that the candidate is worse; `mid_p` counts what was seen by half. None without goldens to compare."""

    p: float | None
    mid_p: float | None


def exact_test(candidate: Sequence[Pair | None], baseline: Sequence[Pair | None]) -> ExactTest:
    pairs, _ = both_sides(candidate, baseline)
    if not pairs:
        return ExactTest(p=None, mid_p=None)
    ways, seen = [1], 0  # counts of ways are whole numbers of any size: nothing is rounded before the end
    for (a, runs_a), (b, runs_b) in pairs:
        least = max(0, a + b - runs_b)
        ways = _convolve(
            ways,
            [comb(runs_a, i) * comb(runs_b, a + b - i) for i in range(least, min(runs_a, a + b) + 1)],
        )
        seen += a - least
    total = sum(ways)
    below, at = sum(ways[:seen]), ways[seen]
    return ExactTest(p=(below + at) / total, mid_p=(2 * below + at) / (2 * total))


def _convolve(a: list[int], b: list[int]) -> list[int]:
    if len(b) == 1:  # every run passed, or none
        return [each * b[0] for each in a]
    result = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return result
