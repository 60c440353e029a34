"""Whether two JSON values are the same."""

from typing import Any

import pytest

from goldloop.kit.json_equality import same_json


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (None, None, True),
        (None, False, False),
        (1, 1.0, True),
        (1e22, 10**22, True),
        (1e23, 10**23, True),  # which no float is exactly
        (-1e23, -(10**23), True),
        (1e23, 10**23 + 10**8, False),
        (2**53 + 1, float(2**53), True),  # the nearest float
        (2**53 + 1, 2**53, False),
        (10**23, 10**23 + 1, False),
        (1e50, 10**50, True),
        (1e308, 10**400, False),
        ([{"a": 1e23}], [{"a": 10**23}], True),
        (1, True, False),
        (0, False, False),
        (0, None, False),
        (True, True, True),
        ("1", 1, False),
        ("", None, False),
        ([], [], True),
        ([], {}, False),
        ([1], [True], False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({}, {}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": None}, {}, False),
        ({"a": [{"b": [0]}]}, {"a": [{"b": [False]}]}, False),
        ({"a": [{"b": [0]}]}, {"a": [{"b": [0.0]}]}, True),
    ],
)
def test_same_json(a: Any, b: Any, same: bool) -> None:
    assert same_json(a, b) is same
    assert same_json(b, a) is same


def test_no_nesting_exhausts_the_stack() -> None:
    deep: Any = 1
    other: Any = True
    for _ in range(100_000):
        deep, other = [deep], [other]
    assert same_json(deep, deep)
    assert not same_json(deep, other)
