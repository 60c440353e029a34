"""SQL of what replays of experiments know."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.goldens.runs.planning import Drawn
from goldloop.kit.db import Tx


async def set_drawn(tx: Tx, drawn: Sequence[tuple[UUID, Drawn]]) -> None:
    """What replays know that were planned just now."""
    await tx.executemany(
        """
        UPDATE eval_replays SET manifest = $3, rows_applicable = $4, rows_present = $5, measures = $6
        WHERE tenant_id = $1 AND id = $2
        """,
        [
            (tx.actor.tenant_id, replay_id, each.manifest, each.applicable, each.present, each.measures)
            for replay_id, each in drawn
        ],
    )
