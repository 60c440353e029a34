"""SQL of what of sessions waits for a person, and of how those stand that are waited for."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions.model import WAITING_STATUSES, SessionStatus, WaitsFor
from goldloop.sessions.store import WAITS_FOR_PEOPLE


async def count_waiting_for_people(tx: Tx, waits_for: WaitsFor, most: int) -> int:
    """Counts no further than `most`."""
    counted: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (
            SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.status = ANY ($2) AND {WAITS_FOR_PEOPLE} LIMIT $3
        ) found
        """,
        tx.actor.tenant_id,
        list(WAITING_STATUSES[waits_for]),
        most,
    )
    return counted


async def heard_at(tx: Tx, session_id: UUID) -> datetime:
    """When something last came from it, by the database's clock."""
    at: datetime = await tx.fetchval(
        "SELECT s.heard_at FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2",
        tx.actor.tenant_id,
        session_id,
    )
    return at


async def statuses_of(tx: Tx, session_ids: Sequence[UUID]) -> dict[UUID, SessionStatus]:
    """In the order given; what is not there is left out."""
    rows = await tx.fetch(
        """
        SELECT s.id, s.status FROM unnest($2::uuid[]) WITH ORDINALITY AS g (id, place)
        JOIN sessions s ON s.tenant_id = $1 AND s.id = g.id ORDER BY g.place
        """,
        tx.actor.tenant_id,
        list(session_ids),
    )
    return {row["id"]: SessionStatus(row["status"]) for row in rows}
