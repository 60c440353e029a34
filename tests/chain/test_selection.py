"""Which nodes of a long chain are shown."""

import pytest

from goldloop.chain.selection import select
from goldloop.chain.store import Walk


def walk(*steps: tuple[str, str], cut: tuple[str, ...] = (), unused: dict[str, int] | None = None) -> Walk:
    """Of steps from the first node on, nearest first."""
    depths = {steps[0][0]: 0}
    for came, led in steps:
        depths.setdefault(led, depths[came] + 1)
    nodes = sorted(depths, key=lambda ref: depths[ref])
    return Walk(
        refs=nodes,
        depths=[depths[ref] for ref in nodes],
        came=[came for came, _ in steps],
        led=[led for _, led in steps],
        relations=["x"] * len(steps),
        cut=list(cut),
        unused_of=list(unused or {}),
        unused=list((unused or {}).values()),
    )


CROWDED = walk(
    ("manifest:m", "session:1"),
    ("manifest:m", "session:2"),
    ("manifest:m", "session:3"),
    ("manifest:m", "session:4"),
    ("session:1", "response:1"),
    ("session:2", "response:2"),
    ("session:1", "golden:1"),
    ("response:1", "field:1/a"),
    ("response:2", "field:2/a"),
    unused={"manifest:m": 7},
)


def test_what_fits_is_shown_as_it_is() -> None:
    assert select(CROWDED, len(CROWDED.refs), forward=True, follows_sessions=True) is CROWDED


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (1, ["manifest:m"]),
        (2, ["manifest:m", "session:1"]),
        (4, ["manifest:m", "session:1", "response:1", "field:1/a"]),
        (5, ["manifest:m", "session:1", "response:1", "golden:1", "field:1/a"]),
        (8, ["manifest:m", "session:1", "session:2", "response:1", "response:2", "golden:1", "field:1/a", "field:2/a"]),
    ],
)  # fmt: skip
def test_what_rests_on_it_in_the_end_is_shown_with_the_way_there(limit: int, shown: list[str]) -> None:
    found = select(CROWDED, limit, forward=True, follows_sessions=True)
    assert found.refs == shown
    assert set(found.came) | set(found.led) <= set(shown)


def test_sessions_that_nothing_rests_on_are_counted_and_not_said_to_be_cut() -> None:
    found = select(CROWDED, 8, forward=True, follows_sessions=True)
    assert (found.unused_of, found.unused, found.cut) == (["manifest:m"], [9], [])
    fewer = select(CROWDED, 5, forward=True, follows_sessions=True)
    assert fewer.cut == ["manifest:m"]


def test_sessions_that_were_not_followed_are_cut() -> None:
    steps = (("manifest:m", "session:1"), ("manifest:m", "session:2"))
    unseen = select(walk(*steps), 2, forward=True, follows_sessions=False)
    assert (unseen.unused, unseen.cut) == ([], ["manifest:m"])
    at_the_end = select(walk(*steps, cut=("session:2",)), 2, forward=True, follows_sessions=True)
    assert (at_the_end.refs, at_the_end.cut, at_the_end.unused) == (
        ["manifest:m", "session:2"],
        ["session:2"],
        [1],
    )


def test_back_what_is_nearest_is_shown() -> None:
    found = select(CROWDED, 5, forward=False, follows_sessions=True)
    assert found.refs == ["manifest:m", "session:1", "session:2", "session:3", "session:4"]
