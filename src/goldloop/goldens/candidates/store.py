"""SQL that reads candidates: two queries, however many there are."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.goldens.candidates.dedup import Complaint
from goldloop.kit.db import Tx
from goldloop.sessions.beginning import REPLAY
from goldloop.tenants.parties.store import name_sql


async def list_complaints(tx: Tx, limit: int) -> list[Complaint]:
    """Negative feedback that waits and that is about a response or a session of an agent, newest first. What a run of evals says
    itself is none."""
    rows = await tx.fetch(
        f"""
        SELECT f.id, f.session_id, f.agent_id, CASE WHEN s.agent_id = f.agent_id THEN s.agent END AS agent_slug,
               {name_sql("$1", "'agent'", "f.agent_id")} AS agent_name, f.comment, f.created_at
        FROM feedback f JOIN sessions s ON s.tenant_id = f.tenant_id AND s.id = f.session_id
        WHERE f.tenant_id = $1 AND f.rating = 'negative' AND f.status = 'pending' AND f.agent_id IS NOT NULL
          AND f.source_type IN ('response', 'session') AND f.source_key NOT LIKE 'replay:%' AND s.purpose <> $2
        ORDER BY f.created_at DESC, f.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        REPLAY,
    )
    return [Complaint(*row) for row in rows]


class FirstMessage(NamedTuple):
    """The payload of what a user said first. Of a large one it is a preview, and `blob` the name of the whole, which is its
    hash."""

    payload: dict[str, Any]
    blob: str | None


async def first_messages(tx: Tx, session_ids: Sequence[UUID]) -> dict[UUID, FirstMessage]:
    """In each session that has one."""
    rows = await tx.fetch(
        """
        SELECT w.id, m.payload, m.blob FROM unnest($2::uuid[]) AS w (id) CROSS JOIN LATERAL (
            SELECT e.payload, e.blob FROM session_events e
            WHERE e.tenant_id = $1 AND e.session_id = w.id AND e.type = 'user.message' ORDER BY e.seq LIMIT 1
        ) m
        """,
        tx.actor.tenant_id,
        list(session_ids),
    )
    return {row["id"]: FirstMessage(row["payload"], row["blob"]) for row in rows}
