"""How reactions are counted. Pure."""

from collections import Counter
from collections.abc import Iterable

from goldloop.conversations.model import FeedbackCounts


def count(reactions: Iterable[tuple[str, str]]) -> FeedbackCounts:
    """Pairs of origin and reaction; each is counted once under both."""
    pairs = Counter(reactions)
    return FeedbackCounts(
        total=pairs.total(),
        **{o: sum(n for (origin, _), n in pairs.items() if origin == o) for o in ("user", "machine")},
        **{
            r: sum(n for (_, reaction), n in pairs.items() if reaction == r)
            for r in ("ok", "not_ok", "neutral")
        },
    )
