"""SQL of what a session had in its prompt."""

from uuid import UUID

from goldloop.kit.db import Tx


async def set_manifest(tx: Tx, session_id: UUID, manifest: str) -> None:
    await tx.execute(
        "UPDATE sessions SET manifest = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        session_id,
        manifest,
    )
