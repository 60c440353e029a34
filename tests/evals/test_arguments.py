"""When the arguments of two calls mean the same."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldloop.evals.arguments import (
    DEEPEST,
    canonical,
    declared_tree,
    differences,
    leaves,
    parse_arguments,
    prune,
)

FLIGHTS = ("id", "flights[].date", "tags[]", "where")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Ulm", " ulm "),
        ("New  York", "new york"),
        (1, 1.0),
        ("7", 7),
        ("0", 0),
        (["a", "b"], ["b", "a"]),
        ({"a": 1, "b": None}, {"a": 1}),
        ([{"a": 1}, {"b": "X"}], [{"b": "x"}, {"a": 1}]),
        (True, "True"),
        (1, True),
        ([1, "x", None], [None, "x", 1]),
        (float("nan"), float("nan")),
    ],
    ids=str,
)
def test_the_same(a: Any, b: Any) -> None:
    assert canonical(a) == canonical(b)
    assert hash(canonical(a)) == hash(canonical(b))
    assert canonical({"x": a}) == canonical({"x": b})


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("007", "7"),
        ("1.10", "1.1"),
        ("1.0", 1),
        (["a", "a"], ["a"]),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        ("", None),
        ("1" * 16, int("1" * 16)),
    ],
    ids=str,
)
def test_not_the_same(a: Any, b: Any) -> None:
    assert canonical(a) != canonical(b)


@pytest.mark.parametrize(
    ("value", "pruned"),
    [
        ({"id": 1, "price": 2}, {"id": 1}),
        ({"flights": [{"date": 1, "seat": 2}, {"seat": 3}]}, {"flights": [{"date": 1}, {}]}),
        ({"where": {"city": {"zip": 1, "no": None}}}, {"where": {"city": {"zip": 1}}}),
        ({"tags": ["a", 1]}, {"tags": ["a", 1]}),
        ({"id": None}, {}),
        ("text", "text"),
    ],
)
def test_what_is_not_declared_is_left_out(value: Any, pruned: Any) -> None:
    declared = declared_tree(FLIGHTS)
    assert prune(value, declared) == pruned
    assert canonical(value, declared) == canonical(pruned)


@pytest.mark.parametrize(
    ("paths", "tree"),
    [
        ((), {}),
        (("a",), {"a": None}),
        (("a.b", "a.c[].d"), {"a": {"b": None, "c": {"d": None}}}),
        (("a", "a.b"), {"a": None}),
        (("a.b", "a"), {"a": None}),
        (("a[]",), {"a": None}),
    ],
)
def test_declared_paths(paths: tuple[str, ...], tree: dict[str, Any]) -> None:
    assert declared_tree(paths) == tree


def test_a_tool_that_declares_nothing_takes_nothing() -> None:
    assert canonical({"a": 1}, declared_tree(())) == canonical({})


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ({"x": 1}, {"x": 1.0}, []),
        ({"x": 1}, {"x": 2}, [("x", 1, 2)]),
        ({"x": 1}, {}, [("x", 1, None)]),
        ({}, {"x": {"y": 1}}, [("x", None, {"y": 1})]),
        ({"x": ["a", "b"]}, {"x": ["b", "A"]}, []),
        ({"x": ["a", "b"]}, {"x": ["a"]}, [("x[1]", "b", None)]),
        ({"x": [None]}, {"x": []}, [("x", [None], [])]),
        ({"x": [{"y": 1}, {"y": 2}]}, {"x": [{"y": 1}, {"y": 3}]}, [("x[1].y", 2, 3)]),
        (1, "one", [("", 1, "one")]),
    ],
)
def test_differences(a: Any, b: Any, found: list[Any]) -> None:
    assert list(differences(a, b)) == found


def test_differences_of_what_is_not_declared_are_none() -> None:
    assert list(differences({"id": 1, "price": 1}, {"id": 1, "price": 2}, declared_tree(FLIGHTS))) == []


def test_leaves() -> None:
    found = dict(leaves({"a": [1, {"b": None}], "c": {}, "d": []}))
    assert found == {"a[0]": 1, "a[1].b": None, "c": {}, "d": []}
    assert dict(leaves(5)) == {"": 5}


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["a", "B", "1"])),
    lambda v: st.one_of(st.lists(v, max_size=3), st.dictionaries(st.sampled_from("ab"), v, max_size=2)),
    max_leaves=6,
)


@example([True], [1])
@example([None], [])
@given(VALUES, VALUES)
def test_there_are_differences_exactly_where_values_are_not_the_same(a: Any, b: Any) -> None:
    one, other = {"x": a}, {"x": b}
    assert bool(list(differences(one, other))) == (canonical(one) != canonical(other))


def nested(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": -Infinity}', '{"a": 1e999}', "{", "", nested(DEEPEST + 1), nested(100_000)], ids=range(7))  # fmt: skip
def test_a_text_that_says_nothing_which_json_can_hold_stays_one(text: str) -> None:
    assert parse_arguments(text) == text


@pytest.mark.parametrize(
    ("text", "value"), [("{}", {}), ('{"a": [1, "x", null]}', {"a": [1, "x", None]}), ("12345678901234567890", 12345678901234567890)]
)  # fmt: skip
def test_a_text_of_json_is_what_it_says(text: str, value: Any) -> None:
    assert parse_arguments(text) == value


def test_as_deep_as_may_be_is_parsed() -> None:
    assert isinstance(parse_arguments(nested(DEEPEST - 1)), dict)
