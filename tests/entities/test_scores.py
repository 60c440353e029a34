"""The score shown for a record: one table for the server and the browser."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.entities.scores import get_entity_score, score_badge_variant
from tests import tables

TABLE = tables.load("entity_score")


@pytest.mark.parametrize("row", TABLE["scores"], ids=tables.ids)
def test_score(row: dict[str, Any]) -> None:
    assert get_entity_score(row["metadata"]) == pytest.approx(row["score"])


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
