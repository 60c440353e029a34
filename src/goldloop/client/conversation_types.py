"""Response types of conversations, turns and reactions."""

from datetime import datetime
from uuid import UUID

from goldloop.client.types import Object, Row


class Intake(Row, frozen=True):
    """`existing` were there already, with the same content."""

    project: str
    conversation_id: str
    added: list[str]
    existing: list[str]


class ReactionContent(Row, frozen=True):
    turn_id: str | None
    text: str | None
    confidence: float
    ts: datetime
    reaction: str
    origin: str


class ReactionMeta(Row, frozen=True):
    rn: str
    turn_id: str | None
    track_id: str | None
    user_type: str | None
    kind: str


class ReactionPayload(Row, frozen=True):
    """`gate` is set for a machine's reaction."""

    reaction: ReactionContent
    meta: ReactionMeta
    conversation_id: str
    bundle_id: str | None
    gate: Object | None = None


class ReactionResult(Row, frozen=True):
    """`outcome` is added, replaced, cleared or unchanged."""

    outcome: str
    artifact: ReactionPayload | None
    replaced_rn: str | None


class ReactionToken(Row, frozen=True):
    token: str
    expires_at: datetime
    user_id: str | None


class ReactionCounts(Row, frozen=True):
    total: int
    user: int
    machine: int
    ok: int
    not_ok: int
    neutral: int


class ReactionSummary(Row, frozen=True):
    turn_id: str
    ts: datetime
    text: str | None
    reaction: str
    confidence: float
    origin: str
    rn: str


class TurnReactions(Row, frozen=True):
    turn_id: str
    ts: datetime
    feedbacks: list[ReactionSummary]


class ConversationReactions(Row, frozen=True):
    conversation_id: str
    last_activity_at: datetime
    started_at: datetime | None
    feedback_counts: ReactionCounts
    turns: list[TurnReactions]


class PeriodWindow(Row, frozen=True):
    start: datetime
    end: datetime


class ConversationsInPeriod(Row, frozen=True):
    tenant: str
    project: str
    window: PeriodWindow
    items: list[ConversationReactions]
    next_cursor: str | None


class ReactionRow(Row, frozen=True):
    id: UUID
    role: str
    tags: list[str]
    turn_id: str | None
    text: str
    ts: datetime
    hosted_uri: str | None
    state: str
    user_id: str | None
    user_name: str | None
    source_conversation_id: str | None
    source_turn_id: str | None
    payload: ReactionPayload


class TurnMessage(Row, frozen=True):
    text: str
    ts: datetime


class TurnWithReactions(Row, frozen=True):
    turn_id: str
    turn_log: Object | None
    assistant: TurnMessage | None
    user: TurnMessage | None
    feedbacks: list[ReactionSummary]
    reactions: list[ReactionRow]


class TurnsWithReactions(Row, frozen=True):
    user_id: str | None
    conversation_id: str
    turns: list[TurnWithReactions]
    next_cursor: str | None = None


class Conversation(Row, frozen=True):
    project: str
    id: str
    user_id: str | None
    agent: str | None
    agent_id: UUID | None
    title: str
    turns: int
    started_at: datetime
    last_activity_at: datetime
    feedback_counts: ReactionCounts


class TranscriptTurn(Row, frozen=True):
    turn_id: str
    ts: datetime
    user_id: str | None
    agent: str | None
    agent_id: UUID | None
    session_id: str | None
    bundle_id: str | None
    track_id: str | None
    user: str | None
    assistant: str | None
    has_log: bool
    hosted_uri: str | None
    reactions: list[ReactionRow]
    unsettled: list[ReactionRow]


class Transcript(Row, frozen=True):
    conversation: Conversation
    turns: list[TranscriptTurn]
    previous_cursor: str | None
    next_cursor: str | None


class TurnLog(Row, frozen=True):
    turn_log: Object
    hosted_uri: str | None


class Satisfaction(Row, frozen=True):
    """`rate` is ok / (ok + not_ok + neutral), between `low` and `high` with 95 %; None where nothing was counted."""

    bucket: datetime | None
    group: str | None
    ok: int
    not_ok: int
    neutral: int
    total: int
    rate: float | None
    low: float | None
    high: float | None


class SatisfactionReport(Row, frozen=True):
    start: datetime
    end: datetime
    bucket: str
    by: str | None
    overall: list[Satisfaction]
    data: list[Satisfaction]


class CandidateTurn(Row, frozen=True):
    conversation_id: str
    turn_id: str
    similarity: float
    recency: float
    score: float
    ts: datetime | None
    user: str | None
    assistant: str | None


class UnsettledReaction(Row, frozen=True):
    id: UUID
    project: str
    conversation_id: str
    turn_id: str | None
    message: str | None
    ts: datetime
    user_id: str | None
    reaction: str
    confidence: float
    evidence: str
    detector: str
    candidates: list[CandidateTurn]
