"""Events of importing feedback."""

from goldloop.feedback.entries.events import FEEDBACK
from goldloop.kit.events import Payload, declare


class FeedbackImported(Payload, frozen=True, kw_only=True):
    kind: str
    count: int


IMPORTED = declare(
    "feedback.imported",
    topic=FEEDBACK,
    subject="workspace",
    payload=FeedbackImported,
    when="Feedback came from elsewhere, many rows at once; they have no events of their own",
)
