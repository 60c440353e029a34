"""What a run can see: how much runs of one golden vary, the smallest change that would be found, and how many repeats find a
smaller one. Pure."""

import math
from collections.abc import Sequence

from goldloop.evals.stats.distributions import z
from goldloop.evals.stats.model import InvalidCounts, Pair

USUAL_VARIANCE = 0.10  # within a golden, of strong agents; what is assumed where one run of each says nothing
CONFIDENCE = 0.95  # one-sided
POWER = 0.80  # a change of that size is found four times in five
_REACH = z(CONFIDENCE) + z(POWER)


def run_variance(pairs: Sequence[Pair], known: float | None = None) -> float:
    """The mean of p(1 - p) within goldens, unbiased. Without a golden of two runs it is `known`, or as is usual. Where
    nothing varied it is not nothing, but what one more golden might have brought."""
    varied = [passes * (runs - passes) / (runs * (runs - 1)) for passes, runs in pairs if runs > 1]
    if not varied:
        return USUAL_VARIANCE if known is None else known
    mean = math.fsum(varied) / len(varied)
    return mean or (USUAL_VARIANCE if known is None else known) / (len(varied) + 1)


def smallest_detectable(variance: float, goldens: int, repeats: int) -> float:
    """The change of the pass rate that a run of so many goldens, so often on each side, finds four times in five."""
    if goldens < 1 or repeats < 1 or variance < 0:
        raise InvalidCounts("a run has at least one golden and one repeat, and no variance below 0")
    return _REACH * math.sqrt(2 * variance / (goldens * repeats))


def detectable_by(pairs: Sequence[tuple[Pair, Pair]], variance: float) -> float:
    """The same where goldens and sides have their own numbers of runs."""
    mean = math.fsum(1 / ka + 1 / kb for (_, ka), (_, kb) in pairs) / len(pairs)
    return min(_REACH * math.sqrt(variance * mean / len(pairs)), 1.0)


def repeats_beside(pairs: Sequence[tuple[Pair, Pair]], variance: float, target: float) -> int | None:
    """How often each golden must run for a change of `target` to be found beside the runs that the baseline has. None where
    no number of repeats finds it: the baseline itself has run too seldom."""
    if not pairs or target <= 0 or variance < 0:
        raise InvalidCounts("a plan has at least one golden, a target above 0 and no variance below 0")
    if variance == 0:
        return 1
    left = len(pairs) * (target / _REACH) ** 2 / variance
    left -= math.fsum(1 / kb for _, (_, kb) in pairs) / len(pairs)
    return max(1, math.ceil(1 / left - 1e-9)) if left > 0 else None


def repeats_to_buy(variance: float, goldens: int, target: float) -> int:
    """How often each golden must run on each side for a change of `target` to be found."""
    if goldens < 1 or target <= 0 or variance < 0:
        raise InvalidCounts("a plan has at least one golden, a target above 0 and no variance below 0")
    needed = 2 * variance * (_REACH / target) ** 2 / goldens
    return max(1, math.ceil(needed - 1e-9))
