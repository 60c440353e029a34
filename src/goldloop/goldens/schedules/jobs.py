"""How sessions of tasks that replay a set are run: they begin an eval run and wait for it."""

from typing import NoReturn
from uuid import UUID

from goldloop.goldens.runs import events as run_events
from goldloop.goldens.schedules import service
from goldloop.kit.db import Database, Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.queue import mark
from goldloop.runtimes import purpose_service as purposes
from goldloop.runtimes.model import RunPlan, Suspended
from goldloop.runtimes.purpose_service import Purpose
from goldloop.sessions import events as session_events
from goldloop.sessions.beginning import EVAL_RUN
from goldloop.tenants.auth.actors import system_actor


async def begin(db: Database, plan: RunPlan) -> NoReturn:
    """By nobody: an agent may not begin runs, and whoever made the task may have left since."""
    async with db.tx(system_actor(plan.actor.tenant_id)) as tx:
        await service.begin(tx, plan.session)
    raise Suspended


@mark(service.STOP)
async def stop(tx: Tx, key: str) -> None:
    await service.stop(tx, UUID(key))


purposes.register(Purpose(name=EVAL_RUN, run=begin))
for _over in (run_events.ENDED, run_events.CANCELLED):
    listen(_over.name, Listener(act=service.end_with_run))
for _stopped in (session_events.FAILED, session_events.CANCELLED):
    listen(_stopped.name, Listener(act=service.stop_with_session))
