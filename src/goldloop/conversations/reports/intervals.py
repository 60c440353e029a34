"""How sure a rate is: the Wilson score interval, which is honest also for few reactions. Pure."""

from math import sqrt
from typing import NamedTuple

Z_95 = 1.959963984540054  # two-sided 95 %


class Interval(NamedTuple):
    low: float
    high: float


def wilson(successes: int, total: int, z: float = Z_95) -> Interval | None:
    """None where nothing was counted: no rate is not a rate of 0."""
    if total == 0:
        return None
    share, squared = successes / total, z * z
    middle = (share + squared / (2 * total)) / (1 + squared / total)
    reach = z * sqrt(share * (1 - share) / total + squared / (4 * total * total)) / (1 + squared / total)
    return Interval(
        low=0.0 if successes == 0 else max(0.0, middle - reach),
        high=1.0 if successes == total else min(1.0, middle + reach),
    )
