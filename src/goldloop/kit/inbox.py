"""The registry of what can wait for a person. A concept registers its kinds of it in `inbox.py`; one page and one count in the
navigation show them all, whichever they are.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from goldloop.kit.db import Tx

MOST_COUNTED = (
    1000  # of one kind: a person is told no more by a larger number, and it would cost its time at each look
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many wait, and how many of them for this person by name; None where nothing of the kind is assigned. What
    is counted stops one after MOST_COUNTED."""

    count: int
    mine: int | None = None


Count = Callable[[Tx], Awaitable[Waiting]]


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxKind:
    """`permissions` are what working on it takes, all of them; `topic` is what tells of a change; `path` leads to the page
    where it is worked through."""

    key: str
    label: str
    permissions: tuple[str, ...]
    topic: str
    path: str
    count: Count


KINDS: dict[str, InboxKind] = {}


def kind(
    key: str, *, label: str, permissions: tuple[str, ...], topic: str, path: str
) -> Callable[[Count], Count]:
    """Register a kind; what is decorated counts what waits, at most MOST_COUNTED and one."""

    def register(count: Count) -> Count:
        KINDS[key] = InboxKind(
            key=key, label=label, permissions=permissions, topic=topic, path=path, count=count
        )
        return count

    return register
