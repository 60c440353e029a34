"""SQL of sessions that are derived from what others send: how they go on, where they began, what they turn out to be part of."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.times import in_utc
from goldloop.sessions.event_store import event_from_row
from goldloop.sessions.model import Session, SessionEvent
from goldloop.sessions.store import COLUMNS, NewEvent, documents, from_row


async def lock_all(tx: Tx, ids: Sequence[UUID], external_ids: Sequence[str]) -> list[Session]:
    """By their ids, or by the names that whoever sends them gave them; nobody else changes them until the transaction ends,
    nor derives one of such a name. In one order, so that two who want the same ones never wait for each other."""
    if external_ids:
        await tx.execute(
            """
            SELECT pg_advisory_xact_lock(n.lock)
            FROM (SELECT DISTINCT hashtextextended('session ' || $1::uuid || e, 0) AS lock
                  FROM unnest($2::text[]) AS e ORDER BY lock) n
            """,
            tx.actor.tenant_id,
            list(external_ids),
        )
    rows = await tx.fetch(
        f"""
        SELECT {COLUMNS} FROM sessions s
        WHERE s.tenant_id = $1 AND (s.id = ANY ($2) OR s.external_id = ANY ($3))
        ORDER BY s.external_id, s.id FOR NO KEY UPDATE OF s
        """,
        tx.actor.tenant_id,
        list(ids),
        list(external_ids),
    )
    return [from_row(row) for row in rows]


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


async def insert_all(tx: Tx, sessions: Sequence[Session]) -> set[UUID]:
    """In the order of their external ids, so that two who make the same ones wait for each other in one order; returns the
    ids of those whose external id was free."""
    rows = await tx.fetch(
        """
        INSERT INTO sessions (tenant_id, id, external_id, type, status, source, purpose, agent, agent_id, project,
            conversation_id, input, metadata, created_at, started_at, last_at, created_by_kind, created_by_id)
        SELECT $1, n.id, n.external_id, n.type, n.status, n.source, n.purpose, n.agent, n.agent_id, n.project,
               n.conversation_id, n.input, n.metadata, n.created_at, n.started_at, n.last_at, $3, $4
        FROM jsonb_to_recordset($2) AS n (id uuid, external_id text, type text, status text, source text, purpose text,
            agent text, agent_id uuid, project text, conversation_id text, input jsonb, metadata jsonb,
            created_at timestamptz, started_at timestamptz, last_at timestamptz)
        ORDER BY n.external_id
        ON CONFLICT DO NOTHING RETURNING id
        """,
        tx.actor.tenant_id,
        [_as_row(session) for session in sessions],
        tx.actor.kind,
        tx.actor.id,
    )
    return {row["id"] for row in rows}


def _as_row(session: Session) -> dict[str, Any]:
    where = session.conversation
    return {
        "id": session.id,
        "external_id": session.external_id,
        "type": session.type,
        "status": session.status,
        "source": session.source,
        "purpose": session.purpose,
        "agent": session.agent,
        "agent_id": session.agent_id,
        "project": where.project if where else None,
        "conversation_id": where.id if where else None,
        "input": session.input,
        "metadata": session.metadata,
        "created_at": in_utc(session.created_at),
        "started_at": in_utc(session.started_at) if session.started_at else None,
        "last_at": in_utc(session.last_at),
    }


async def set_origins(tx: Tx, sessions: Sequence[Session]) -> None:
    """What is learned of sessions, locked, that run elsewhere. Of one without a first message what is there stays."""
    await tx.execute(
        """
        UPDATE sessions s SET agent = n.agent, agent_id = n.agent_id, metadata = n.metadata || s.metadata, started_at = n.started_at,
            first_message = coalesce(nullif(n.first_message, ''), s.first_message),
            project = n.project, conversation_id = n.conversation_id
        FROM jsonb_to_recordset($2) AS n (id uuid, agent text, agent_id uuid, metadata jsonb, started_at timestamptz,
            first_message text, project text, conversation_id text)
        WHERE s.tenant_id = $1 AND s.id = n.id
        """,
        tx.actor.tenant_id,
        [_as_row(session) | {"first_message": session.first_message} for session in sessions],
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


async def known_events(tx: Tx, pairs: Sequence[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """Those of the pairs of a session and an event's id that are there."""
    rows = await tx.fetch(
        """
        SELECT e.session_id, e.id FROM unnest($2::uuid[], $3::uuid[]) AS n (session_id, id)
        JOIN session_events e ON e.tenant_id = $1 AND e.session_id = n.session_id AND e.id = n.id
        """,
        tx.actor.tenant_id,
        [session_id for session_id, _ in pairs],
        [event_id for _, event_id in pairs],
    )
    return {(row["session_id"], row["id"]) for row in rows}


class Addition(NamedTuple):
    """What is to be added to a session: events, and the words that it is found by."""

    session_id: UUID
    events: Sequence[NewEvent]
    words: Sequence[str]


async def append_all(tx: Tx, additions: Sequence[Addition]) -> None:
    """To several sessions, which may be over, in one statement."""
    await tx.execute(
        """
        SELECT a.outcome FROM jsonb_to_recordset($1) AS n (id uuid, events jsonb, words text[]),
            LATERAL append_session_events(n.id, n.events, n.words, NULL, true, NULL) a
        """,
        [
            {"id": each.session_id, "events": documents(each.events), "words": each.words}
            for each in additions
        ],
    )


async def list_events_of_type(
    tx: Tx, session_id: UUID, kind: str, after: int, limit: int
) -> list[SessionEvent]:
    """By `seq`, from after a given one."""
    rows = await tx.fetch(
        f"""
        SELECT e.seq, e.id, e.type, e.at, e.payload, e.blob IS NULL AS whole FROM session_events e
        WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.seq > $3 AND e.type = $4 ORDER BY e.seq LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        session_id,
        after,
        kind,
    )
    return [event_from_row(row) for row in rows]
