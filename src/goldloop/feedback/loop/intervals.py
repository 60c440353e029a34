"""Intervals of shares, means and medians at 95%. Pure."""

import math
from collections.abc import Sequence

import msgspec

Z = 1.959964  # of 95%


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """`count` of `n`. Without any n there is no share, and not 0."""

    count: int
    n: int
    share: float | None
    low: float | None
    high: float | None


class Average(msgspec.Struct, frozen=True, kw_only=True):
    """A mean or a median; `low` and `high` are null where too few say how sure it is."""

    n: int
    value: float | None
    low: float | None
    high: float | None


def wilson(count: int, n: int) -> Share:
    """The interval of Wilson, which holds for few and near 0 and 1 as well."""
    if n == 0:
        return Share(count=0, n=0, share=None, low=None, high=None)
    share = count / n
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return Share(count=count, n=n, share=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


def mean(values: Sequence[float]) -> Average:
    n = len(values)
    if n == 0:
        return Average(n=0, value=None, low=None, high=None)
    middle = sum(values) / n
    if n == 1:
        return Average(n=1, value=middle, low=None, high=None)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / (n - 1))
    half = _student(n - 1) * spread / math.sqrt(n)
    return Average(n=n, value=middle, low=middle - half, high=middle + half)


def within(found: Average, least: float, most: float) -> Average:
    """With an interval that ends where what is measured does."""
    if found.low is None or found.high is None:
        return found
    return Average(n=found.n, value=found.value, low=max(least, found.low), high=min(most, found.high))


def median(values: Sequence[float]) -> Average:
    """With the values between which it lies, by how many are below: nothing is supposed about how they spread."""
    ordered = sorted(values)
    n = len(ordered)
    if n == 0:
        return Average(n=0, value=None, low=None, high=None)
    middle = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    below, place = 0.0, -1  # the largest place with at most 2.5% below it
    for k in range(n):
        below += math.comb(n, k) / 2**n if n < 1000 else 0.0
        if n >= 1000 or below > 0.025:
            break
        place = k
    if n >= 1000:
        place = math.floor(n / 2 - Z * math.sqrt(n) / 2) - 1
    if place < 0:
        return Average(n=n, value=middle, low=None, high=None)
    return Average(n=n, value=middle, low=ordered[place], high=ordered[n - 1 - place])


def _student(degrees: int) -> float:
    """The quantile of Student's distribution at 97.5%, by the series of Cornish and Fisher."""
    if degrees <= len(_FEW):
        return _FEW[degrees - 1]
    z, v = Z, float(degrees)
    return z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v * v)


_FEW = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
