"""Types of turns as they are read."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec


class TurnRow(msgspec.Struct, frozen=True, kw_only=True):
    """A turn with what was said in it."""

    turn_id: str
    seq: int
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


class TurnExcerpt(NamedTuple):
    """When a turn was, and the beginnings of its messages."""

    ts: datetime
    user: str | None
    assistant: str | None
