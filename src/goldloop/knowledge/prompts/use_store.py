"""SQL of what became of rows in prompts: sessions that had them, what these wrote, and rows that none has."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions.model import SessionStatus

MOST_COUNTED = 1000  # sessions of one row; beyond, counting costs more than it tells


class Ran(NamedTuple):
    """A session that had a row in its prompt; `cited` is whether it named the row in what it said."""

    id: UUID
    agent: str | None
    status: SessionStatus
    entity_id: UUID | None
    manifest: str
    cited: bool
    created_at: datetime


async def list_sessions(tx: Tx, row_id: UUID, before: tuple[object, UUID], limit: int) -> list[Ran]:
    """The newest first, without replays."""
    rows = await tx.fetch(
        f"""
        SELECT s.id, s.agent, s.status, s.entity_id, s.manifest, s.created_at, EXISTS (SELECT FROM shared_context_citations c
            WHERE c.tenant_id = $1 AND c.row_id = $2 AND c.session_id = s.id) AS cited
        FROM prompt_manifest_rows r
        CROSS JOIN LATERAL (
            SELECT n.id, n.agent, n.status, n.entity_id, n.manifest, n.created_at FROM sessions n
            WHERE n.tenant_id = $1 AND n.manifest = r.manifest AND n.purpose <> 'replay' AND (n.created_at, n.id) < ($3, $4)
            ORDER BY n.created_at DESC, n.id DESC LIMIT {limit:d}
        ) s
        WHERE r.tenant_id = $1 AND r.row_id = $2
        ORDER BY s.created_at DESC, s.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        row_id,
        *before,
    )
    return [
        Ran(
            row["id"],
            row["agent"],
            SessionStatus(row["status"]),
            row["entity_id"],
            row["manifest"],
            row["cited"],
            row["created_at"],
        )
        for row in rows
    ]


async def count_sessions(tx: Tx, ids: Sequence[UUID], since: datetime) -> list[tuple[UUID, int]]:
    """Sessions since a moment that had each of some rows in their prompts; each count ends at MOST_COUNTED."""
    rows = await tx.fetch(
        f"""
        SELECT i.id, a.count FROM unnest($2::uuid[]) AS i (id)
        CROSS JOIN LATERAL (
            SELECT count(*) AS count FROM (
                SELECT FROM prompt_manifest_rows r
                JOIN sessions s ON s.tenant_id = $1 AND s.manifest = r.manifest AND s.purpose <> 'replay' AND s.created_at >= $3
                WHERE r.tenant_id = $1 AND r.row_id = i.id LIMIT {MOST_COUNTED:d}
            ) f
        ) a
        """,
        tx.actor.tenant_id,
        list(ids),
        since,
    )
    return [(row["id"], row["count"]) for row in rows]


class WrittenField(NamedTuple):
    """A field whose value came from a response that was made in a session. `current` is whether it has it still."""

    session_id: UUID
    entity_id: UUID
    field: str
    response_id: UUID
    current: bool


async def list_fields(tx: Tx, sessions: Sequence[UUID], limit: int) -> list[WrittenField]:
    """What was promoted of what these sessions submitted."""
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT e.session_id, h.entity_id, h.field, h.response_id, s.history_id IS NOT NULL AS current
        FROM session_events e
        JOIN entity_field_history h ON h.tenant_id = $1 AND h.kind = 'promotion' AND h.response_id = CASE
            WHEN pg_input_is_valid(e.payload ->> 'response_id', 'uuid') THEN (e.payload ->> 'response_id')::uuid END
        LEFT JOIN entity_field_sources s
            ON s.tenant_id = $1 AND s.entity_id = h.entity_id AND s.field = h.field AND s.history_id = h.id
        WHERE e.tenant_id = $1 AND e.session_id = ANY ($2) AND e.type = 'response.submitted'
        ORDER BY e.session_id, h.entity_id, h.field LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        list(sessions),
    )
    return [WrittenField(*row) for row in rows]


async def list_unused(tx: Tx, since: datetime, limit: int) -> list[UUID]:
    """Active rows that have been as they are since then, that nobody has confirmed since, and that no prompt has had since: of
    a scope, whether or not it was made anew after knowledge changed last, or of a session."""
    rows = await tx.fetch(
        f"""
        SELECT c.id FROM shared_context c
        WHERE c.tenant_id = $1 AND c.active AND NOT c.pinned AND NOT 'unused' = ANY (c.flags)
          AND greatest(c.created_at, c.last_confirmed_at, c.read_at) < $2
          AND NOT EXISTS (SELECT FROM shared_context_history h WHERE h.tenant_id = $1 AND h.row_id = c.id AND h.at >= $2)
          AND NOT EXISTS (
            SELECT FROM prompt_manifest_rows r
            JOIN prompt_manifests m ON m.tenant_id = $1 AND m.hash = r.manifest
            WHERE r.tenant_id = $1 AND r.row_id = c.id AND (
                m.last_had_at >= $2
                OR EXISTS (SELECT FROM prompt_heads h WHERE h.tenant_id = $1 AND h.manifest = r.manifest)
                OR EXISTS (
                    SELECT FROM sessions s
                    WHERE s.tenant_id = $1 AND s.manifest = r.manifest AND s.purpose <> 'replay' AND s.created_at >= $2)))
        ORDER BY c.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        since,
    )
    return [row["id"] for row in rows]
