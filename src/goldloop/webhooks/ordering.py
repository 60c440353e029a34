"""What of the deliveries that are due is sent now. Pure.

Events about one subject are sent one after another: what comes later waits for what is before it, until that has failed
OVERTAKEN_AFTER times. Other subjects go on.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

OVERTAKEN_AFTER = 4  # failures of one: some 35 minutes


class Due(NamedTuple):
    """A delivery that is due; `blocked_until` is when the first before it on its subject is due, None where none is."""

    id: UUID
    event_id: UUID
    attempts: int
    step: int
    first_at: datetime | None
    next_at: datetime
    blocked_until: datetime | None


class Choice(NamedTuple):
    """What to send, and what waits until when for what is before it."""

    sent: list[Due]
    postponed: list[tuple[UUID, datetime]]


def choose(due: Sequence[Due], most: int, *, probing: bool) -> Choice:
    """`due` is in the order of what is due first. A receiver that fails is tried by one delivery, of those that were tried
    least: a message that it will not take does not keep it from being found well."""
    free = [each for each in due if each.blocked_until is None]
    postponed = [
        (each.id, each.blocked_until)
        for each in due
        if each.blocked_until is not None and each.blocked_until > each.next_at
    ]
    if probing:
        return Choice(sorted(free, key=lambda each: each.step)[:1], postponed)
    return Choice(free[:most], postponed)
