"""SQL that reads what was said about replays."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.kit.db import Tx


async def list_waiting_replays(tx: Tx, replay_ids: Sequence[UUID]) -> list[UUID]:
    """Those about which something waits."""
    rows = await tx.fetch(
        """
        SELECT f.session_id FROM feedback f
        WHERE f.tenant_id = $1 AND f.source_key = ANY ($2) AND f.status = 'pending' ORDER BY f.session_id
        """,
        tx.actor.tenant_id,
        [f"replay:{replay_id}" for replay_id in replay_ids],
    )
    return [row["session_id"] for row in rows]
