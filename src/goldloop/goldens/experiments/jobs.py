"""How experiments go on when their runs are over, and when values are greyed."""

from uuid import UUID

from goldloop.agents import events as agent_events
from goldloop.goldens.cases import events as case_events
from goldloop.goldens.experiments import end_service, staleness_service
from goldloop.goldens.runs import events as run_events
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark, periodic, set_marks
from goldloop.knowledge.rows import value_store as values
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces

TENANTS = 500  # that are looked at together


@mark(end_service.MEASURE)
async def measure(tx: Tx, key: str) -> None:
    await end_service.measure(tx, UUID(key))


@mark(staleness_service.RECHECK)
async def recheck(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    await _recheck(db, actor, outside)


async def _recheck(db: Database, actor: Actor, outside: Outside) -> None:
    after: UUID | None = staleness_service.FIRST
    while after is not None:
        async with db.tx(actor) as tx:
            after = await staleness_service.recheck(tx, after, outside.model)


@periodic("goldens.stale_values", cron="23 4 * * *")
async def recheck_all(db: Database, outside: Outside) -> None:
    """The installation's model may be another one, which no event tells."""
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            await _recheck(db, system_actor(tenant_id), outside)
        after = tenants[-1]


async def mark_values(tx: Tx, event: Event) -> None:
    """In the transaction that changes an agent or a golden: what was measured of it may hold no more."""
    if await values.has_any(tx):
        await set_marks(tx, staleness_service.RECHECK, ["workspace"])


for _over in (run_events.ENDED, run_events.CANCELLED):
    listen(_over.name, Listener(act=end_service.mark_over))
for _changed in (agent_events.CONFIGURED, case_events.PROMOTED, case_events.CHANGED, case_events.REVOKED):
    listen(_changed.name, Listener(act=mark_values))
