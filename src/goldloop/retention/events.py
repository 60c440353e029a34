"""Events of retention."""

from goldloop.erasures.events import ERASURES
from goldloop.kit.events import Payload, declare


class RetentionChanged(Payload, frozen=True, kw_only=True):
    """In days; null: for ever."""

    traces_days: int
    sessions_days: int | None
    conversations_days: int | None
    events_days: int | None


CHANGED = declare(
    "retention.changed",
    topic=ERASURES,
    subject="workspace",
    payload=RetentionChanged,
    when="Somebody set how long things are kept",
)
