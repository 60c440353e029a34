"""The paired t interval over goldens: what the difference would be for goldens like these. Pure."""

import math
from collections.abc import Sequence
from statistics import variance

import msgspec

from goldloop.evals.stats.distributions import t_probability, t_quantile
from goldloop.evals.stats.model import LEVEL, check_level


class MeanInterval(msgspec.Struct, frozen=True, kw_only=True):
    """`p` is one-sided, that the candidate is worse; None where nothing varies."""

    low: float
    mean: float
    high: float
    df: float
    p: float | None


def paired_t(differences: Sequence[float], level: float = LEVEL) -> MeanInterval | None:
    """None for fewer than two: one golden says nothing about others."""
    check_level(level)
    if len(differences) < 2:
        return None
    error = math.sqrt(variance(differences) / len(differences))
    return mean_interval(math.fsum(differences) / len(differences), error, len(differences) - 1, level)


def mean_interval(mean: float, error: float, df: float, level: float) -> MeanInterval:
    half = t_quantile((1 + level) / 2, df) * error if error else 0.0
    p = t_probability(mean / error, df) if error else None
    return MeanInterval(low=mean - half, mean=mean, high=mean + half, df=df, p=p)
