"""Two agents by scores instead of passes: the same question, with the spread of the scores. Pure.

With several runs of each golden, the variance is that within goldens and Welch's degrees of freedom; with one, the paired t.
Few goldens, or scores that are mostly equal, are better tested by permutation.
"""

import math
from collections.abc import Callable, Sequence
from statistics import fmean, variance

from goldloop.evals.stats.model import LEVEL, InvalidCounts, check_level
from goldloop.evals.stats.paired import MeanInterval, mean_interval, paired_t

DRAWS = 10_000
Scores = Sequence[Sequence[float]]


def _both(candidate: Scores, baseline: Scores) -> list[tuple[Sequence[float], Sequence[float]]]:
    if len(candidate) != len(baseline):
        raise InvalidCounts(
            f"one list of scores per golden for each side: {len(candidate)} of the candidate, {len(baseline)} of the baseline"
        )
    return [(a, b) for a, b in zip(candidate, baseline, strict=True) if a and b]


def graded_interval(candidate: Scores, baseline: Scores, level: float = LEVEL) -> MeanInterval | None:
    """Of the mean difference; None where there are too few scores to tell how far they vary."""
    check_level(level)
    pairs = _both(candidate, baseline)
    differences = [fmean(a) - fmean(b) for a, b in pairs]
    if not pairs or any(len(a) < 2 or len(b) < 2 for a, b in pairs):
        return paired_t(differences, level)
    n = len(pairs)
    parts = [(variance(side) / len(side), len(side) - 1) for both in pairs for side in both]
    total = math.fsum(part for part, _ in parts)
    df = total**2 / math.fsum(part**2 / d for part, d in parts) if total else float(sum(d for _, d in parts))
    return mean_interval(math.fsum(differences) / n, math.sqrt(total) / n, df, level)


def permutation_p(
    candidate: Scores, baseline: Scores, draw: Callable[[], float], draws: int = DRAWS
) -> float | None:
    """One-sided, that the candidate is worse: how often scores that change sides at random within their golden come to so
    low a difference. `draw` gives numbers between 0 and 1. None without goldens to compare."""
    pairs = _both(candidate, baseline)
    if not pairs:
        return None
    seen = _difference(pairs)
    as_low = 0
    for _ in range(draws):
        shuffled = []
        for a, b in pairs:
            mixed = [*a, *b]
            for i in range(len(mixed) - 1, 0, -1):
                j = int(draw() * (i + 1))
                mixed[i], mixed[j] = mixed[j], mixed[i]
            shuffled.append((mixed[: len(a)], mixed[len(a) :]))
        as_low += _difference(shuffled) <= seen + 1e-12
    return (as_low + 1) / (draws + 1)


def _difference(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> float:
    return math.fsum(fmean(a) - fmean(b) for a, b in pairs) / len(pairs)
