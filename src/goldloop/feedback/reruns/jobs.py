"""Trying again: a mark of each rejected response, so that any number of rejected values make one session."""

from uuid import UUID

from goldloop.agents.model import Runtime
from goldloop.feedback.reruns import service
from goldloop.kit.db import Actor, Database
from goldloop.kit.events import Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark
from goldloop.responses import events as responses
from goldloop.runtimes.model import MODELS, RunFailed
from goldloop.sessions import events as sessions

ANY_KEY = "set"  # what a model is asked for with: whether there is one, and not whether its key is right


@mark("feedback.rerun")
async def rerun(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    async with db.tx(actor) as tx:
        planned = await service.plan(tx, UUID(key))
    if planned is None:
        return
    try:
        if planned.config.runtime is Runtime.BUILT_IN:
            async with outside[MODELS](planned.config, ANY_KEY if planned.has_key else None):
                pass  # there is one
    except RunFailed as failure:
        async with db.tx(actor) as tx:
            missing = {"state": "not_started", "code": failure.code, "message": str(failure)}
            await service.say(tx, planned.rows, missing)
        return
    async with db.tx(actor) as tx:
        await service.begin(tx, planned)


listen(
    responses.RESULT_REJECTED.name,
    Listener(mark="feedback.rerun", keys=lambda event: [str(event.payload["response_id"])]),
)
for _ended in (sessions.COMPLETED, sessions.FAILED, sessions.CANCELLED):
    listen(_ended.name, Listener(act=service.ended))
