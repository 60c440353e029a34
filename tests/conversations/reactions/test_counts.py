"""Counting reactions."""

import pytest

from goldloop.conversations.model import ReactionCounts
from goldloop.conversations.reactions.counts import count


@pytest.mark.parametrize(
    ("reactions", "counts"),
    [
        ([], ReactionCounts()),
        ([("user", "ok", 1)], ReactionCounts(total=1, user=1, ok=1)),
        (
            [("user", "ok", 2), ("machine", "not_ok", 1), ("machine", "neutral", 1), ("user", "ok", 3)],
            ReactionCounts(total=7, user=5, machine=2, ok=5, not_ok=1, neutral=1),
        ),
    ],
)
def test_each_is_counted_by_origin_and_by_reaction(
    reactions: list[tuple[str, str, int]], counts: ReactionCounts
) -> None:
    found = count(reactions)
    assert found == counts
    assert found.total == found.user + found.machine == found.ok + found.not_ok + found.neutral
