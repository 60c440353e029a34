"""SQL of live updates: what was emitted of late, and who looks. `live_watchers` is written by `watch_tenant` alone."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx


async def newest_events(tx: Tx, within: timedelta, limit: int) -> list[Any]:
    """Ids, topics and subjects of what was emitted of late, newest first."""
    return await tx.fetch(
        """
        SELECT id, topic, event_subjects(tenant_id, subject_id, payload) AS subjects
        FROM events WHERE tenant_id = $1 AND created_at > now() - $2::interval
        ORDER BY created_at DESC LIMIT $3
        """,
        tx.actor.tenant_id,
        within,
        limit,
    )


async def watch(tx: Tx, watcher: UUID, until: timedelta) -> None:
    """Somebody looks at the transaction's tenant for so long."""
    await tx.execute("SELECT watch_tenant($1, $2)", watcher, until)


async def check_alive(connection: Any, seconds: float) -> None:
    """Raises when the connection does not answer in time."""
    await connection.fetchval("SELECT 1", timeout=seconds)


async def newest_event_ages(connection: Any, tenants: Sequence[UUID]) -> dict[UUID, float]:
    """How many seconds ago each tenant's newest event was emitted; for the worker's role."""
    rows = await connection.fetch("SELECT tenant_id, seconds FROM newest_event_ages($1)", list(tenants))
    return {row["tenant_id"]: row["seconds"] for row in rows}
