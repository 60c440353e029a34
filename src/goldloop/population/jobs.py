"""How sessions that fill in records are run: the purposes of one record and of many, and the mark by which many go on."""

from typing import NoReturn
from uuid import UUID

from goldloop.agents import system_service
from goldloop.agents.model import AgentConfig
from goldloop.agents.system_service import SystemAgent
from goldloop.kit.db import Database, Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark
from goldloop.population import demo_scripts, many_service, service
from goldloop.population.model import POPULATE, POPULATE_MANY, POPULATOR
from goldloop.runtimes import purpose_service as purposes
from goldloop.runtimes.model import RunPlan, Suspended
from goldloop.runtimes.purpose_service import Purpose
from goldloop.sessions import events


async def begin_many(db: Database, plan: RunPlan) -> NoReturn:
    async with db.tx(plan.actor) as tx:
        await many_service.begin(tx, plan.session.id)
    raise Suspended


@mark(many_service.MARK)
async def advance(tx: Tx, key: str) -> None:
    await many_service.advance(tx, UUID(key))


purposes.register(Purpose(name=POPULATE, brief=service.write, check=service.check, finish=service.finish))
purposes.register(Purpose(name=POPULATE_MANY, run=begin_many))

for _ended in (events.COMPLETED, events.FAILED, events.CANCELLED):
    listen(_ended.name, Listener(act=many_service.child_ended))
for _stopped in (events.FAILED, events.CANCELLED):
    listen(_stopped.name, Listener(act=many_service.parent_stopped))

assert demo_scripts.READER  # its models are there wherever sessions are run

system_service.register(
    SystemAgent(
        slug=POPULATOR,
        name="Field populator",
        description="Fills in the fields of records from what it is given to read, and says where each value comes from",
        config=AgentConfig(tool_groups=["entities-read"]),
    )
)
