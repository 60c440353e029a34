"""SQL that finds what feedback came from: the session in which something was made, and what was made after."""

from datetime import datetime
from uuid import UUID

from goldloop.kit.db import Tx

MOST_AT_ONCE = 20  # sessions of one agent that run at the same time, the newest


async def find_next_attempt(tx: Tx, response_id: UUID, since: datetime) -> UUID | None:
    """A response that was made from another one since a time."""
    found: UUID | None = await tx.fetchval(
        """
        SELECT r.id FROM entity_responses r
        WHERE r.tenant_id = $1 AND r.parent_response_id = $2 AND r.created_at >= $3 ORDER BY r.created_at, r.id LIMIT 1
        """,
        tx.actor.tenant_id,
        response_id,
        since,
    )
    return found


async def session_making(tx: Tx, agent_id: UUID, response_id: UUID, at: datetime) -> UUID | None:
    """The session of an agent in which a response was submitted at a time, of those that ran then."""
    found: UUID | None = await tx.fetchval(
        f"""
        SELECT ran.id FROM (
            SELECT s.id, s.created_at FROM sessions s
            WHERE s.tenant_id = $1 AND s.agent_id = $2 AND s.purpose <> 'replay' AND s.purpose <> 'judging' AND s.created_at <= $4
              AND (s.ended_at IS NULL OR s.ended_at >= $4)
            ORDER BY s.created_at DESC LIMIT {MOST_AT_ONCE:d}
        ) ran
        WHERE EXISTS (
            SELECT FROM session_events e WHERE e.tenant_id = $1 AND e.session_id = ran.id
              AND e.type = 'response.submitted' AND e.payload ->> 'response_id' = $3)
        ORDER BY ran.created_at DESC LIMIT 1
        """,
        tx.actor.tenant_id,
        agent_id,
        str(response_id),
        at,
    )
    return found
