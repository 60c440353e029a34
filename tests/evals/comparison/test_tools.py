"""Order and sets of calls."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.evals.comparison.tools import compare_tool_args, longest_common
from goldloop.evals.recorded import Tools, read_session


def slow(a: str, b: str) -> int:
    """By the definition."""
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + slow(a[1:], b[1:])
    return max(slow(a[1:], b), slow(a, b[1:]))


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_longest_common_is_that_of_the_definition(a: str, b: str) -> None:
    assert longest_common(a, b) == slow(a, b)


def session(*calls: tuple[str, dict[str, Any]]) -> Any:
    events = [{"type": "tool.call", "payload": {"name": n, "arguments": a}} for n, a in calls]
    return read_session({"type": "chat", "status": "completed", "events": events}, "x")


@pytest.mark.parametrize(
    ("golden", "replay", "score"),
    [
        ([], [], 1.0),
        ([("a", {})], [], 0.0),
        ([("a", {"x": 1})], [("a", {"x": "1"})], 1.0),
        ([("a", {"x": 1}), ("a", {"x": 1})], [("a", {"x": 1})], 2 / 3),
        ([("a", {"x": "A"}), ("a", {"x": "a"})], [("a", {"x": "a"}), ("a", {"x": "b"})], 0.5),
        ([("a", {"x": 1})], [("b", {"x": 1})], 0.0),
    ],
)
def test_tool_args(golden: list[Any], replay: list[Any], score: float) -> None:
    found = compare_tool_args(session(*golden), session(*replay), Tools({}))
    assert found.score == pytest.approx(score)
    assert found.weight == 0
