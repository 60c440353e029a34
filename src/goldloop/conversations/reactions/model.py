"""Types of reactions: who reacts to what, what comes of it, and what waits to be settled."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.model import PlainReaction, Reaction, ReactionPayload


class TurnPlace(NamedTuple):
    project: str
    conversation_id: str
    turn_id: str


class Reactor(NamedTuple):
    """Who reacts: an end user, or a member of the workspace, whose ids are not told apart by themselves. `id` is None
    for the user of the conversation; `most` is how often at most to one turn."""

    id: str | None
    is_member: bool = False
    most: int | None = None


class ReactionResult(msgspec.Struct, frozen=True, kw_only=True):
    """`outcome` is added, replaced, cleared or unchanged; `artifact` is the reaction that is active now, None without
    one, and `plain` the same out of its envelope; `replaced_rn` the one that it took the place of, or that was cleared."""

    outcome: str
    artifact: ReactionPayload | None
    plain: PlainReaction | None
    replaced_rn: str | None


class ReactionToken(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    expires_at: datetime
    user_id: str | None


class MessageContext(NamedTuple):
    """A user's message that the gate reads, and the last exchange before it."""

    project: str
    conversation_id: str
    turn_id: str
    user_id: str | None
    ts: datetime
    message: str
    previous_user: str | None
    previous_assistant: str | None


class CandidateTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that may be meant, with what was said in it and how it scored."""

    conversation_id: str
    turn_id: str
    similarity: float
    recency: float
    score: float
    ts: datetime | None
    user: str | None
    assistant: str | None


class UnsettledReaction(msgspec.Struct, frozen=True, kw_only=True):
    """`turn_id` is that of the message that it was read from."""

    id: UUID
    project: str
    conversation_id: str
    turn_id: str | None
    message: str | None
    ts: datetime
    user_id: str | None
    reaction: Reaction
    confidence: float
    evidence: str
    detector: str
    candidates: list[CandidateTurn]
