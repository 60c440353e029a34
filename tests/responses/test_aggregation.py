"""What many responses say about a dimension, and how scores moved."""

import statistics
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.model import Dimension, DimensionType
from goldloop.responses.aggregation import ScorePoint, bucket_progression, mean, summarize_dimension

NUMBER = Dimension(key="n", label="N", type=DimensionType.NUMBER)
SELECT = Dimension(key="s", label="S", type=DimensionType.SELECT, options=["keep", "drop", "wait"])
TEXT = Dimension(key="t", label="T", type=DimensionType.TEXT)
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("answers", "count", "respondents", "figures"),
    [
        ([], 0, 0, (None, None, None, None, None, None)),
        ([("a", None), ("b", "7"), ("c", True), ("d", float("nan"))], 0, 0, (None, None, None, None, None, None)),
        ([("a", 4)], 1, 1, (4, 4, 4, 4, None, None)),
        ([("a", 4), ("b", 8)], 2, 2, (6, 6, 4, 8, 8**0.5, 8**0.5)),
        ([("a", 4), ("a", 8)], 2, 1, (6, 6, 4, 8, 8**0.5, None)),
        ([("a", 1), ("b", 2), ("c", 9)], 3, 3, (4, 2, 1, 9, 19**0.5, 19**0.5)),
        ([("a", 5), ("b", 5), ("c", 5)], 3, 3, (5, 5, 5, 5, 0, 0)),
        ([("a", 1), ("a", 3), ("b", 2)], 3, 2, (2, 2, 1, 3, 1, 0)),
        ([("a", -1.5), ("b", None), ("c", 1.5)], 2, 2, (0, 0, -1.5, 1.5, 4.5**0.5, 4.5**0.5)),
    ],
)  # fmt: skip
def test_numbers(answers: list[Any], count: int, respondents: int, figures: tuple[Any, ...]) -> None:
    stats = summarize_dimension(NUMBER, answers)
    assert (stats.count, stats.respondents, stats.frequencies) == (count, respondents, None)
    found = (stats.mean, stats.median, stats.min, stats.max, stats.stddev, stats.spread)
    for value, expected in zip(found, figures, strict=True):
        assert value == pytest.approx(expected)


def test_selects_count_every_option_and_what_was_one_once() -> None:
    stats = summarize_dimension(
        SELECT, [("a", "drop"), ("b", "keep"), ("c", "drop"), ("d", "burn"), ("e", "")]
    )
    assert stats.frequencies == {"keep": 1, "drop": 2, "wait": 0, "burn": 1}
    assert list(stats.frequencies) == ["keep", "drop", "wait", "burn"]
    assert (stats.count, stats.respondents, stats.mean) == (4, 4, None)


def test_a_select_that_nobody_answered_has_zeros() -> None:
    assert summarize_dimension(SELECT, []).frequencies == {"keep": 0, "drop": 0, "wait": 0}


def test_text_is_only_counted() -> None:
    stats = summarize_dimension(TEXT, [("a", "yes"), ("a", "no"), ("b", " "), ("c", 5)])
    assert (stats.count, stats.respondents, stats.mean, stats.frequencies) == (2, 1, None, None)


NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


@given(NUMBERS)
def test_figures_agree_with_the_statistics_module(numbers: list[float]) -> None:
    stats = summarize_dimension(NUMBER, enumerate(numbers))
    assert stats.mean == pytest.approx(statistics.fmean(numbers), abs=1e-9)
    assert stats.stddev == pytest.approx(statistics.stdev(numbers), abs=1e-6)
    assert stats.spread == stats.stddev
    assert stats.min is not None
    assert stats.max is not None
    assert stats.min <= mean(numbers) <= stats.max


def points(*scores: float | None, step: timedelta = timedelta(days=1)) -> list[ScorePoint]:
    return [ScorePoint(at=START + step * n, score=score) for n, score in enumerate(scores)]


def test_few_points_are_shown_as_they_are() -> None:
    buckets = bucket_progression(points(0.2, 0.4, 0.9), 3)
    assert [(b.at, b.score, b.min, b.max, b.count) for b in buckets] == [
        (START, 0.2, 0.2, 0.2, 1),
        (START + timedelta(days=1), 0.4, 0.4, 0.4, 1),
        (START + timedelta(days=2), 0.9, 0.9, 0.9, 1),
    ]


def test_many_points_share_stretches_of_equal_length() -> None:
    buckets = bucket_progression(points(0.0, 0.2, 0.4, 0.6, 1.0), 2)
    assert [(b.at, b.score, b.min, b.max, b.count) for b in buckets] == [
        (START + timedelta(days=1), pytest.approx(0.1), 0.0, 0.2, 2),
        (START + timedelta(days=4), pytest.approx(2 / 3), 0.4, 1.0, 3),
    ]


def test_a_quiet_stretch_gives_no_point() -> None:
    busy = [
        *points(0.1, 0.2, 0.3, step=timedelta(seconds=1)),
        ScorePoint(at=START + timedelta(days=9), score=0.9),
    ]
    assert [(b.count, b.score) for b in bucket_progression(busy, 3)] == [(3, pytest.approx(0.2)), (1, 0.9)]


def test_points_at_one_moment_are_one_bucket() -> None:
    assert [b.count for b in bucket_progression(points(0.1, 0.2, 0.3, step=timedelta(0)), 2)] == [3]


def test_no_score_is_no_point() -> None:
    assert bucket_progression([], 5) == []
    assert bucket_progression(points(None, None), 5) == []
    assert [b.score for b in bucket_progression(points(None, 0.5), 5)] == [0.5]


def test_a_progression_without_points_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="at least one"):
        bucket_progression([], 0)


@given(st.lists(st.tuples(st.integers(0, 10**6), st.floats(0, 1))), st.integers(1, 10))
def test_buckets_keep_order_bound_and_number_of_points(pairs: list[tuple[int, float]], most: int) -> None:
    given_points = [ScorePoint(at=START + timedelta(microseconds=at), score=score) for at, score in pairs]
    buckets = bucket_progression(given_points, most)
    assert len(buckets) <= most
    assert sum(bucket.count for bucket in buckets) == len(pairs)
    assert [b.at for b in buckets] == sorted(b.at for b in buckets)
    assert all(b.min <= b.score <= b.max for b in buckets)
    if pairs:
        assert buckets[-1].at == max(point.at for point in given_points)
