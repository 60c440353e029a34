"""How reactions are counted. Pure."""

from collections.abc import Iterable

from goldloop.conversations.model import FeedbackCounts


def count(reactions: Iterable[tuple[str, str]]) -> FeedbackCounts:
    """Pairs of origin and reaction; each is counted once under both."""
    counted = {"total": 0, "user": 0, "machine": 0, "ok": 0, "not_ok": 0, "neutral": 0}
    for origin, reaction in reactions:
        counted["total"] += 1
        counted[origin] += 1
        counted[reaction] += 1
    return FeedbackCounts(**counted)
