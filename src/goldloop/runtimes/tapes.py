"""The tape of a replay, at the place where the replay is: whoever goes on with it, in whichever process, has the same.
Infrastructure.

The session's own events say where it is. What is read is kept for the calls to come: those of an agent elsewhere come one by
one, and the golden is not read again for each.
"""

import asyncio
from collections import OrderedDict
from uuid import UUID

from goldloop.evals.replay.playback import Playback
from goldloop.evals.replay.tape import Reply
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.runtimes.model import ClaimedRun
from goldloop.runtimes.purpose_service import PURPOSES
from goldloop.sessions.whole_sessions import read_events

KEPT = 32  # replays whose tapes are kept: far more than one process works on at once
WHOLE = ("tool.call", "tool.result")  # events that are needed with all of their payload


class _Player:
    """The tape of one replay; `seq` is that of the last event that it has followed."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.playback: Playback | None = None
        self.seq = 0
        self.replies: dict[UUID, Reply | None] = {}

    async def load(self, db: Database, outside: Outside, run: ClaimedRun) -> Playback:
        if self.playback is None:
            load = PURPOSES[run.session.purpose].tape
            assert load is not None
            tape = await load(db, outside, run)
            own = {tool.name for tool in run.tools}
            self.playback = Playback(tape, lambda name: name in own or tape.is_foreign(name))
        return self.playback

    async def follow(self, db: Database, outside: Outside, run: ClaimedRun) -> None:
        """To the last event that there is."""
        playback = await self.load(db, outside, run)
        events = await read_events(db, outside, run.actor, run.session.id, WHOLE, self.seq)
        try:
            for event in events:
                self.seq = event.seq
                reply = playback.follow(event.type, event.payload)
                if event.type == "tool.call":
                    self.replies[event.id] = reply
        except Exception:  # it is not known how far it came
            self.playback, self.seq, self.replies = None, 0, {}
            raise


_PLAYERS: OrderedDict[tuple[UUID, UUID], _Player] = OrderedDict()


def _player_of(run: ClaimedRun) -> _Player:
    key = run.actor.tenant_id, run.session.id
    player = _PLAYERS.setdefault(key, _Player())
    _PLAYERS.move_to_end(key)
    if len(_PLAYERS) > KEPT:
        _PLAYERS.popitem(last=False)
    return player


def is_replayed(run: ClaimedRun) -> bool:
    """Whether a tape answers its calls."""
    return PURPOSES[run.session.purpose].tape is not None


async def find_reply(db: Database, outside: Outside, run: ClaimedRun, call_event: UUID) -> Reply | None:
    """What becomes of a call that the session has recorded, by the id of its event; None where the agent has no such tool."""
    player = _player_of(run)
    async with player.lock:
        await player.follow(db, outside, run)
        return player.replies[call_event]


async def is_recorded_tool(db: Database, outside: Outside, run: ClaimedRun, name: str) -> bool:
    """Whether a replay has a tool that is not ours, whose answers were recorded."""
    player = _player_of(run)
    async with player.lock:
        return (await player.load(db, outside, run)).tape.is_foreign(name)
