"""SQL of agents' newest sessions."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions.model import LastSession, SessionStatus


async def list_last_of_agents(tx: Tx, agent_ids: Sequence[UUID]) -> dict[UUID, LastSession]:
    """The newest session of each of these agents; those that never ran are left out."""
    rows = await tx.fetch(
        """
        SELECT a.id AS agent_id, l.id, l.status, l.created_at, l.ended_at
        FROM unnest($2::uuid[]) a (id)
        CROSS JOIN LATERAL (
            SELECT s.id, s.status, s.created_at, s.ended_at FROM sessions s
            WHERE s.tenant_id = $1 AND s.agent_id = a.id AND s.purpose <> 'replay' AND s.purpose <> 'judging'
            ORDER BY s.created_at DESC, s.id DESC LIMIT 1
        ) l
        """,
        tx.actor.tenant_id,
        list(agent_ids),
    )
    return {
        row["agent_id"]: LastSession(
            id=row["id"],
            status=SessionStatus(row["status"]),
            created_at=row["created_at"],
            ended_at=row["ended_at"],
        )
        for row in rows
    }
