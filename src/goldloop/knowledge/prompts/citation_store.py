"""SQL of which rows sessions named in what they said. The only writer of `shared_context_citations`."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from goldloop.kit.db import Tx


async def insert(tx: Tx, session_id: UUID, rows: Sequence[UUID], at: datetime) -> list[UUID]:
    """Those that are there still and that the session had not named before."""
    found = await tx.fetch(
        """
        INSERT INTO shared_context_citations (tenant_id, row_id, session_id, cited_at)
        SELECT $1::uuid, c.id, $3::uuid, $4::timestamptz FROM shared_context c WHERE c.tenant_id = $1 AND c.id = ANY ($2)
        ON CONFLICT DO NOTHING RETURNING row_id
        """,
        tx.actor.tenant_id,
        list(rows),
        session_id,
        at,
    )
    return sorted(row["row_id"] for row in found)


async def list_of_session(tx: Tx, session_id: UUID) -> list[UUID]:
    rows = await tx.fetch(
        """
        SELECT c.row_id FROM shared_context_citations c WHERE c.tenant_id = $1 AND c.session_id = $2
        ORDER BY c.row_id LIMIT 200
        """,
        tx.actor.tenant_id,
        session_id,
    )
    return [row["row_id"] for row in rows]


async def list_answers(tx: Tx, session_id: UUID, limit: int) -> list[str]:
    """What the agent of a session said, the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT e.payload ->> 'text' AS text FROM session_events e
        WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.type = 'agent.message' AND e.payload ->> 'text' IS NOT NULL
        ORDER BY e.seq DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        session_id,
    )
    return [row["text"] for row in rows]
