"""What runs have in their prompts, what sessions elsewhere say that they had, what sessions named of it, and what none has."""

from uuid import UUID

from goldloop.kit.clock import now
from goldloop.kit.db import Database, Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark, periodic
from goldloop.knowledge.prompts import service, use_service
from goldloop.runtimes import prompt_service
from goldloop.sessions import events
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces

TENANTS = 500  # that are looked at together


@mark(use_service.CITATIONS)
async def take_in_citations(tx: Tx, key: str) -> None:
    await use_service.take_in_citations(tx, UUID(key))


@periodic("knowledge.unused", cron="41 3 * * *")
async def flag_unused(db: Database) -> None:
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            found = use_service.MOST_UNUSED
            while found == use_service.MOST_UNUSED:
                async with db.tx(system_actor(tenant_id)) as tx:
                    found = await use_service.flag_unused(tx, now())
        after = tenants[-1]


prompt_service.register(service.load_for_run)
listen(events.CREATED.name, Listener(act=service.check_manifest))
listen(events.COMPLETED.name, Listener(act=use_service.note_citations))
