"""Evidence that may be looked at at any time: e-values of replays with and without a row, side by side. Pure.

Only pairs that differ say anything. With x = 1 where the row made the replay pass and −1 where it made it fail,

    e = mean over λ of Π (1 + λ·x),   λ in ¼, ½, ¾

A row that does nothing ever comes to e ≥ 20 in at most one of twenty cases, however often one looks (Ville 1939). Swapped sides
are the evidence of harm.
"""

import math
from collections.abc import Sequence

from goldloop.evals.stats.model import InvalidCounts

BETS = (0.25, 0.5, 0.75)
ENOUGH = 20.0  # 1 / 5%
MOST = 1e300  # what more evidence than that is written as


def e_value(better: int, worse: int) -> float:
    """That a row helps, from the pairs it made better and worse; `e_value(worse, better)` that it harms. 1 without any."""
    if better < 0 or worse < 0:
        raise InvalidCounts(f"{better} better and {worse} worse are no numbers of pairs")
    logs = [better * math.log1p(bet) + worse * math.log1p(-bet) for bet in BETS]
    highest = max(logs)
    total = highest + math.log(math.fsum(math.exp(log - highest) for log in logs) / len(BETS))
    return math.exp(min(total, math.log(MOST)))


def e_bh(e_values: Sequence[float], rate: float = 1 / ENOUGH) -> list[bool]:
    """Which of many rows to believe, in the order given, so that at most `rate` of those are useless on average, however they
    depend on each other (Wang and Ramdas 2022)."""
    if not 0 < rate < 1:
        raise InvalidCounts(f"a rate lies between 0 and 1, and {rate} does not")
    ranked = sorted(e_values, reverse=True)
    enough = [e for k, e in enumerate(ranked, 1) if k * e * rate >= len(ranked)]
    return [bool(enough) and e >= enough[-1] for e in e_values]
