"""How replays are run and compared. Infrastructure beside its registrations."""

import asyncio
from functools import cache
from typing import Any
from uuid import UUID

import msgspec

from goldloop.evals.comparison.sessions import Similarity
from goldloop.evals.model import InvalidSession, ToolShape
from goldloop.evals.replay.schemas import shape_of
from goldloop.evals.replay.tape import Mode, Tape
from goldloop.evals.stats.counting import ReplayOutcome
from goldloop.goldens.judging import service as judging
from goldloop.goldens.model import GoldenNotFound
from goldloop.goldens.replays import service
from goldloop.goldens.replays.judgement import judge
from goldloop.goldens.replays.snapshots import as_golden, make_tape
from goldloop.goldens.runs import end_service
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs.model import ReplayContext
from goldloop.goldens.runs.replay_store import ReplayResult
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.events import Listener, listen
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark
from goldloop.kit.tools import TOOLS
from goldloop.runtimes import purpose_service as purposes
from goldloop.runtimes.model import ClaimedRun
from goldloop.runtimes.purpose_service import Purpose
from goldloop.sessions import events as session_events
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import REPLAY
from goldloop.sessions.model import Session
from goldloop.sessions.whole_sessions import PayloadLost, read_whole_session
from goldloop.tenants.auth.actors import system_actor

NOT_COMPARED = "It could not be compared"
LOST = "the blob store does not have all of the golden or of the replay any more"
ERROR_CHARACTERS = 500


async def load_tape(db: Database, outside: Outside, run: ClaimedRun) -> Tape:
    """What the golden recorded, the sessions that are accepted in its place, and replays that passed before its run began."""
    reader = system_actor(run.actor.tenant_id)  # the agent itself may not read goldens
    async with db.reading().tx(reader) as tx:
        golden = await service.access_frozen(tx, service.golden_id_of(run.session))
        session = await sessions.access(tx, golden.id)
        siblings = [await sessions.access(tx, each) for each in await runs.list_siblings(tx, run.session.id)]
    recorded = await read_whole_session(db, outside, reader, session)
    return make_tape(
        recorded,
        [await read_whole_session(db, outside, reader, each) for each in siblings],
        golden.snapshot,
        run.tools,
        {tool.name: msgspec.json.schema(tool.arguments) for tool in run.tools},
        Mode(run.session.metadata.get("eval_mode", Mode.HYBRID)),
    )


@cache
def own_shapes() -> dict[str, ToolShape]:
    """Of all our tools; which there are stays the same while the process runs."""
    return {
        tool.name: shape_of(msgspec.json.schema(tool.arguments), writes=tool.writes)
        for tool in TOOLS.values()
    }


async def give_up(tx: Tx, key: str, reason: str) -> None:
    """A replay that cannot be compared: its run does not wait for it."""
    error = f"{NOT_COMPARED}: {reason}"[:ERROR_CHARACTERS]
    await end_service.take_in(tx, UUID(key), ReplayResult(ReplayOutcome.ERROR, error=error))


@mark(service.COMPARE, max_attempts=10, give_up=give_up)
async def compare(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    """What a replay that is over came to beside its golden. What will be no better next time is no result at once."""
    try:
        await _compare(db, actor, UUID(key), outside)
    except (GoldenNotFound, PayloadLost, InvalidSession) as error:
        async with db.tx(actor) as tx:
            await give_up(tx, key, str(error) or LOST)


async def _compare(db: Database, actor: Actor, replay_id: UUID, outside: Outside) -> None:
    async with db.reading().tx(actor) as tx:
        replay = await sessions.access(tx, replay_id)
        golden = await service.access_frozen(tx, service.golden_id_of(replay))
        frozen = [await sessions.access(tx, each) for each in (golden.id, *golden.alternatives)]
    recorded = [await read_whole_session(db, outside, actor, each) for each in (*frozen, replay)]
    wanted = as_golden(
        recorded[0],
        recorded[1:-1],
        snapshot=golden.snapshot,
        effects=golden.effects,
        facts=golden.facts,
        criteria=service.criteria_of(golden),
        own=own_shapes(),
    )
    error = (replay.error.code, replay.error.message) if replay.error else None
    similarity = await _similarity(outside, wanted, recorded[-1], error)
    result = await asyncio.to_thread(judge, wanted, recorded[-1], error, similarity)
    result = result._replace(
        tokens=replay.input_tokens + replay.output_tokens,
        cost=replay.cost,
        seconds=_seconds(replay),
        revision=golden.revision,
    )
    async with db.tx(actor) as tx:
        counted = await end_service.take_in(tx, replay_id, result)
        if (
            counted and replay.metadata.get("eval_context") != ReplayContext.DRAWN
        ):  # no value depends on a judge
            await judging.ask(tx, replay_id, golden.criteria_set_id, result.outcome)


def _seconds(session: Session) -> float | None:
    if session.started_at is None or session.ended_at is None:
        return None
    return (session.ended_at - session.started_at).total_seconds()


async def _similarity(
    outside: Outside, golden: dict[str, Any], replay: dict[str, Any], error: tuple[str, str] | None
) -> Similarity:
    """By meaning, of the texts that the comparison asks for."""
    asked: list[str] = []

    def ask(a: str, b: str) -> float:
        asked.extend((a, b))
        return 0.0

    await asyncio.to_thread(judge, golden, replay, error, ask)
    texts = list(dict.fromkeys(asked))
    found = (await outside.embedder.embed(texts)).vectors if texts else ()
    vectors = dict(zip(texts, found, strict=True))
    return lambda a, b: min(max(float(vectors[a] @ vectors[b]), 0.0), 1.0)


purposes.register(Purpose(name=REPLAY, brief=service.write, prompt=service.load_prompt, tape=load_tape))
for _ended in (session_events.COMPLETED, session_events.FAILED, session_events.CANCELLED):
    listen(_ended.name, Listener(act=service.mark_ended))
