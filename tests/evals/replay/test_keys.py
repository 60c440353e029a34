"""When two calls are the same for a recording."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.evals.model import ToolShape
from goldloop.evals.replay.canonical_json import canonical_json
from goldloop.evals.replay.keys import call_key

OPEN = ToolShape()
SEARCH = ToolShape(
    arguments=["q", "page", "tags[]", "where.city", "stamp", "items[].id"],
    defaults={"page": 1},
    unordered=["tags[]"],
    volatile=["stamp"],
)


@pytest.mark.parametrize(
    ("a", "b", "shape"),
    [
        ({"q": "x"}, {"q": "x"}, OPEN),
        ({"q": "x", "page": 2}, {"page": 2, "q": "x"}, OPEN),
        ({"q": "x"}, '{"q": "x"}', OPEN),
        ({"n": 1}, {"n": 1.0}, OPEN),
        ({"q": " x "}, {"q": "x"}, OPEN),
        ({"q": "x", "more": None}, {"q": "x"}, OPEN),
        (None, {}, OPEN),
        ({"q": "x", "extra": 1}, {"q": "x"}, SEARCH),
        ({"q": "x", "page": 1}, {"q": "x"}, SEARCH),
        ({"q": "x", "page": 1.0}, {"q": "x"}, SEARCH),
        ({"tags": ["b", "a"]}, {"tags": ["a", "b"]}, SEARCH),
        ({"q": "x", "stamp": 1}, {"q": "x", "stamp": 2}, SEARCH),
        ({"where": {"city": "Ulm", "zip": 1}}, {"where": {"city": "Ulm"}}, SEARCH),
        ({"items": [{"id": 1, "price": 2}]}, {"items": [{"id": 1}]}, SEARCH),
    ],
)
def test_the_same(a: Any, b: Any, shape: ToolShape) -> None:
    assert call_key("t", a, shape) == call_key("t", b, shape)


@pytest.mark.parametrize(
    ("a", "b", "shape"),
    [
        ({"q": "x"}, {"q": "X"}, OPEN),
        ({"q": "1"}, {"q": 1}, OPEN),
        ({"q": True}, {"q": 1}, OPEN),
        ({"q": ["a", "b"]}, {"q": ["b", "a"]}, OPEN),
        ({"n": 2**60}, {"n": 2**60 + 1}, OPEN),
        ({"q": "x", "extra": 1}, {"q": "x"}, OPEN),
        ({"q": "x", "page": 2}, {"q": "x"}, SEARCH),
        ({"items": [{"id": 1}, {"id": 2}]}, {"items": [{"id": 2}, {"id": 1}]}, SEARCH),
        ({"where": {"city": "Ulm"}}, {"where": {"city": "Bonn"}}, SEARCH),
    ],
)
def test_not_the_same(a: Any, b: Any, shape: ToolShape) -> None:
    assert call_key("t", a, shape) != call_key("t", b, shape)


def test_another_tool_is_another_call() -> None:
    assert call_key("a", {}, OPEN) != call_key("b", {}, OPEN)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (1e-6, "0.000001"),
        (1.5e-5, "0.000015"),
        (-2.5e-6, "-0.0000025"),
        (1e-7, "1e-7"),
        (333333333.33333329, "333333333.3333333"),
        (4.50, "4.5"),
        (0.002, "0.002"),
        (9007199254740993, "9007199254740993"),
        ([None, True, False], "[null,true,false]"),
        ({"b": 1, "a": {}}, '{"a":{},"b":1}'),
        ("€\n\u000f\"\\", '"€\\n\\u000f\\"\\\\"'),
        ({"\ufb33": 1, "\U0001f600": 2, "\u20ac": 3}, '{"€":3,"\U0001f600":2,"\ufb33":1}'),
    ],
)  # fmt: skip
def test_json_in_one_form(value: Any, text: str) -> None:
    """Values of RFC 8785; the last is sorted by UTF-16, not by characters."""
    assert canonical_json(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"x"])
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):
        canonical_json(value)


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from(["a", "b", " a"]))
VALUES = st.recursive(
    SCALARS, lambda v: st.one_of(st.lists(v, max_size=3), st.dictionaries(st.sampled_from("abc"), v, max_size=3)), max_leaves=8
)  # fmt: skip


@given(st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4))
def test_the_order_of_names_makes_no_difference(arguments: dict[str, Any]) -> None:
    backwards = dict(reversed(arguments.items()))
    assert call_key("t", arguments, OPEN) == call_key("t", backwards, OPEN)
