"""Reads server-sent events as they arrive, piece by piece, within bounds. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from goldloop.runtimes.model import RunFailed

MOST_EVENT_BYTES = 1024 * 1024
MOST_EVENTS = 10_000  # of one stream; an agent that has more to tell is one that hangs in a loop

_LINE = re.compile(rb"([^\r\n]*+)(?:\r\n|\n|\r(?!\Z))")
_BOM = b"\xef\xbb\xbf"


class Sent(NamedTuple):
    name: str
    data: bytes


class EventStream:
    """`feed` yields the events that are whole. Raises RunFailed for one that is too long, or for too many."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._name = ""
        self._data: list[bytes] = []
        self._bytes = 0  # of the data so far
        self._events = 0
        self._begun = False

    def feed(self, piece: bytes) -> Iterator[Sent]:
        self._rest += piece
        if not self._begun and len(self._rest) >= len(_BOM):
            self._rest, self._begun = self._rest.removeprefix(_BOM), True
        if b"\n" in piece or b"\r" in piece or self._rest[-len(piece) - 1 : -len(piece)] == b"\r":
            yield from self._lines()
        if len(self._rest) + self._bytes > MOST_EVENT_BYTES:
            raise _too_long(f"An event of the agent is longer than {MOST_EVENT_BYTES:,} bytes")

    def _lines(self) -> Iterator[Sent]:
        text, end = bytes(self._rest), 0
        while line := _LINE.match(text, end):  # not what is like one further on: of a rest without an end there is none
            end = line.end()
            if (event := self._read(line[1])) is not None:
                yield event
        del self._rest[:end]

    def _read(self, line: bytes) -> Sent | None:
        if not line:
            return self._finish()
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"event":
            self._name = value.decode(errors="replace")
        elif field == b"data":
            self._data.append(value)
            self._bytes += len(value) + 1
        return None  # a comment, or a field that says nothing here

    def _finish(self) -> Sent | None:
        name, data = self._name, b"\n".join(self._data)
        self._name, self._data, self._bytes = "", [], 0
        if not data and not name:
            return None
        self._events += 1
        if self._events > MOST_EVENTS:
            raise _too_long(f"The agent sent more than {MOST_EVENTS:,} events")
        return Sent(name, data)


def _too_long(why: str) -> RunFailed:
    return RunFailed("agent_answer_unreadable", why)
