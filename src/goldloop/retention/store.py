"""SQL of retention: what is due, and what stays though it is."""

from datetime import datetime
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.retention.model import KeptLonger

MOST_COUNTED = 10_000  # of what is due: more are told apart by nobody
MOST_NAMED = 100

# Why a session stays. The first that holds is told.
_SESSION = """
    CASE WHEN s.metadata ?| ARRAY['golden', 'accepted_for'] THEN 'golden'
         WHEN s.id::text IN (
             SELECT m.meta ->> 'session_id' FROM entity_responses r, jsonb_each(r.field_meta) AS m (field, meta)
             WHERE r.tenant_id = $1 AND r.promoted_fields <> '{}' AND r.field_meta <> '{}' AND jsonb_typeof(m.meta) = 'object'
               AND m.meta ? 'session_id') THEN 'promoted'
         WHEN EXISTS (
             SELECT FROM feedback f JOIN shared_context_support u ON u.tenant_id = f.tenant_id AND u.feedback_id = f.id
             JOIN shared_context c ON c.tenant_id = u.tenant_id AND c.id = u.row_id
             WHERE f.tenant_id = $1 AND f.session_id = s.id AND c.active) THEN 'knowledge'
         WHEN EXISTS (
             SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.session_id = s.id AND f.status = 'pending') THEN 'open_feedback'
    END
"""
_SESSIONS_DUE = """
    s.tenant_id = $1 AND s.created_at < $2 AND s.last_at < $2 AND s.status IN ('completed', 'failed', 'cancelled', 'stalled')
"""
_CONVERSATION = """
    CASE WHEN EXISTS (
             SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.project = c.project AND s.conversation_id = c.id
               AND s.metadata ?| ARRAY['golden', 'accepted_for']) THEN 'golden'
         WHEN EXISTS (
             SELECT FROM feedback f JOIN shared_context_support u ON u.tenant_id = f.tenant_id AND u.feedback_id = f.id
             JOIN shared_context k ON k.tenant_id = u.tenant_id AND k.id = u.row_id
             WHERE f.tenant_id = $1 AND f.project = c.project AND f.conversation_id = c.id AND k.active) THEN 'knowledge'
         WHEN EXISTS (
             SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.project = c.project AND f.conversation_id = c.id
               AND f.status = 'pending') THEN 'open_feedback'
    END
"""
_EVENTS_DUE = "e.tenant_id = $1 AND e.created_at < $2 AND e.topic <> 'erasures'"
_WAITED_FOR = """
    EXISTS (SELECT FROM webhook_deliveries w WHERE w.tenant_id = $1 AND w.event_id = e.id AND w.status = 'waiting')
"""
_CONVERSATIONS_DUE = "c.tenant_id = $1 AND c.last_activity_at < $2"


async def list_sessions(tx: Tx, before: datetime, limit: int) -> list[UUID]:
    """Those that go, the oldest first."""
    rows = await tx.fetch(
        f"""
        SELECT s.id FROM sessions s WHERE {_SESSIONS_DUE} AND {_SESSION} IS NULL
        ORDER BY s.created_at, s.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        before,
    )
    return [row["id"] for row in rows]


async def list_conversations(tx: Tx, before: datetime, limit: int) -> list[tuple[str, str]]:
    rows = await tx.fetch(
        f"""
        SELECT c.project, c.id FROM conversations c WHERE {_CONVERSATIONS_DUE} AND {_CONVERSATION} IS NULL
        ORDER BY c.last_activity_at, c.project, c.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        before,
    )
    return [(row["project"], row["id"]) for row in rows]


async def list_kept_sessions(tx: Tx, before: datetime) -> list[KeptLonger]:
    rows = await tx.fetch(
        f"""
        SELECT d.why, count(*) AS count, (array_agg(d.id::text ORDER BY d.id))[1:{MOST_NAMED:d}] AS ids FROM (
            SELECT s.id, {_SESSION} AS why FROM sessions s WHERE {_SESSIONS_DUE}
            ORDER BY s.created_at, s.id LIMIT {MOST_COUNTED:d}) d
        WHERE d.why IS NOT NULL GROUP BY d.why ORDER BY d.why
        """,
        tx.actor.tenant_id,
        before,
    )
    return [KeptLonger(what="sessions", why=row["why"], count=row["count"], ids=row["ids"]) for row in rows]


async def list_kept_conversations(tx: Tx, before: datetime) -> list[KeptLonger]:
    rows = await tx.fetch(
        f"""
        SELECT d.why, count(*) AS count, (array_agg(d.place ORDER BY d.place))[1:{MOST_NAMED:d}] AS ids FROM (
            SELECT c.project || '/' || c.id AS place, {_CONVERSATION} AS why FROM conversations c WHERE {_CONVERSATIONS_DUE}
            ORDER BY c.last_activity_at, c.project, c.id LIMIT {MOST_COUNTED:d}) d
        WHERE d.why IS NOT NULL GROUP BY d.why ORDER BY d.why
        """,
        tx.actor.tenant_id,
        before,
    )
    return [
        KeptLonger(what="conversations", why=row["why"], count=row["count"], ids=row["ids"]) for row in rows
    ]


async def count_events(tx: Tx, before: datetime) -> int:
    count: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (
            SELECT FROM events e WHERE {_EVENTS_DUE} AND NOT {_WAITED_FOR} LIMIT {MOST_COUNTED:d}) d
        """,
        tx.actor.tenant_id,
        before,
    )
    return count


async def list_kept_events(tx: Tx, before: datetime) -> list[KeptLonger]:
    row = await tx.fetchrow(
        f"""
        SELECT count(*) AS count, (array_agg(d.id::text ORDER BY d.id))[1:{MOST_NAMED:d}] AS ids FROM (
            SELECT e.id FROM events e WHERE {_EVENTS_DUE} AND {_WAITED_FOR} ORDER BY e.created_at LIMIT {MOST_COUNTED:d}) d
        """,
        tx.actor.tenant_id,
        before,
    )
    assert row is not None
    found = KeptLonger(what="events", why="waiting_delivery", count=row["count"], ids=row["ids"] or [])
    return [found] if found.count else []


async def count_bodies(tx: Tx, before: datetime) -> int:
    count: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (
            SELECT FROM otel_batches b WHERE b.tenant_id = $1 AND b.received_at < $2 LIMIT {MOST_COUNTED:d}) d
        """,
        tx.actor.tenant_id,
        before,
    )
    return count


async def erase_old_events(tx: Tx, before: datetime, limit: int) -> int:
    gone: int = await tx.fetchval("SELECT erase_old_events($1, $2)", before, limit)
    return gone
