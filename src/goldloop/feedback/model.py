"""Types and errors of feedback."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, NotFound
from goldloop.tenants.model import Party

COMMENT_CHARACTERS = 20_000
NOTE_CHARACTERS = 4000


class FeedbackNotFound(NotFound):
    code, title = "feedback_not_found", "There is no such feedback, or it is not yours to see"


class FeedbackExists(Conflict):
    code, title = "feedback_exists", "Feedback with this id exists with other content"


class FeedbackReviewed(Conflict):
    """`conflict` says who was first, when, and what they decided."""

    code, title = "feedback_reviewed", "Somebody has reviewed this feedback before"


class FeedbackPending(Conflict):
    code, title = "feedback_pending", "Nobody has reviewed this feedback: there is nothing to take back"


class NotFlaggable(NotFound):
    code, title = "nothing_to_flag", "What is flagged is not there: a turn, a response, a session or a record"


class GroupNotFound(NotFound):
    code, title = "feedback_group_not_found", "There is no such group of feedback in this workspace"


class GroupDecided(Conflict):
    """`conflict` says who was first, when, and what they decided."""

    code, title = "feedback_group_decided", "Somebody has decided about this group before"


class DecisionNotFound(NotFound):
    code, title = "feedback_decision_not_found", "There is no such decision about a group of feedback"


class DecisionOvertaken(Conflict):
    """`conflict` says which it is, and whether it was taken back before."""

    code, title = "feedback_decision_overtaken", "Nothing of this decision is left to take back"


class FeedbackSource(StrEnum):
    CHAT = "chat"
    RESPONSE = "response"
    EXTRACTION = "extraction"
    TOOL = "tool"
    SESSION = "session"
    OBSERVATION = "observation"


class Rating(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    NEUTRAL = "neutral"


class FeedbackStatus(StrEnum):
    PENDING = "pending"
    REVIEWED = "reviewed"
    APPLIED = "applied"
    DISMISSED = "dismissed"


Verdict = Literal["reviewed", "applied", "dismissed"]  # what a review makes of what waits


class GroupKind(StrEnum):
    """Why members are together: the same field, tool, golden or masked reason of a failure, or how they are worded."""

    FIELD = "field"
    TOOL = "tool"
    GOLDEN = "golden"
    REASON = "reason"
    WORDING = "wording"


class GroupState(StrEnum):
    """`snoozed` and `dismissed` come back when they escalate; `merged` went into another."""

    OPEN = "open"
    SNOOZED = "snoozed"
    DISMISSED = "dismissed"
    MERGED = "merged"


class DismissReason(StrEnum):
    NOISE = "noise"
    COVERED = "already_covered"
    USER_ERROR = "user_error"
    ONE_OFF = "one_off"
    NOT_BY_PROMPT = "cannot_fix_by_prompt"
    DUPLICATE = "duplicate"


class Feedback(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody, or something, thinks of what an agent made. `created_by` is the member whose it is, null for what a
    machine or an end user gave; `author` is who wrote it down and `end_user` who said it in a chat. `context` says what it is
    about: `conversation_id`, `turn_id` and `rn` of a reaction, `response_id` and `field_name` of a rejection,
    `failure_reason` of a session. `group_id` is the group it is in, `near_group_id` one that it may belong to."""

    id: UUID
    source_type: FeedbackSource
    rating: Rating
    comment: str | None
    session_id: UUID | None
    entity_id: UUID | None
    agent_id: UUID | None
    context: dict[str, Any]
    status: FeedbackStatus
    reviewed_by_agent_id: UUID | None
    reviewed_by_user_id: UUID | None
    reviewer: Party | None
    reviewed_at: datetime | None
    review_notes: str | None
    created_by: UUID | None
    author: Party
    end_user: str | None
    entity_type: str | None
    group_id: UUID | None
    near_group_id: UUID | None
    created_at: datetime
    updated_at: datetime


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """Feedback of one source and rating that came in a span of time."""

    at: datetime
    source_type: FeedbackSource
    rating: Rating
    count: int


class FeedbackGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Feedback about one matter. `kind` says why it is together; `cohesion` is how alike the wording is, null where that is
    not why. `origins` are the distinct signals among `members`; one is `proposed` from two on. `pending` members wait for
    a review. `returned` is one that was dismissed or snoozed and escalated since: `reason` and `note` are those of then.
    `days` has how many came on each of the last days, the oldest first. `read_at` is when the answer was read, by the clock
    that `decided_at` and a member's `reviewed_at` are from."""

    id: UUID
    kind: GroupKind
    state: GroupState
    rating: Rating
    title: str
    agent_id: UUID | None
    entity_type: str | None
    key: str | None
    members: int
    pending: int
    origins: int
    cohesion: float | None
    proposed: bool
    returned: bool
    sources: list[FeedbackSource]
    first_at: datetime
    last_at: datetime
    days: list[int]
    reason: DismissReason | None
    note: str | None
    decided_by: Party | None
    decided_at: datetime | None
    merged_into: UUID | None
    version: int
    created_at: datetime
    read_at: datetime


class DecidedGroup(FeedbackGroup, frozen=True, kw_only=True):
    """A group after a decision. `decision_id` is what it is taken back by, null where there was nothing to decide."""

    decision_id: UUID | None
