"""The variance ledger: how much of the spread of scores is the judge's, the agent's, and that of the cases. Pure.

Nested analysis of variance of scores by golden, run and judging. What comes out negative is 0: there is less than chance
alone would show.
"""

import math
from collections.abc import Sequence
from statistics import fmean, variance

import msgspec

from goldloop.evals.stats.model import InvalidCounts


class VarianceLedger(msgspec.Struct, frozen=True, kw_only=True):
    """None where there is nothing to tell it by: one judging of each run says nothing about the judge, one run of each golden
    nothing about the agent."""

    judge: float | None
    agent: float | None
    case: float | None
    judgings: float
    runs: float


def variance_ledger(scores: Sequence[Sequence[Sequence[float]]]) -> VarianceLedger:
    """`scores[golden][run]` are the judgings of that run. With one judging of each run the agent's part has the judge's in it,
    and so on outwards. Unequal numbers count by their harmonic means."""
    goldens = [[run for run in golden if run] for golden in scores]
    goldens = [golden for golden in goldens if golden]
    if not goldens:
        raise InvalidCounts("a ledger needs at least one judged run")
    runs = [run for golden in goldens for run in golden]
    m, k = _harmonic([len(run) for run in runs]), _harmonic([len(golden) for golden in goldens])
    judge = _pooled([run for run in runs if len(run) > 1])
    means = [[fmean(run) for run in golden] for golden in goldens]
    between_runs = _pooled([golden for golden in means if len(golden) > 1])
    agent = None if between_runs is None else max(0.0, between_runs - (judge or 0.0) / m)
    case = None
    if len(goldens) > 1:
        noise = ((agent or 0.0) + (judge or 0.0) / m) / k
        case = max(0.0, variance([fmean(golden) for golden in means]) - noise)
    return VarianceLedger(judge=judge, agent=agent, case=case, judgings=m, runs=k)


def judgings_to_buy(ledger: VarianceLedger, run_cost: float, judging_cost: float) -> int | None:
    """How many judgings of a run are worth their price; None where the ledger does not know."""
    if run_cost <= 0 or judging_cost <= 0:
        raise InvalidCounts("a run and a judging cost something")
    if ledger.judge is None or ledger.agent is None:
        return None
    if not ledger.agent:
        return None  # only the judge varies: more runs buy nothing, and any number of judgings is worth it
    return max(1, round(math.sqrt(ledger.judge / ledger.agent * run_cost / judging_cost)))


def _pooled(groups: Sequence[Sequence[float]]) -> float | None:
    """The mean variance within groups, weighed by what each knows of it."""
    free = sum(len(group) - 1 for group in groups)
    return math.fsum(variance(group) * (len(group) - 1) for group in groups) / free if free else None


def _harmonic(counts: Sequence[int]) -> float:
    return len(counts) / math.fsum(1 / count for count in counts)
