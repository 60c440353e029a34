"""The tape of a replay, at the place where the replay is: whoever goes on with it, in whichever process, has the same. Infrastructure."""

from itertools import groupby
from typing import Any

from goldloop.evals.recorded import Call, read_session
from goldloop.evals.replay.tape import Asked, Tape
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.runtimes.model import ClaimedRun
from goldloop.runtimes.purpose_service import PURPOSES
from goldloop.sessions.whole_sessions import read_whole_session


async def load_tape(db: Database, outside: Outside, run: ClaimedRun) -> Tape:
    load = PURPOSES[run.session.purpose].tape
    assert load is not None
    tape = await load(db, outside, run)
    wind(tape, await read_whole_session(db, outside, run.actor, run.session))
    return tape


def wind(tape: Tape, replay: dict[str, Any]) -> None:
    """To behind the calls that were answered. A call whose end nobody knows is made again."""
    answered = [call for call in read_session(replay, "replay").calls if call.is_answered]
    for message, calls in groupby(answered, key=lambda call: call.message):
        _wind(tape, message, list(calls))


def _wind(tape: Tape, message: int, calls: list[Call]) -> None:
    asked = [
        Asked(id=f"{call.place}", name=call.name, arguments=call.arguments)
        for call in calls
        if call.source is not None  # what is no call of ours, or was refused, is on no tape
    ]
    replies = {reply.id: reply for reply in tape.answer(asked, message=("before", message))}
    for call in calls:
        reply = replies.get(f"{call.place}")
        if reply is not None and reply.to_run:
            tape.settle(reply.id, result=call.result, error=call.error)
