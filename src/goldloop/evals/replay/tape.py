"""The single source of what answers a tool call in a replay. Pure: what has to be run is left to the caller, who tells the
tape what came of it.

The ladder: (1) the same key in the same epoch, the first unused; (2) the same key, the first unused; (3) for reads, the same key
again although it is used up; (4) the same in sibling tapes, other recordings of the golden; then what this replay itself has
read. What is left is a miss: by mode and tool it is run, run dry, or answered with an error. Nothing is answered by a
recording that is only nearly the same.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from goldloop.evals.model import UNKNOWN, ToolShape
from goldloop.evals.recorded import Tools, read_tools
from goldloop.evals.replay.keys import call_key
from goldloop.evals.replay.recordings import NO_RECORDING, Recording, nearest, read_recordings

REPLAY_MISS = "replay_miss"


class Mode(StrEnum):
    FROZEN = "frozen"  # recordings alone
    HYBRID = "hybrid"  # what no recording answers is read live; writes are tried and rolled back
    LIVE = "live"  # reads are live, writes are tried and rolled back


class Source(StrEnum):
    """Where an answer came from; sessions have it beside the result as `answered_by`."""

    TAPE = "tape"
    SIBLING = "sibling"
    LIVE = "live"
    DRY = "dry"
    MISS = NO_RECORDING


class OnMiss(StrEnum):
    """What becomes of a call of somebody else's tool that no recording answers."""

    ERROR = "error_result"
    STATIC = "static"
    LIVE = "live"  # only of a tool that says that it only reads


class ReplayTool(msgspec.Struct, frozen=True, kw_only=True):
    """`foreign` tools are not ours: nobody can run one dry, and one that is `absent` not at all. An `unsafe` one is never run,
    not even to read."""

    shape: ToolShape = UNKNOWN
    foreign: bool = False
    absent: bool = False
    unsafe: bool = False
    on_miss: OnMiss = OnMiss.ERROR
    static: Any = None


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A call of the replay."""

    id: str
    name: str
    arguments: Any


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a call. `to_run`: the caller runs it (live) or tries it in a transaction that is rolled back (dry), and
    tells the tape by `settle`. `rung` is that of the ladder, `nearest` the recording to show beside a miss."""

    id: str
    source: Source
    to_run: bool = False
    result: Any = None
    error: Any = None
    rung: int | None = None
    recording: Recording | None = None
    nearest: Recording | None = None


class _Reel:
    """Recordings by key, and which of them have been played."""

    def __init__(self, recordings: Iterable[Recording]) -> None:
        self.recordings = list(recordings)
        self.by_key: dict[str, list[int]] = defaultdict(list)
        for place, recording in enumerate(self.recordings):
            self.by_key[recording.key].append(place)
        self.used: set[int] = set()

    def add(self, recording: Recording) -> None:
        self.by_key[recording.key].append(len(self.recordings))
        self.recordings.append(recording)

    def find(self, key: str, epoch: int, rung: int) -> Recording | None:
        places = self.by_key.get(key, ())
        if rung == 3:
            return self.recordings[places[-1]] if places else None
        for place in places:
            if place not in self.used and (rung == 2 or self.recordings[place].epoch == epoch):
                self.used.add(place)
                return self.recordings[place]
        return None


class Tape:
    """The recordings of one golden, played once for one replay."""

    def __init__(
        self,
        recordings: Sequence[Recording],
        *,
        tools: Mapping[str, ReplayTool] | None = None,
        siblings: Sequence[Sequence[Recording]] = (),
        mode: Mode = Mode.HYBRID,
    ) -> None:
        self.mode = mode
        self.tools = dict(tools or {})
        self.epoch = 0
        self._message: tuple[Hashable, int] = (None, 0)
        self.reads_asked = 0
        self.reads_missed = 0
        self._known = Tools({name: tool.shape for name, tool in self.tools.items()})
        self._reel = _Reel(recordings)
        self._siblings = [_Reel(each) for each in siblings]
        self._own = _Reel(())
        self._pending: dict[str, Asked] = {}

    @property
    def fidelity(self) -> float | None:
        """The share of reads that were answered; None before there is one."""
        return 1 - self.reads_missed / self.reads_asked if self.reads_asked else None

    def is_foreign(self, name: str) -> bool:
        """A tool that was recorded and is not ours."""
        tool = self.tools.get(name)
        return tool is not None and tool.foreign

    def answer(self, calls: Sequence[Asked], *, message: Hashable = None) -> list[Reply]:
        """One message of the agent: its calls are made at once, and none of them sees what another writes. Where they come one
        by one, `message` says that they belong together."""
        if message is None or message != self._message[0]:
            self._message = (message, self.epoch)
        replies = [self._answer(call) for call in calls]
        for call, reply in zip(calls, replies, strict=True):
            if reply.to_run:
                self._pending[call.id] = call
            elif reply.source is not Source.MISS and reply.error is None and self._known.writes(call.name):
                self.epoch += 1
        return replies

    def settle(self, call_id: str, *, result: Any = None, error: Any = None) -> None:
        """What came of a call that was left to the caller. A read is kept, so that the same again is answered the same; a
        write that would have worked begins an epoch."""
        call = self._pending.pop(call_id)
        if self._known.writes(call.name):
            self.epoch += error is None
            return
        self._own.add(
            Recording(
                key=self._key(call),
                name=call.name,
                arguments=call.arguments,
                epoch=self.epoch,
                result=result,
                error=error,
            )
        )

    def _key(self, call: Asked) -> str:
        return call_key(call.name, call.arguments, self._known.shape(call.name))

    def _answer(self, call: Asked) -> Reply:
        writes = self._known.writes(call.name)
        self.reads_asked += not writes
        reply = self._decide(call, self.tools.get(call.name) or ReplayTool(foreign=True), writes)
        self.reads_missed += reply.source is Source.MISS and not writes
        return reply

    def _decide(self, call: Asked, tool: ReplayTool, writes: bool) -> Reply:
        if self.mode is Mode.LIVE and tool.unsafe:
            return Reply(id=call.id, source=Source.MISS, error=f"{call.name} is not safe to run in a replay")
        plays = self.mode is not Mode.LIVE or tool.foreign
        if plays and (found := self._from_recordings(call, writes)):
            return found
        if self.mode is Mode.FROZEN or tool.unsafe:
            return self._miss(call)
        if tool.foreign:
            return self._foreign(call, tool)
        return Reply(id=call.id, source=Source.DRY if writes else Source.LIVE, to_run=True)

    def _foreign(self, call: Asked, tool: ReplayTool) -> Reply:
        if tool.on_miss is OnMiss.STATIC:
            return Reply(id=call.id, source=Source.TAPE, result=tool.static)
        asks_live = tool.on_miss is OnMiss.LIVE or self.mode is Mode.LIVE
        if asks_live and tool.shape.writes is False and not tool.absent:
            return Reply(id=call.id, source=Source.LIVE, to_run=True)
        return self._miss(call)

    def _from_recordings(self, call: Asked, writes: bool) -> Reply | None:
        key = self._key(call)
        rungs = (1, 2) if writes else (1, 2, 3)
        for rung in rungs:
            if found := self._reel.find(key, self._message[1], rung):
                return _played(call, found, Source.TAPE, rung)
        for rung in rungs:
            for sibling in self._siblings:
                if found := sibling.find(key, self._message[1], rung):
                    return _played(call, found, Source.SIBLING, 4)
        if not writes and (found := self._own.find(key, self._message[1], 3)):
            return _played(call, found, Source.LIVE, None)
        return None

    def _miss(self, call: Asked) -> Reply:
        every = [r for reel in (self._reel, *self._siblings) for r in reel.recordings]
        return Reply(
            id=call.id,
            source=Source.MISS,
            error=f"{REPLAY_MISS}: no recording answers this call of {call.name}",
            rung=5,
            nearest=nearest(call.name, call.arguments, every),
        )


def _played(call: Asked, recording: Recording, source: Source, rung: int | None) -> Reply:
    return Reply(
        id=call.id,
        source=source,
        result=recording.result,
        error=recording.error,
        rung=rung,
        recording=recording,
    )


def tape_of(
    golden: Mapping[str, Any],
    *,
    tools: Mapping[str, ReplayTool] | None = None,
    siblings: Sequence[Mapping[str, Any]] = (),
    mode: Mode = Mode.HYBRID,
) -> Tape:
    """The tape of a golden session, with other recordings of it. What the golden says about its tools counts where the
    caller says nothing."""
    stated = read_tools(golden.get("tools"), "golden.tools")
    every = {
        **{name: ReplayTool(shape=shape, foreign=True) for name, shape in stated.items()},
        **(tools or {}),
    }
    shapes = {name: tool.shape for name, tool in every.items()}
    return Tape(
        read_recordings(golden, shapes),
        tools=every,
        siblings=[read_recordings(each, shapes) for each in siblings],
        mode=mode,
    )
