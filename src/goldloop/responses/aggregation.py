"""What many responses say about one dimension, and how scores moved over time. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from statistics import median

import msgspec

from goldloop.criteria.dimension_types import CHOSEN, NUMERIC, TYPES
from goldloop.criteria.model import Dimension, DimensionType
from goldloop.kit.numbers import Number, is_number


class Strategy(StrEnum):
    """How many numbers become one."""

    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"


class DimensionStats(msgspec.Struct, frozen=True, kw_only=True):
    """`spread` is the standard deviation between respondents, each with the mean of their own values."""

    key: str
    type: DimensionType
    count: int
    respondents: int
    mean: float | None = None
    median: float | None = None
    min: float | None = None
    max: float | None = None
    stddev: float | None = None
    spread: float | None = None
    frequencies: dict[str, int] | None = None


class ScorePoint(msgspec.Struct, frozen=True, kw_only=True):
    at: datetime
    score: float | None


class ScoreBucket(msgspec.Struct, frozen=True, kw_only=True):
    """The points of one stretch of time; `at` is that of the last of them."""

    at: datetime
    score: float
    min: float
    max: float
    count: int


def summarize_dimension(dimension: Dimension, answers: Iterable[tuple[Hashable, object]]) -> DimensionStats:
    """`answers` are (respondent, value). What is empty or not of the dimension's type is not counted:
    a response keeps the dimensions of its day, and those may have been others."""
    given = [(who, value) for who, value in answers if TYPES[dimension.type].is_value(value)]
    if dimension.type in NUMERIC:
        return _summarize_numbers(dimension, [(who, value) for who, value in given if is_number(value)])
    return DimensionStats(
        key=dimension.key,
        type=dimension.type,
        count=len(given),
        respondents=len({who for who, _ in given}),
        frequencies=_frequencies(dimension, given) if dimension.type in CHOSEN else None,
    )


def _summarize_numbers(dimension: Dimension, given: Sequence[tuple[Hashable, Number]]) -> DimensionStats:
    numbers = [value for _, value in given]
    by_respondent: dict[Hashable, list[Number]] = defaultdict(list)
    for who, value in given:
        by_respondent[who].append(value)
    own_means = [mean(values) for values in by_respondent.values()]
    return DimensionStats(
        key=dimension.key,
        type=dimension.type,
        count=len(numbers),
        respondents=len(own_means),
        mean=mean(numbers) if numbers else None,
        median=median(numbers) if numbers else None,
        min=min(numbers, default=None),
        max=max(numbers, default=None),
        stddev=_stddev(numbers),
        spread=_stddev(own_means),
    )


def _frequencies(dimension: Dimension, given: Sequence[tuple[Hashable, object]]) -> dict[str, int]:
    return order_frequencies(Counter(str(value) for _, value in given), dimension.options or [])


def order_frequencies(counted: Mapping[str, int], options: Sequence[str]) -> dict[str, int]:
    """Every option in its order, also the unchosen; then former options that were chosen in their day."""
    return {option: counted.get(option, 0) for option in [*options, *sorted(counted.keys() - set(options))]}


def mean(numbers: Sequence[Number]) -> float:
    """Never outside the numbers themselves, however the sum was rounded."""
    return min(max(math.fsum(numbers) / len(numbers), min(numbers)), max(numbers))


def _stddev(numbers: Sequence[Number]) -> float | None:
    """Of a sample (n − 1); a single number has none."""
    if len(numbers) < 2:
        return None
    centre = mean(numbers)
    return math.sqrt(math.fsum((number - centre) ** 2 for number in numbers) / (len(numbers) - 1))


def bucket_progression(points: Iterable[ScorePoint], max_points: int) -> list[ScoreBucket]:
    """At most `max_points` buckets in order of time: the points themselves if they are few, else stretches of
    equal length, so that a chart keeps its time axis. A stretch without points gives none, a response without
    a score is no point."""
    if max_points < 1:
        raise ValueError("a progression has at least one point")
    scored = sorted(((p.at, p.score) for p in points if p.score is not None), key=lambda pair: pair[0])
    if len(scored) <= max_points:
        return [_bucket([pair]) for pair in scored]
    first, last = scored[0][0], scored[-1][0]
    width = (last - first) / max_points
    stretches: dict[int, list[tuple[datetime, float]]] = defaultdict(list)
    for at, score in scored:
        place = int((at - first) / width) if width else 0
        stretches[min(place, max_points - 1)].append((at, score))
    return [_bucket(stretches[place]) for place in sorted(stretches)]


def _bucket(pairs: Sequence[tuple[datetime, float]]) -> ScoreBucket:
    scores = [score for _, score in pairs]
    return ScoreBucket(
        at=pairs[-1][0], score=mean(scores), min=min(scores), max=max(scores), count=len(scores)
    )
