"""Jobs of workspaces."""

from datetime import datetime, timedelta
from uuid import UUID

from goldloop.kit import idempotency
from goldloop.kit.db import Database, Tx
from goldloop.kit.queue import job, periodic
from goldloop.tenants.auth import system_actor
from goldloop.tenants.keys import service as keys
from goldloop.tenants.sign_in import store as sign_in
from goldloop.tenants.workspaces import store as workspaces

IDEMPOTENCY_KEPT = timedelta(days=1)  # a client that retries does so within minutes
BATCH = 500


@job("tenants.record_key_use")
async def record_key_use(tx: Tx, *, key_id: str, at: str) -> None:
    await keys.record_use(tx, UUID(key_id), datetime.fromisoformat(at))


@periodic("tenants.prune", cron="17 * * * *")
async def prune(db: Database) -> None:
    """Delete expired sessions, invitations, attempts and idempotency keys."""
    async with db.anonymous() as connection:
        await sign_in.prune(connection)
    after = None
    while batch := await workspaces.ids(db, after, BATCH):
        for tenant_id in batch:
            async with db.tx(system_actor(tenant_id)) as tx:
                await idempotency.forget_old(tx, IDEMPOTENCY_KEPT)
        after = batch[-1]
