"""Limits on the time and size of incoming requests, so that clients which stall do not keep connections open.

uvicorn limits only how long a connection rests between two requests. A head has a time from the first moment of its
connection, or from its first byte on one that is used again; a body has a time that grows with what has come. Requests
that come whole, nearly all of them, set no timer. What the server sends, live streams above all, has no limit here.
"""

from asyncio import TimerHandle
from dataclasses import dataclass
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from goldloop.kit.errors import GoldloopError
from goldloop.kit.single_write_protocol import SingleWriteProtocol

HEAD_BYTES = 32 * 1024  # address and headers; the longest address of ours is a third of it
BODY_BYTES_PER_SECOND = 8 * 1024  # a poor mobile line; a body of 1 MiB may take two minutes
CHUNK_OVERHEAD = 8  # bytes around each byte of a body that comes in the smallest parts
MOST_WAITING = 16  # requests sent ahead on one connection; no browser or client library sends any


class RequestTimeout(GoldloopError):
    status, code, title = 408, "request_timeout", "The request did not come whole in time"


class HeadTooLarge(GoldloopError):
    status, code, title = 431, "head_too_large", "Address and headers are larger than this server takes"


class _Refused(Exception):
    """Raised to stop parsing when a request is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """In seconds. A body is given one more for each BODY_BYTES_PER_SECOND of it that has come."""

    head: float
    body: float


def protocol(limits: Limits) -> type["LimitedProtocol"]:
    """The protocol class, for uvicorn's `http` setting."""
    return type("LimitedProtocol", (LimitedProtocol,), {"limits": limits})


class LimitedProtocol(SingleWriteProtocol):
    limits = Limits(head=15, body=30)

    _in_head = False
    _in_body = False
    _body_bytes = 0
    _other_bytes = 0  # of the head, or around the parts of a body
    _since = 0.0
    _timer: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._start(self.limits.head)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._other_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            self._stop()
        elif self._in_body:
            self._wait(self.limits.body, HEAD_BYTES + CHUNK_OVERHEAD * self._body_bytes)
        elif self._in_head or not self._answering():  # also for line breaks before a head that never comes
            self._wait(self.limits.head, HEAD_BYTES)

    def on_message_begin(self) -> None:
        self._in_head, self._in_body = True, False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # nobody reads what is sent after a body
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._stop()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > HEAD_BYTES:
            self._refuse(HeadTooLarge())
            raise _Refused
        if len(self.pipeline) >= MOST_WAITING:
            self._leave()
            raise _Refused
        self._in_head, self._in_body = False, True
        self._other_bytes = self._body_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._other_bytes -= len(body)
        if not self.cycle.response_complete:  # what comes after the answer buys no more time
            self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop()
        self._in_body = False
        self._other_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def _wait(self, seconds: float, most_other_bytes: int) -> None:
        if self._other_bytes > most_other_bytes:
            self._refuse(HeadTooLarge())
        elif self._timer is None:
            self._start(seconds)

    def _start(self, seconds: float) -> None:
        self._since = self.loop.time()
        self._timer = self.loop.call_later(seconds, self._expired)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expired(self) -> None:
        """Refuses the request, unless more of it has come meanwhile or reading is paused on our side."""
        self._timer = None
        if self.transport.is_closing():
            return
        allowed = self.limits.head
        if self._in_body:
            allowed = self.limits.body + self._body_bytes / BODY_BYTES_PER_SECOND
        left = self._since + allowed - self.loop.time()
        if left > 0:
            self._timer = self.loop.call_later(left, self._expired)
        elif self.flow.read_paused or (not self._in_body and self._answering()):
            self._start(allowed)
        else:
            self._refuse(RequestTimeout())

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self, error: GoldloopError) -> None:
        """Sends the error, unless a response is being sent already, and closes the connection."""
        if not self._answering() or (self._in_body and not self.cycle.response_started):
            self.transport.write(_answer(error))
        self._leave()

    def _leave(self) -> None:
        self._stop()
        self.pipeline.clear()
        if self.cycle is not None:
            self.cycle.disconnected = (
                True  # whoever waits for the rest of the body learns that it does not come
            )
            self.cycle.message_event.set()
        self.transport.close()


def _answer(error: GoldloopError) -> bytes:
    body = msgspec.json.encode(error.problem())
    head = (
        b"content-type: application/problem+json\r\ncache-control: no-store\r\n"
        b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body)
    )
    return STATUS_LINE[error.status] + head + body
