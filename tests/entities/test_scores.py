"""The score shown for a record: one table for the server and the browser."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.model import Dimension, DimensionType
from goldloop.entities.scores import (
    format_score,
    get_entity_score,
    get_raters,
    round_score,
    score_badge_variant,
    score_of_100,
    summarize_raters,
)
from goldloop.responses.scoring import compute_response_score
from tests import tables

TABLE = tables.load("entity_score")
FORMAT = tables.load("score_format")


@pytest.mark.parametrize("row", TABLE["scores"], ids=tables.ids)
def test_score(row: dict[str, Any]) -> None:
    assert get_entity_score(row["metadata"]) == row["score"]


@pytest.mark.parametrize("row", TABLE["badges"], ids=lambda row: str(row["score"]))
def test_badge(row: dict[str, Any]) -> None:
    assert score_badge_variant(row["score"]) == row["variant"]


@pytest.mark.parametrize("value", [math.nan, math.inf, 10**400])
def test_what_is_not_a_finite_number_is_no_score(value: object) -> None:
    assert get_entity_score({"response_summary": {"latest_score": value}}) is None
    assert get_entity_score({"weighted_score": value}) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["latest_score", "x"]), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["response_summary", "weighted_score"]), JSON))
def test_any_metadata_gives_a_score_on_the_scale_or_none(metadata: dict[str, Any]) -> None:
    score = get_entity_score(metadata)
    assert score is None or 0 <= score <= 100


@pytest.mark.parametrize("row", FORMAT["rounded"], ids=tables.ids)
def test_a_score_is_rounded_and_written_in_one_way(row: dict[str, Any]) -> None:
    score = row["score"]
    assert format_score(score) == row["text"]
    assert (None if score is None else round_score(score)) == row["rounded"]


@pytest.mark.parametrize("row", FORMAT["of_100"], ids=lambda row: str(row["normalized"]))
def test_a_normalized_score_is_kept_of_100(row: dict[str, Any]) -> None:
    assert score_of_100(row["normalized"]) == row["score"]


@pytest.mark.parametrize("row", FORMAT["responses"], ids=tables.ids)
def test_a_response_has_the_number_that_is_shown(row: dict[str, Any]) -> None:
    dimensions = [
        Dimension(
            key=str(n), label="D", type=DimensionType.RATING, scale=tuple(d["scale"]), weight=d["weight"]
        )
        for n, d in enumerate(row["dimensions"])
    ]
    values = {str(n): d["value"] for n, d in enumerate(row["dimensions"])}
    score = compute_response_score(values, dimensions)
    assert (score.weighted, score.normalized) == (row["weighted"], row["normalized"])
    assert score_of_100(score.normalized) == row["score"]
    assert format_score(score_of_100(score.normalized)) == row["text"]


@given(st.floats(0, 100))
def test_a_rounded_score_stays_as_it_is_and_near(score: float) -> None:
    rounded = round_score(score)
    assert round_score(rounded) == rounded
    assert abs(rounded - score) <= 0.005 + 1e-9
    assert float(format_score(score)) == rounded


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([], None),
        ([20], (1, 20, 20, 20, None)),
        ([20, 73.75], (2, 46.88, 20, 73.75, 38.01)),
        ([35, 20, 35, 73], (4, 35, 20, 73, 22.63)),
        ([50, 50], (2, 50, 50, 50, 0)),
    ],
)
def test_of_raters_count_median_range_and_spread_are_kept(scores: list[float], kept: Any) -> None:
    found = summarize_raters(scores, more=False)
    names = ("count", "median", "min", "max", "spread")
    assert (found and tuple(found[name] for name in names)) == kept


def test_raters_disagree_where_one_calls_good_what_another_calls_weak() -> None:
    kept = {"count": 4, "more": False, "median": 35, "min": 20, "max": 73, "spread": 22.6}
    found = get_raters({"response_summary": {"latest_score": 20, "raters": kept}})
    assert found is not None
    assert (found.count, found.median, found.disagree) == (4, 35, True)
    near = get_raters({"response_summary": {"raters": kept | {"max": 49.99}}})
    assert near is not None
    assert not near.disagree
    assert get_raters({}) is get_raters({"response_summary": {"latest_score": 20}}) is None
