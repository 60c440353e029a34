"""Which replays people label now: what a judge says of those is shown to nobody."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.kit.db import Tx


async def list_labelled(tx: Tx, replay_ids: Sequence[UUID]) -> set[UUID]:
    """Those of replays that are in a sample which people label."""
    rows = await tx.fetch(
        """
        SELECT m.replay_id FROM eval_judge_sampled m
        JOIN eval_judge_samples s ON s.tenant_id = m.tenant_id AND s.id = m.sample_id
        WHERE m.tenant_id = $1 AND m.replay_id = ANY ($2) AND s.state = 'open'
        """,
        tx.actor.tenant_id,
        list(replay_ids),
    )
    return {row["replay_id"] for row in rows}
