"""The marks of what is to be queued, sent and woken, the job that queues what was missed, and the end of old deliveries."""

from datetime import datetime, timedelta
from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.outside import Outside
from goldloop.kit.pagination import FIRST_ID
from goldloop.kit.queue import job, mark, periodic, set_marks
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces
from goldloop.webhooks import delivery_service, runner, service

AT_ONCE = 200  # events in one transaction
RECEIVERS = 64  # at once in a process: they mostly wait, and a slow one holds up no other
OF_ONE_WORKSPACE = (
    16  # of them: however many of its receivers do not answer, there is room for those of others
)
RECEIVERS_IN_ALL = 200
KEPT = timedelta(days=30)
TENANTS = 100
BATCH = 1000


@mark(delivery_service.SPREAD, at_once=AT_ONCE)
async def spread(tx: Tx, keys: list[str]) -> None:
    await delivery_service.spread(tx, list(map(UUID, keys)), now())


@mark(delivery_service.SEND, cap=RECEIVERS_IN_ALL, in_process=RECEIVERS, share=OF_ONE_WORKSPACE)
async def send(db: Database, actor: Actor, key: str, *, outside: Outside) -> None:
    await runner.send_due(db, outside, actor, UUID(key))


@mark(delivery_service.WAKE)
async def wake(tx: Tx, key: str) -> None:
    await set_marks(tx, delivery_service.SEND, key.split(" ")[:1])


@job(service.RECOVER)
async def recover(db: Database, actor: Actor, *, webhook_id: str, since: str, until: str) -> None:
    """A page at a time; again, after a crash: what is queued stays so."""
    clock = system_actor(actor.tenant_id)
    after = datetime.fromisoformat(since), FIRST_ID
    while True:
        async with db.tx(clock) as tx:
            found = await delivery_service.list_missed(tx, after, datetime.fromisoformat(until), BATCH)
            if not found:
                return
            await delivery_service.spread_to(tx, UUID(webhook_id), [each for _, each in found], now())
        after = found[-1]


@periodic("webhooks.prune", cron="29 * * * *")
async def prune(db: Database) -> None:
    """Forget deliveries after a month."""
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            gone = BATCH
            while gone == BATCH:
                async with db.tx(system_actor(tenant_id)) as tx:
                    gone = await delivery_service.forget(tx, now() - KEPT, BATCH)
        after = tenants[-1]
