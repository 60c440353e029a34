"""What waits for a person: groups of feedback that were proposed."""

from goldloop.feedback.entries.events import FEEDBACK
from goldloop.feedback.groups import store
from goldloop.feedback.permissions import FEEDBACK_READ, FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.kit.inbox import MOST_COUNTED, Waiting, kind


@kind(
    "feedback_groups",
    label="Groups of feedback",
    permissions=(FEEDBACK_REVIEW, FEEDBACK_READ),
    topic=FEEDBACK,
    path="/admin/agent-review/feedback",
)
async def count_waiting(tx: Tx) -> Waiting:
    return Waiting(await store.count_waiting(tx, MOST_COUNTED + 1))
