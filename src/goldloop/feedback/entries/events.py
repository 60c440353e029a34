"""Events of feedback."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.feedback.model import FeedbackSource, FeedbackStatus, Rating
from goldloop.feedback.permissions import FEEDBACK_READ
from goldloop.kit.events import Payload, declare, topic

FEEDBACK = topic("feedback", read_by=FEEDBACK_READ)


class OfFeedback(Payload, frozen=True, kw_only=True):
    """`replaces_id` is what somebody gave before, where that was reviewed and they think otherwise since."""

    source_type: FeedbackSource
    rating: Rating
    status: FeedbackStatus
    session_id: UUID | UnsetType = UNSET
    entity_id: UUID | UnsetType = UNSET
    agent_id: UUID | UnsetType = UNSET
    conversation_id: str | UnsetType = UNSET
    replaces_id: UUID | UnsetType = UNSET


class FeedbackChanged(Payload, frozen=True, kw_only=True):
    source_type: FeedbackSource
    rating: Rating


class FeedbackReviewed(Payload, frozen=True, kw_only=True):
    """`decision_id` is that of the decision about its group, where that is what reviewed it. `cause_ended` is whether nobody
    reviewed it: what it was about was taken back or done about."""

    source_type: FeedbackSource
    status: FeedbackStatus
    decision_id: UUID | UnsetType = UNSET
    cause_ended: bool | UnsetType = UNSET


class FeedbackReopened(Payload, frozen=True, kw_only=True):
    source_type: FeedbackSource


class FeedbackGone(Payload, frozen=True, kw_only=True):
    source_type: FeedbackSource


CREATED = declare(
    "feedback.created",
    topic=FEEDBACK,
    subject="feedback",
    payload=OfFeedback,
    when="Somebody gave feedback, or something that happened counts as some",
)
CHANGED = declare(
    "feedback.changed",
    topic=FEEDBACK,
    subject="feedback",
    payload=FeedbackChanged,
    when="A reaction took the place of another whose feedback nobody had reviewed",
)
REVIEWED = declare(
    "feedback.reviewed",
    topic=FEEDBACK,
    subject="feedback",
    payload=FeedbackReviewed,
    when="Feedback was reviewed, applied or dismissed, also because its cause was taken back",
)
REOPENED = declare(
    "feedback.reopened",
    topic=FEEDBACK,
    subject="feedback",
    payload=FeedbackReopened,
    when="A review was taken back: the feedback waits again",
)
WITHDRAWN = declare(
    "feedback.withdrawn",
    topic=FEEDBACK,
    subject="feedback",
    payload=FeedbackGone,
    when="A reaction or a rejection was taken back after its feedback was reviewed; the review stays",
)
ERASED = declare(
    "feedback.erased",
    topic=FEEDBACK,
    subject="feedback",
    payload=FeedbackGone,
    when="Feedback is erased for good, with all that was kept of its words",
)
