"""Which values a dimension takes: one table for the server and the form."""

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.dimension_types import MAX_RICHTEXT, MAX_TEXT, is_empty
from goldloop.criteria.model import Dimension, DimensionType
from goldloop.responses.values import check_values, clean_values
from tests import tables

TABLE = tables.load("response_values")
DIMENSIONS = msgspec.convert(TABLE["dimensions"], list[Dimension])


def places(values: dict[str, Any], **more: Any) -> list[tuple[str, str]]:
    return [(fault.path, fault.code) for fault in check_values(values, DIMENSIONS, **more)]


@pytest.mark.parametrize("row", TABLE["cases"], ids=tables.ids)
def test_values(row: dict[str, Any]) -> None:
    assert places(row["values"]) == [tuple(fault) for fault in row["faults"]]


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 10**400])
def test_what_is_not_a_finite_number_is_refused(wrong: float) -> None:
    assert places({"rating": wrong}) == [("/values/rating", "wrong_type")]
    assert places({"rating": 1, "free": wrong}) == [("/values/free", "wrong_type")]


@pytest.mark.parametrize(("key", "longest"), [("note", MAX_TEXT), ("essay", MAX_RICHTEXT)])
def test_text_has_a_bound(key: str, longest: int) -> None:
    assert places({"rating": 1, key: "x" * longest}) == []
    assert places({"rating": 1, key: "x" * (longest + 1)}) == [(f"/values/{key}", "too_long")]


def test_values_of_a_connection_are_named_by_their_own_place() -> None:
    assert places({"x": 1}, at="/values/c1") == [
        ("/values/c1/x", "unknown_dimension"),
        ("/values/c1/rating", "required"),
    ]


def test_the_message_names_the_options_but_not_hundreds() -> None:
    many = Dimension(key="s", label="S", type=DimensionType.SELECT, options=[str(n) for n in range(300)])
    assert "(300 in all)" in check_values({"s": "x"}, [many])[0].message
    assert check_values({"verdict": "x"}, DIMENSIONS)[1].message == "Choose one of keep, drop"


def test_empty_values_are_dropped() -> None:
    values: dict[str, Any] = {"a": None, "b": "", "c": " \n", "d": 0, "e": False, "f": "x ", "g": []}
    assert clean_values(values) == {"d": 0, "e": False, "f": "x ", "g": []}


VALUES = st.dictionaries(
    st.sampled_from(["rating", "share", "half", "free", "verdict", "note", "other"]),
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2),
)


@given(VALUES)
def test_cleaning_is_idempotent_and_leaves_nothing_empty(values: dict[str, Any]) -> None:
    cleaned = clean_values(values)
    assert cleaned.items() <= values.items()
    assert not any(is_empty(value) for value in cleaned.values())
    assert list(clean_values(cleaned)) == list(cleaned)


@given(VALUES)
def test_cleaning_changes_no_verdict_about_known_dimensions(values: dict[str, Any]) -> None:
    known = {key: value for key, value in values.items() if key != "other"}
    assert places(clean_values(known)) == places(known)


def test_very_many_unknown_keys_are_counted_and_some_are_named() -> None:
    faults = check_values({f"k{n}": n for n in range(5000)}, [])
    assert (len(faults), faults.omitted) == (100, 4900)
