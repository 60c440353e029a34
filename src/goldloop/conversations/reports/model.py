"""The shapes of reports, to the letter of the document that they come from."""

from datetime import datetime
from typing import Any

import msgspec

from goldloop.conversations.model import ReactionCounts, ReactionRow, ReactionSummary


class PeriodWindow(msgspec.Struct, frozen=True, kw_only=True):
    start: datetime
    end: datetime


class TurnReactions(msgspec.Struct, frozen=True, kw_only=True):
    """`ts` is that of the newest feedback."""

    turn_id: str
    ts: datetime
    feedbacks: list[ReactionSummary]


class ConversationReactions(msgspec.Struct, frozen=True, kw_only=True):
    """`last_activity_at` is the newest feedback in the window; `turns` is empty unless asked for."""

    conversation_id: str
    last_activity_at: datetime
    started_at: datetime | None
    feedback_counts: ReactionCounts
    turns: list[TurnReactions]


class ConversationsInPeriod(msgspec.Struct, frozen=True, kw_only=True):
    tenant: str
    project: str
    window: PeriodWindow
    items: list[ConversationReactions]
    next_cursor: str | None


class TurnMessage(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    ts: datetime


class TurnWithReactions(msgspec.Struct, frozen=True, kw_only=True):
    """`turn_log` is null where there is none, or where the blob store does not answer."""

    turn_id: str
    turn_log: dict[str, Any] | None
    assistant: TurnMessage | None
    user: TurnMessage | None
    feedbacks: list[ReactionSummary]
    reactions: list[ReactionRow]


class TurnsWithReactions(msgspec.Struct, frozen=True, kw_only=True):
    """`next_cursor` is there where more turns follow."""

    user_id: str | None
    conversation_id: str
    turns: list[TurnWithReactions]
    next_cursor: str | msgspec.UnsetType = msgspec.UNSET
