"""Counting reactions."""

import pytest

from goldloop.conversations.model import FeedbackCounts
from goldloop.conversations.reports.counts import count


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ([], FeedbackCounts()),
        ([("user", "ok")], FeedbackCounts(total=1, user=1, ok=1)),
        (
            [("user", "ok"), ("machine", "not_ok"), ("machine", "neutral"), ("user", "ok")],
            FeedbackCounts(total=4, user=2, machine=2, ok=2, not_ok=1, neutral=1),
        ),
    ],
)
def test_each_is_counted_by_origin_and_by_reaction(
    pairs: list[tuple[str, str]], counts: FeedbackCounts
) -> None:
    found = count(pairs)
    assert found == counts
    assert found.total == found.user + found.machine == found.ok + found.not_ok + found.neutral
