"""SQL of sessions that are derived from what others send: how they go on, where they began, what they turn out to be part of."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions.model import ConversationRef, Session
from goldloop.sessions.store import COLUMNS, from_row


async def lock_external(tx: Tx, external_id: str) -> Session | None:
    """By the name that whoever sends it gave it; nobody else changes it until the transaction ends."""
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.tenant_id = $1 AND s.external_id = $2 FOR NO KEY UPDATE OF s",
        tx.actor.tenant_id,
        external_id,
    )
    return from_row(row) if row else None


async def set_reopened(tx: Tx, session_id: UUID) -> None:
    await tx.execute(
        """
        UPDATE sessions SET status = 'running', ended_at = NULL, output = NULL, error_code = NULL, error_message = NULL,
            dismissed_at = NULL
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        session_id,
    )


class Origin(NamedTuple):
    """What is learned of a session that runs elsewhere as more of it comes. `first_message` is that of `started_at`."""

    agent: str | None
    agent_id: UUID | None
    metadata: dict[str, Any]
    started_at: datetime
    first_message: str
    conversation: ConversationRef | None


async def set_origin(tx: Tx, session_id: UUID, origin: Origin) -> None:
    """The earliest beginning decides whose it is and what was said first; of the rest what is known stays."""
    where = origin.conversation
    await tx.execute(
        """
        UPDATE sessions s SET
            agent = CASE WHEN o.decides AND $3::text IS NOT NULL THEN $3 ELSE coalesce(s.agent, $3) END,
            agent_id = CASE WHEN s.agent IS NULL OR o.decides AND $3::text IS NOT NULL THEN $4 ELSE s.agent_id END,
            metadata = $5::jsonb || s.metadata, started_at = least(s.started_at, $6),
            first_message = CASE WHEN $7 <> '' AND o.decides THEN $7 ELSE s.first_message END,
            project = coalesce(s.project, $8), conversation_id = coalesce(s.conversation_id, $9)
        FROM (SELECT n.tenant_id, n.id, n.source = 'otlp' AND $6 <= n.started_at AS decides
              FROM sessions n WHERE n.tenant_id = $1 AND n.id = $2) o
        WHERE s.tenant_id = o.tenant_id AND s.id = o.id
        """,
        tx.actor.tenant_id,
        session_id,
        origin.agent,
        origin.agent_id,
        origin.metadata,
        origin.started_at,
        origin.first_message,
        where.project if where else None,
        where.id if where else None,
    )


async def set_merged(tx: Tx, session_id: UUID, into: UUID) -> None:
    """What it counted is counted there from now on."""
    await tx.execute(
        """
        UPDATE sessions SET metadata = metadata || $3::jsonb, requests = 0, tool_calls = 0,
            input_tokens = 0, output_tokens = 0, cost = NULL, status = 'cancelled', ended_at = coalesce(ended_at, last_at)
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        session_id,
        {"merged_into": str(into)},
    )


async def set_link(tx: Tx, session_id: UUID, key: str, other: UUID) -> None:
    await tx.execute(
        "UPDATE sessions SET metadata = metadata || $3::jsonb WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        session_id,
        {key: str(other)},
    )


async def has_children(tx: Tx, session_id: UUID) -> bool:
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.parent_session_id = $2)",
        tx.actor.tenant_id,
        session_id,
    )
    return found


async def known_events(tx: Tx, session_id: UUID, event_ids: Sequence[UUID]) -> set[UUID]:
    """Those of the ids that the session has."""
    rows = await tx.fetch(
        "SELECT e.id FROM session_events e WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.id = ANY ($3)",
        tx.actor.tenant_id,
        session_id,
        list(event_ids),
    )
    return {row["id"] for row in rows}
