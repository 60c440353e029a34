"""Pruning of what workspaces keep for a while."""

from datetime import timedelta

from goldloop.kit import idempotency
from goldloop.kit.db import Database
from goldloop.kit.queue import periodic
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.sign_in import store as sign_in
from goldloop.tenants.workspaces import store as workspaces

IDEMPOTENCY_KEPT = timedelta(days=1)  # a client that retries does so within minutes
BATCH = 500


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
