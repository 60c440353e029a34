"""SQL that reads conversations and their turns."""

from datetime import datetime
from typing import Any

import msgspec

from goldloop.kit.db import Tx


class ConversationRow(msgspec.Struct, frozen=True, kw_only=True):
    project: str
    id: str
    user_id: str | None
    agent: str | None
    title: str
    turns: int
    started_at: datetime
    last_activity_at: datetime


class TurnRow(msgspec.Struct, frozen=True, kw_only=True):
    """A turn with what was said in it; `turn_log` while it waits for the blob store, `hosted_uri` afterwards."""

    turn_id: str
    seq: int
    ts: datetime
    user_id: str | None
    agent: str | None
    session_id: str | None
    bundle_id: str | None
    track_id: str | None
    user: str | None
    assistant: str | None
    turn_log: dict[str, Any] | None
    has_log: bool
    hosted_uri: str | None


CONVERSATION = "c.project, c.id, c.user_id, c.agent, c.title, c.turns, c.started_at, c.last_activity_at"
_TURN = """
    SELECT t.turn_id, t.seq, t.ts, t.user_id, t.agent, t.session_id, t.bundle_id, t.track_id, t.turn_log,
           max(m.text) FILTER (WHERE m.role = 'user') AS user, max(m.text) FILTER (WHERE m.role = 'assistant') AS assistant,
           count(*) FILTER (WHERE m.kind = 'turn.log') > 0 AS has_log,
           max(m.hosted_uri) FILTER (WHERE m.kind = 'turn.log') AS hosted_uri
    FROM conv_turns t
    JOIN conv_messages m ON m.tenant_id = t.tenant_id AND m.project = t.project AND m.conversation_id = t.conversation_id
        AND m.turn_id = t.turn_id AND m.kind <> 'turn.log.reaction'
    WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3
"""
_GROUPED = """
    GROUP BY t.turn_id, t.seq, t.ts, t.user_id, t.agent, t.session_id, t.bundle_id, t.track_id, t.turn_log
    ORDER BY t.ts, t.seq
"""


async def find(tx: Tx, project: str, conversation_id: str) -> ConversationRow | None:
    row = await tx.fetchrow(
        f"SELECT {CONVERSATION} FROM conversations c WHERE c.tenant_id = $1 AND c.project = $2 AND c.id = $3",
        tx.actor.tenant_id,
        project,
        conversation_id,
    )
    return ConversationRow(**row) if row else None


async def list_turns(tx: Tx, project: str, conversation_id: str, turn_ids: list[str]) -> list[TurnRow]:
    """Some turns of a conversation, oldest first."""
    rows = await tx.fetch(
        f"{_TURN} AND t.turn_id = ANY ($4) {_GROUPED}", tx.actor.tenant_id, project, conversation_id, turn_ids
    )
    return [TurnRow(**row) for row in rows]


async def find_turn_user(tx: Tx, project: str, conversation_id: str, turn_id: str) -> str | None:
    """The end user of a turn, '' where nobody said; None where there is no such turn."""
    found: str | None = await tx.fetchval(
        """
        SELECT coalesce(t.user_id, c.user_id, '') FROM conv_turns t
        JOIN conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
        WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.turn_id = $4
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        turn_id,
    )
    return found
