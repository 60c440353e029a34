"""How replays are judged, and the agent that every workspace has for it. Infrastructure beside its registrations."""

from uuid import UUID

from goldloop.agents import system_service
from goldloop.agents.model import AgentConfig, Limits
from goldloop.agents.system_service import SystemAgent
from goldloop.goldens.judges.model import JUDGE
from goldloop.goldens.judging import service
from goldloop.goldens.rubrics import write_message
from goldloop.kit.db import Actor, Database
from goldloop.kit.events import Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark
from goldloop.runtimes import purpose_service as purposes
from goldloop.runtimes.purpose_service import Purpose
from goldloop.sessions import events
from goldloop.sessions.beginning import JUDGING
from goldloop.sessions.whole_sessions import PayloadLost, read_whole_session

LOST = "events_lost: the blob store does not have all of the replay any more"


@mark(service.MARK, max_attempts=10)
async def begin(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    """Have a replay judged that was compared."""
    replay_id = UUID(key)
    async with db.tx(actor) as tx:
        question = await service.find_question(tx, replay_id, outside.model)
    if question is None:
        return
    try:
        replay = await read_whole_session(db, outside, actor, question.replay)
    except PayloadLost:
        async with db.tx(actor) as tx:
            await service.give_up(tx, replay_id, LOST)
        return
    async with db.tx(actor) as tx:
        await service.begin(tx, question, write_message(question.snapshot, replay))


purposes.register(
    Purpose(
        name=JUDGING,
        brief=service.write,
        check=service.check,
        finish=service.finish,
        prompt=service.load_prompt,
    )
)
for _ended in (events.FAILED, events.CANCELLED):
    listen(_ended.name, Listener(act=service.take_in_end))

system_service.register(
    SystemAgent(
        slug=JUDGE,
        name="Eval judge",
        description="Judges replays by the rubric of their golden, and changes nothing",
        config=AgentConfig(limits=Limits(requests=5, tool_calls=0, tokens=100_000, seconds=120)),
    )
)
