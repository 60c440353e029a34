"""Pruning of what was counted."""

from datetime import timedelta

from goldloop.kit.clock import now
from goldloop.kit.db import Database
from goldloop.kit.queue import periodic
from goldloop.limits import store
from goldloop.limits.budgets import day_of
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces

COUNTS_KEPT = timedelta(hours=1)  # a process that counts renews its own within a minute
USAGE_KEPT = timedelta(days=92)
TENANTS = 1000


@periodic("limits.prune", cron="23 4 * * *")
async def prune(db: Database) -> None:
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            async with db.tx(system_actor(tenant_id)) as tx:
                await store.forget_counts(tx, COUNTS_KEPT)
                await store.forget_usage(tx, day_of(now() - USAGE_KEPT))
        after = tenants[-1]
