"""The distributions that the rest needs: normal, beta and Student's t. Pure.

The regularised incomplete beta function is a continued fraction (Lentz), its inverse bisection.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

_NORMAL = NormalDist()
_TINY = 1e-300
_CLOSE = 1e-16
_MOST_TERMS = 10_000


def z(probability: float) -> float:
    """The quantile of the standard normal distribution."""
    return _NORMAL.inv_cdf(probability)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The probability that a beta variable is at most x."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _MOST_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            result *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return result


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


@lru_cache(maxsize=4096)
def beta_quantile(probability: float, a: float, b: float) -> float:
    return _bisect(lambda x: incomplete_beta(a, b, x), probability, 0.0, 1.0)


def t_probability(t: float, df: float) -> float:
    """The probability that a t variable is at most t."""
    tail = incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


@lru_cache(maxsize=4096)
def t_quantile(probability: float, df: float) -> float:
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -t_quantile(1 - probability, df)
    high = 1.0
    while t_probability(high, df) < probability:
        high *= 2
    return _bisect(lambda t: t_probability(t, df), probability, 0.0, high)


def _bisect(function: Callable[[float], float], target: float, low: float, high: float) -> float:
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2
