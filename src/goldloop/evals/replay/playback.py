"""Answers the calls of a replay as its events come. Pure.

What answers a call follows from the events up to it and from nothing else: whoever reads them, in whichever process, comes to
the same. Calls that were made before any of them was answered are of one message, as in what was recorded.
"""

from collections.abc import Callable, Mapping
from typing import Any

from goldloop.evals.recorded import EventReader
from goldloop.evals.replay.tape import Asked, Reply, Tape


def every_tool(name: str) -> bool:
    return True


class Playback:
    """`has_tool` says which tools the agent has: a call of another one is on no tape."""

    def __init__(self, tape: Tape, has_tool: Callable[[str], bool] = every_tool) -> None:
        self.tape = tape
        self._has_tool = has_tool
        self._reader = EventReader()
        self._to_run: set[str] = set()

    def follow(self, kind: str, payload: Mapping[str, Any]) -> Reply | None:
        """The next event of the replay. What becomes of a call; None for all else, and for a tool that the agent has not."""
        call = self._reader.read({"type": kind, "payload": payload})
        if call is None or not self._has_tool(call.name):
            return None
        asked = Asked(id=f"{call.place}", name=call.name, arguments=call.arguments)
        if call.is_answered:
            if asked.id in self._to_run:
                self._to_run.remove(asked.id)
                self.tape.settle(asked.id, result=call.result, error=call.error)
            return None
        (reply,) = self.tape.answer([asked], message=call.message)
        if reply.to_run:
            self._to_run.add(asked.id)
        return reply
