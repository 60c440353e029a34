"""SQL of reactions. They are written by the named SQL functions alone."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.model import Artifact, ReactionRow
from goldloop.kit.db import Tx

COLUMNS = """
    m.id, m.role, m.tags, m.turn_id, m.text, m.ts, m.hosted_uri, m.state, m.end_user, m.source_conversation_id,
    m.source_turn_id, m.payload
"""


def from_row(row: Any) -> ReactionRow:
    return ReactionRow(
        id=row["id"],
        role=row["role"],
        tags=row["tags"],
        turn_id=row["turn_id"],
        text=row["text"],
        ts=row["ts"],
        hosted_uri=row["hosted_uri"],
        state=row["state"],
        user_id=row["end_user"] or None,
        source_conversation_id=row["source_conversation_id"],
        source_turn_id=row["source_turn_id"],
        payload=msgspec.convert(row["payload"], Artifact),
    )


class Reacted(NamedTuple):
    outcome: str  # added, replaced, cleared, unchanged or absent
    artifact: Artifact | None
    replaced: str | None
    end_user: str | None


async def react(
    tx: Tx,
    *,
    project: str,
    conversation_id: str,
    turn_id: str,
    end_user: str | None,
    reaction_id: UUID,
    event_id: UUID,
    reaction: str | None,
    comment: str | None,
    ts: datetime,
    ts_said: bool,
    text: str | None,
    payload: Artifact | None,
) -> Reacted:
    row = await tx.fetchrow(
        """
        SELECT outcome, artifact, replaced, end_user
        FROM react($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """,
        project,
        conversation_id,
        turn_id,
        end_user,
        reaction_id,
        event_id,
        reaction,
        comment,
        ts,
        ts_said,
        text,
        payload,
    )
    assert row is not None
    artifact = msgspec.convert(row["artifact"], Artifact) if row["artifact"] else None
    return Reacted(row["outcome"], artifact, row["replaced"], row["end_user"])
