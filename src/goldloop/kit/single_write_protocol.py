"""Sends the head and the body of an HTTP response in one write. uvicorn writes them one after the other; each write
would be a system call, a packet, and a wake-up of a client that cannot do anything with a head alone.

Whoever has an answer whole, as nearly every route does, gives it whole: by the extension `WHOLE` of the scope, which takes the
status, the lines of the head and the body, and says whether it was sent. uvicorn puts a head together field by field and looks
through each of them, which costs as much as the rest of a small answer."""

import asyncio
from functools import partial
from typing import Any
from weakref import ref

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

WHOLE = "goldloop.whole_answer"
COPIED_BYTES = 16 * 1024  # of a body that is put behind its head; a larger one is handed on as it is


class SingleWriteProtocol(HttpToolsProtocol):
    def connection_made(self, transport: Any) -> None:
        super().connection_made(HeadBufferingTransport(transport, self.loop))  # type: ignore[arg-type]

    def on_headers_complete(self) -> None:
        super().on_headers_complete()  # which has made a task of the request, and not begun it
        # Not the cycle itself, which has the scope: a request would stay in memory until garbage is collected.
        self.scope["extensions"] = {WHOLE: partial(_answer_whole, ref(self.cycle))}  # type: ignore[dict-item]


def _answer_whole(answering: "ref[RequestResponseCycle]", status: int, head: bytes, body: bytes) -> bool:
    """False, and nothing is sent, where that takes more: a HEAD, a connection that is closed after it, one that is slow to
    read, or one that has gone."""
    cycle = answering()
    if (
        cycle is None
        or cycle.response_started
        or cycle.disconnected
        or not cycle.keep_alive
        or cycle.flow.write_paused
        or cycle.scope["method"] == "HEAD"
    ):
        return False
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    lines = _lines(cycle.default_headers)
    begin = b"%b%b%bcontent-length: %d\r\n\r\n" % (STATUS_LINE[status], lines, head, len(body))
    if len(body) <= COPIED_BYTES:
        cycle.transport.write_whole(begin + body)  # type: ignore[attr-defined]
    else:
        cycle.transport.writelines((begin, body))
    cycle.message_event.set()
    cycle.on_response()
    return True


_written: tuple[Any, bytes] = ((), b"")  # the headers that every answer has, and their lines


def _lines(headers: list[tuple[bytes, bytes]]) -> bytes:
    """uvicorn has the same list for a second, and then another one with another date."""
    global _written
    if _written[0] is not headers:
        _written = headers, b"".join([b"%b: %b\r\n" % header for header in headers])
    return _written[1]


class HeadBufferingTransport:
    """A transport that buffers the head of a response until the body comes, or until the loop's next iteration."""

    __slots__ = ("_head", "_loop", "_transport")

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.writelines((head, data))
        elif data.startswith(b"HTTP/1.1 "):
            self._head = data
            self._loop.call_soon(self._flush)
        else:
            self._transport.write(data)

    def write_whole(self, data: bytes) -> None:
        self._transport.write(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head)
