"""How many replays tell what knowledge rows are worth, and which rows each of them holds. Pure.

Each row is present in half of a golden's replays, drawn for each row by itself. Half of the rows in each replay would be a trap:
their number would be the same in all, so that no row's value could be told from that of the others.
"""

import math
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256

import msgspec

from goldloop.evals.model import Readable
from goldloop.evals.stats.distributions import t_probability, t_quantile
from goldloop.evals.stats.model import InvalidCounts
from goldloop.evals.stats.planning import POWER, USUAL_VARIANCE
from goldloop.evals.stats.row_values import FAMILY

SEEN = 0.75  # of an effect, where some goldens pass always or never and cannot show it (design/evidence.md)
MOST_REPLAYS = 1_000_000  # what no number up to this finds is not worth planning


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows one replay holds, of those that apply. `replay` counts from 0 within its golden."""

    golden: str
    replay: int
    present: frozenset[str]
    applicable: frozenset[str]


class RowPlan(Readable, frozen=True, kw_only=True):
    """What `replays` of the experiment find. `power` is the chance that a row of `effect` is flagged after Holm, None where
    there are too few replays for any figure. `error` is that of a row's value, `smallest_detectable` the effect found four times
    in five; both None likewise."""

    rows: int
    goldens: int
    replays: int
    effect: float
    power: float | None
    error: float | None
    smallest_detectable: float | None


def random_halves(
    applicable: Mapping[str, Collection[str]], replays: int | Mapping[str, int], seed: str | int
) -> list[Assignment]:
    """The rows of each replay, in the order of the goldens given; the same for the same seed, whatever else is planned with
    it. Each row is in half of its golden's replays, of an odd number in one more or less by chance."""
    found = []
    for golden, rows in applicable.items():
        count = replays if isinstance(replays, int) else replays.get(golden, 0)
        if count < 0:
            raise InvalidCounts(f"{golden}: {count} is no number of replays")
        everything = frozenset(rows)
        present: list[set[str]] = [set() for _ in range(count)]
        for row in sorted(everything):
            for replay in _half(f"{seed}\0{golden}\0{row}", count):
                present[replay].add(row)
        found += [
            Assignment(golden=golden, replay=i, present=frozenset(each), applicable=everything)
            for i, each in enumerate(present)
        ]
    return found


def _half(seed: str, count: int) -> list[int]:
    """A random half of the replays: those whose hashes are lowest."""
    draws = [sha256(f"{seed}\0{i}".encode()).digest() for i in range(count + 1)]
    size = (count + (draws[count][0] & 1)) // 2
    return sorted(range(count), key=draws.__getitem__)[:size]


def row_power(
    rows: int,
    goldens: int,
    replays: int,
    effect: float,
    *,
    variance: float | None = None,
    share: float = 1.0,
    seen: float = SEEN,
    strata: int | None = None,
) -> RowPlan:
    """`replays` are those of all goldens together, `share` is the share of them to which a row applies, `seen` how much of an
    effect these goldens show. `variance` is that between runs of a golden, from the noise floor; as is usual where it is
    unknown. `strata` are within how many groups replays are compared: as many as goldens, more where those of earlier experiments
    count. Reckoned with the first step of Holm, so that rows beside a good one fare no worse."""
    _check(rows, goldens, replays, effect, variance, share, seen)
    known = USUAL_VARIANCE if variance is None else variance or USUAL_VARIANCE / (goldens + 1)
    df = replays - (goldens if strata is None else strata) - rows
    plan = RowPlan(
        rows=rows,
        goldens=goldens,
        replays=replays,
        effect=effect,
        power=None,
        error=None,
        smallest_detectable=None,
    )
    if df < 1 or not rows or not share:
        return plan
    error = math.sqrt(4 * known / (df * share))  # being there or not, by halves, has variance 1/4
    alone = max(df * share, 1.0)
    bar = t_quantile(1 - FAMILY / (2 * rows), alone)
    return msgspec.structs.replace(
        plan,
        power=1 - t_probability(bar - abs(effect) * seen / error, alone),
        error=error,
        smallest_detectable=min((bar + t_quantile(POWER, alone)) * error / seen, 1.0),
    )


def row_replays(
    rows: int,
    goldens: int,
    effect: float,
    *,
    power: float = POWER,
    variance: float | None = None,
    share: float = 1.0,
    seen: float = SEEN,
    earlier: int = 0,
) -> RowPlan | None:
    """The least number of replays that finds a row of `effect` with that power: the same even number for each golden, or two for some
    of them where that is enough. `earlier` strata are there of other experiments. None where no number does."""
    if not 0 < power < 1 or effect == 0:
        raise InvalidCounts("a plan has a power between 0 and 1 and an effect that is not 0")

    def plan(used: int, pairs: int) -> RowPlan:
        return row_power(
            rows, used, 2 * pairs * used, effect, variance=variance, share=share, seen=seen, strata=used + earlier
        )  # fmt: skip

    def finds(found: RowPlan) -> bool:
        return (found.power or 0.0) >= power

    high = 1
    while not finds(plan(goldens, high)):
        if not rows or 2 * high * goldens > MOST_REPLAYS:
            return None
        high *= 2
    if high == 1:
        return plan(_least(1, goldens, lambda used: finds(plan(used, 1))), 1)
    return plan(goldens, _least(high // 2, high, lambda pairs: finds(plan(goldens, pairs))))


def _least(low: int, high: int, is_enough: Callable[[int], bool]) -> int:
    """The least number from `low` on that is enough, where `high` is and all above it."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return high


def _check(
    rows: int, goldens: int, replays: int, effect: float, variance: float | None, share: float, seen: float
) -> None:
    if rows < 0 or goldens < 1 or replays < 0:
        raise InvalidCounts("a plan has at least one golden, and no numbers below 0")
    if not -1 <= effect <= 1 or not (variance is None or 0 <= variance <= 1):
        raise InvalidCounts("an effect lies between -1 and 1, and a variance between 0 and 1")
    if not 0 <= share <= 1 or not 0 < seen <= 1:
        raise InvalidCounts("a share is at least 0 and at most 1, and what is seen lies above 0")
