"""What a session recorded of its tool calls, as a tape plays it. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from goldloop.evals.arguments import canonical, leaves
from goldloop.evals.model import ToolShape
from goldloop.evals.recorded import Call, Tools, read_session
from goldloop.evals.replay.keys import call_key

NO_RECORDING = "miss"  # what `answered_by` says of a call that no recording answered


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """A call with its answer. `epoch` is the number of writes that had succeeded before the message that made it: the same
    read before and after a write are two."""

    key: str
    name: str
    arguments: Any
    epoch: int
    place: int | None = None
    result: Any = None
    error: Any = None


def read_recordings(session: Mapping[str, Any], tools: Mapping[str, ToolShape]) -> list[Recording]:
    """In their order. A call without an answer recorded none, and of a replay neither did one that it found no answer for:
    a miss, or a tool that its agent does not have. Calls of one message have the same epoch, whatever their order."""
    recorded = read_session(session, "session")
    is_replay = any(call.source is not None for call in recorded.calls)
    known = Tools({**recorded.tools, **tools})
    found: list[Recording] = []
    epoch = 0
    for calls in _by_message(recorded.calls):
        found += [
            Recording(
                key=call_key(call.name, call.arguments, known.shape(call.name)),
                name=call.name,
                arguments=call.arguments,
                epoch=epoch,
                place=call.place,
                result=call.result,
                error=call.error,
            )
            for call in calls
            if call.is_answered and (not is_replay or call.source not in (None, NO_RECORDING))
        ]
        epoch += sum(call.is_answered and not call.failed and known.writes(call.name) for call in calls)
    return found


def _by_message(calls: Sequence[Call]) -> list[list[Call]]:
    messages: dict[int, list[Call]] = {}
    for call in calls:
        messages.setdefault(call.message, []).append(call)
    return list(messages.values())


def nearest(name: str, arguments: Any, recordings: Sequence[Recording]) -> Recording | None:
    """Of the same tool, the one that shares most of its arguments: to be shown beside a miss, never to answer it."""
    wanted = {(path, canonical(value)) for path, value in leaves(arguments)}

    def alike(recording: Recording) -> float:
        found = {(path, canonical(value)) for path, value in leaves(recording.arguments)}
        return len(wanted & found) / max(len(wanted | found), 1)

    same = [recording for recording in recordings if recording.name == name]
    return max(same, key=alike, default=None)
