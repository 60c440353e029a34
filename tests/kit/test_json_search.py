"""Where in a JSON value something stands."""

from collections.abc import Sequence
from typing import Any

import pytest

from goldloop.kit.json_search import MOST_POINTERS, find_pointers


def marked(parts: Sequence[Any]) -> list[int]:
    return [index for index, part in enumerate(parts) if part == "x"]


def deep(depth: int, inner: Any) -> Any:
    for _ in range(depth):
        inner = [[], 1, {"a": 0, "b": inner, "c": {}}, [2]]
    return inner


@pytest.mark.parametrize(
    ("value", "places"),
    [
        (None, []),
        ("x", [""]),
        ([], []),
        ({}, []),
        (["x"], ["/0"]),
        ([[], {}, [], ["a", "x"]], ["/3/1"]),
        ({"a": {}, "b": {"c": "x"}}, ["/b/c"]),
        ({"x": "x"}, ["/x", "/x"]),  # the key and the value
        ([0, {"a": 1, "x": {"b": "x"}}, ["x"]], ["/1/x", "/2/0", "/1/x/b"]),  # what is higher up comes first
        ([[[["x"]], [["x", {"a/b": "x"}]]]], ["/0/0/0/0", "/0/1/0/0", "/0/1/0/1/a~1b"]),
        (deep(3, "x"), ["/2/b/2/b/2/b"]),
        (deep(2000, "x"), ["/2/b" * 2000]),
    ],
)
def test_the_way_to_each_is_told(value: Any, places: list[str]) -> None:
    assert find_pointers(value, {str}, marked) == places


def test_it_stands_below_where_the_value_does() -> None:
    assert find_pointers({"a": "x"}, {str}, marked, "values", 0) == ["/values/0/a"]


def test_only_the_first_are_told() -> None:
    found = find_pointers({"a": ["x"] * 15, "b": ["x"] * 15, "c": [["x"]]}, {str}, marked)
    assert found == [*(f"/a/{n}" for n in range(15)), *(f"/b/{n}" for n in range(MOST_POINTERS - 15))]
