"""The golden-stratified interval: how much better or worse a candidate passes these goldens than its baseline. Pure.

`c ± z·√Q/(N + 2)` with the difference shrunk towards 0 (`c`), N effective pairs of runs, and Q the variance within goldens;
with one run each it is Bonett and Price's interval (2012). False alarms are at most 5% from 5 goldens on (design/evals.md). It
speaks about these goldens; `like_these` about goldens that might have been chosen instead.
"""

import math
from collections.abc import Sequence

import msgspec

from goldloop.evals.model import Readable
from goldloop.evals.stats.distributions import z
from goldloop.evals.stats.model import LEVEL, MARGIN, Pair, Verdict, both_sides, check_level, decide
from goldloop.evals.stats.paired import MeanInterval, paired_t
from goldloop.evals.stats.planning import detectable_by, run_variance
from goldloop.evals.stats.stratified_test import exact_test

Goldens = list[tuple[Pair, Pair]]


class StratifiedInterval(Readable, frozen=True, kw_only=True):
    """`difference` is candidate minus baseline. Everything but the verdict is None where no golden has runs on both sides;
    `missing` are those that have not. `smallest_detectable` is the fall that this many runs would find four times in
    five."""

    low: float | None
    difference: float | None
    high: float | None
    verdict: Verdict
    smallest_detectable: float | None
    level: float
    goldens: int
    missing: int
    mid_p: float | None = None
    like_these: MeanInterval | None = None


def stratified_interval(
    candidate: Sequence[Pair | None],
    baseline: Sequence[Pair | None],
    level: float = LEVEL,
    *,
    margin: float = MARGIN,
    variance: float | None = None,
) -> StratifiedInterval:
    """One `(passes, runs)` for each golden and side. `variance` is that between runs of a golden where it is known, from the
    noise floor; the runs themselves tell it where there are two or more of a golden."""
    check_level(level)
    pairs, missing = both_sides(candidate, baseline)
    if not pairs:
        return StratifiedInterval(
            low=None,
            difference=None,
            high=None,
            verdict=Verdict.INCONCLUSIVE,
            smallest_detectable=None,
            level=level,
            goldens=0,
            missing=missing,
        )
    differences = [a / ka - b / kb for (a, ka), (b, kb) in pairs]
    difference = math.fsum(differences) / len(pairs)
    low, high = bounds(pairs, difference, level)
    seen = run_variance([pair for both in pairs for pair in both], known=variance)
    return StratifiedInterval(
        low=low,
        difference=difference,
        high=high,
        verdict=decide(low, high, margin),
        smallest_detectable=detectable_by(pairs, seen),
        level=level,
        goldens=len(pairs),
        missing=missing,
        mid_p=exact_test(candidate, baseline).mid_p,
        like_these=_within_reach(paired_t(differences, level)),
    )


def _within_reach(found: MeanInterval | None) -> MeanInterval | None:
    """Rates differ by at most 1, whatever the t distribution says about a few goldens."""
    if found is None:
        return None
    return msgspec.structs.replace(found, low=max(found.low, -1.0), high=min(found.high, 1.0))


def bounds(pairs: Goldens, difference: float, level: float) -> tuple[float, float]:
    """Where goldens have different numbers of runs, N is the sum of their effective pairs."""
    total = math.fsum(2 * ka * kb / (ka + kb) for (_, ka), (_, kb) in pairs)
    effective = total / len(pairs)
    centre = difference * total / (total + 2)
    within = math.fsum(_variance(a, b) for a, b in pairs)
    spread = 2 + effective**2 * within
    if all(ka == kb == 1 for (_, ka), (_, kb) in pairs):
        spread -= (total + 2) * centre**2
    half = z((1 + level) / 2) * math.sqrt(max(spread, 0.0)) / (total + 2)
    return max(centre - half, -1.0), min(centre + half, 1.0)


def _variance(candidate: Pair, baseline: Pair) -> float:
    """Of the difference of one golden's rates: by each side's own spread where both have several runs, else by that of
    both together."""
    (a, ka), (b, kb) = candidate, baseline
    if ka > 1 and kb > 1:
        return a * (ka - a) / ((ka - 1) * ka**2) + b * (kb - b) / ((kb - 1) * kb**2)
    passes, runs = a + b, ka + kb
    return passes * (runs - passes) / (runs * (runs - 1)) * (1 / ka + 1 / kb)
