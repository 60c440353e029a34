"""How reactions are counted. Pure."""

from collections.abc import Iterable

from goldloop.conversations.model import FeedbackCounts


def count(reactions: Iterable[tuple[str, str, int]]) -> FeedbackCounts:
    """Origins and reactions, and how many of each; they are counted under both."""
    counted = {"total": 0, "user": 0, "machine": 0, "ok": 0, "not_ok": 0, "neutral": 0}
    for origin, reaction, number in reactions:
        for name in ("total", origin, reaction):
            counted[name] += number
    return FeedbackCounts(**counted)
