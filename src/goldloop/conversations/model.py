"""Types and errors of conversations, turns and reactions."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, GoldloopError, NotFound, TooManyRequests
from goldloop.kit.text import ID_PATTERN, PATH_ID_PATTERN

ID_CHARACTERS = 200
ID_BYTES = 600  # four of them are one key of an index, which holds 2700 bytes
TEXT_CHARACTERS = 200_000
COMMENT_CHARACTERS = 10_000
MOST_TURNS = 1000  # in one call

TextId = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_CHARACTERS, pattern=PATH_ID_PATTERN)]
EndUserId = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_CHARACTERS, pattern=ID_PATTERN)]
Label = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_CHARACTERS, pattern=ID_PATTERN)]
MessageText = Annotated[str, msgspec.Meta(max_length=TEXT_CHARACTERS)]
Comment = Annotated[str, msgspec.Meta(max_length=COMMENT_CHARACTERS)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]

Reaction = Literal["ok", "not_ok", "neutral"]
Origin = Literal["user", "machine"]
UserType = Literal["member", "end_user"]
ReactionState = Literal["active", "replaced", "cleared", "unsettled", "dismissed"]


class ConversationNotFound(NotFound):
    code, title = "conversation_not_found", "There is no such conversation in this workspace"


class TurnNotFound(NotFound):
    code, title = "turn_not_found", "There is no such turn in this workspace"


class ReactionNotFound(NotFound):
    code, title = "reaction_not_found", "There is no such reaction in this workspace"


class TurnExists(Conflict):
    code, title = "turn_exists", "A turn with this id exists with other content"


class ReactionSettled(Conflict):
    code, title = "reaction_settled", "This reaction is settled already"


class ReactionNotSettled(Conflict):
    code, title = "reaction_not_settled", "Nobody settled this reaction: there is nothing to take back"


class TooManyReactions(TooManyRequests):
    code, title = "too_many_reactions", "With this token the reaction has been changed too often"


class InvalidReaction(GoldloopError):
    status, code, title = 400, "invalid_reaction", "A reaction is ok, not_ok, neutral, or null to clear it"


class ReactionCounts(msgspec.Struct, frozen=True, kw_only=True):
    """`total` is the sum of both origins, and the sum of the three reactions."""

    total: int = 0
    user: int = 0
    machine: int = 0
    ok: int = 0
    not_ok: int = 0
    neutral: int = 0


class ReactionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A reaction as reports tell it."""

    turn_id: str
    ts: datetime
    text: str | None
    reaction: Reaction
    confidence: float
    origin: Origin
    rn: str


class ReactionContent(msgspec.Struct, frozen=True, kw_only=True):
    turn_id: str | None
    text: str | None
    confidence: float
    ts: datetime
    reaction: Reaction
    origin: Origin


class ReactionMeta(msgspec.Struct, frozen=True, kw_only=True):
    """`user_type` says whose it is: a member's of the workspace, or an end user's, which is also what a machine read from
    an end user's message."""

    rn: str
    turn_id: str | None
    track_id: str | None
    user_type: UserType
    kind: str


class ReactionPayload(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The payload of a reaction; `gate` is there when a machine said it."""

    reaction: ReactionContent
    meta: ReactionMeta
    conversation_id: str
    bundle_id: str | None
    gate: dict[str, Any] | None = None


class PlainReaction(msgspec.Struct, frozen=True, kw_only=True):
    """A reaction out of its envelope: what, who and when, in one place. `text` is what they wrote, `turn_id` is null until
    the turn is known."""

    rn: str
    conversation_id: str
    turn_id: str | None
    reaction: Reaction
    text: str | None
    ts: datetime
    origin: Origin
    confidence: float
    user_type: str | None


class ReactionRow(msgspec.Struct, frozen=True, kw_only=True):
    """The index row of a reaction, with its payload, and the same in `plain`. `user_name` is that of a member, also of one
    who has left."""

    id: UUID
    role: str
    tags: list[str]
    turn_id: str | None
    text: str
    ts: datetime
    hosted_uri: str | None
    state: ReactionState
    user_id: str | None
    user_name: str | None
    source_conversation_id: str | None
    source_turn_id: str | None
    payload: ReactionPayload
    plain: PlainReaction
