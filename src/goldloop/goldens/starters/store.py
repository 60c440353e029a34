"""SQL of what is there of a starter set."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions.model import SessionStatus


class LoadedSession(NamedTuple):
    """A session of a starter set; `has_floor` is whether unchanged replays of it were counted."""

    id: UUID
    status: SessionStatus
    tries: bool
    is_golden: bool
    has_floor: bool


async def list_sessions(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, LoadedSession]:
    """Those that are there, by their ids."""
    rows = await tx.fetch(
        """
        SELECT s.id, s.status, coalesce(s.metadata -> 'trials' = 'true', false) AS tries, g.session_id IS NOT NULL AS is_golden,
               g.floor IS NOT NULL AS has_floor
        FROM sessions s LEFT JOIN goldens g ON g.tenant_id = s.tenant_id AND g.session_id = s.id
        WHERE s.tenant_id = $1 AND s.id = ANY($2)
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"]: LoadedSession(**{**row, "status": SessionStatus(row["status"])}) for row in rows}
