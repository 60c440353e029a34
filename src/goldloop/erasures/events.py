"""Events of erasures: that something was deleted, never what."""

from goldloop.erasures.permissions import ERASURES_MANAGE
from goldloop.kit.events import Payload, declare, topic

ERASURES = topic("erasures", read_by=ERASURES_MANAGE)


class OfErasure(Payload, frozen=True, kw_only=True):
    """`kind` is what was to go: `conversation`, `session`, `record`, `responses`, `end_user`, `workspace` or `retention`."""

    kind: str


class ErasureDone(OfErasure, frozen=True, kw_only=True):
    """`rows` is how many went or lost their text, over all tables."""

    rows: int


REQUESTED = declare(
    "erasure.requested",
    topic=ERASURES,
    subject="erasure",
    payload=OfErasure,
    when="Somebody asked to delete something for good, or its time was over; it is hidden from now on",
)
DONE = declare(
    "erasure.done", topic=ERASURES, subject="erasure", payload=ErasureDone, when="All of it is deleted"
)
FAILED = declare(
    "erasure.failed",
    topic=ERASURES,
    subject="erasure",
    payload=OfErasure,
    when="Deleting was given up after many tries, or cancelled; it stays hidden, and to ask again goes on",
)
