"""SQL of what replays of experiments know."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.goldens.runs.planning import Drawn
from goldloop.kit.db import Tx


async def set_drawn(tx: Tx, drawn: Sequence[tuple[UUID, Drawn]]) -> None:
    """What replays know that were planned just now."""
    await tx.execute(
        """
        UPDATE eval_replays p SET manifest = d.manifest, rows_applicable = d.applicable::uuid[], rows_present = d.present::uuid[],
            measures = d.measures
        FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[]) AS d (id, manifest, applicable, present, measures)
        WHERE p.tenant_id = $1 AND p.id = d.id
        """,
        tx.actor.tenant_id,
        [replay_id for replay_id, _ in drawn],
        [each.manifest for _, each in drawn],
        [_array(each.applicable) for _, each in drawn],
        [_array(each.present) for _, each in drawn],
        [each.measures for _, each in drawn],
    )


def _array(ids: Sequence[UUID]) -> str:
    """As PostgreSQL reads one: arrays of arrays all have one length."""
    return f"{{{','.join(map(str, ids))}}}"
