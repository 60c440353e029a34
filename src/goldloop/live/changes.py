"""The single source of how changes are gathered: a topic with its subjects, or with None for everything under it. Pure."""

from collections.abc import Iterable

MOST_SUBJECTS = 20  # a page that shows a few of more than these reads again anyway

Changes = dict[str, frozenset[str] | None]


def add_change(changes: Changes, topic: str, subjects: Iterable[str] | None) -> None:
    """Add what changed under a topic to what is gathered already."""
    known = changes.get(topic, frozenset())
    merged = None if known is None or subjects is None else known | frozenset(subjects)
    changes[topic] = None if merged is None or len(merged) > MOST_SUBJECTS else merged
