"""The load generator: keep-alive connections that each send the next request as soon as they have an answer.

Written to the bone, because on a small machine whatever it computes is taken from the server: it finds
the end of an answer by its length and looks at nothing but the status.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from random import randrange
from typing import cast

from bench.model import Slice

CLOSING_SECONDS = 10.0  # for the last answers; a server that needs longer has a fault worth seeing


def request(method: str, path: str, secret: str = "", body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    if secret:
        lines.append(f"Authorization: Bearer {secret}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class RequestFailed(Exception):
    """An answer other than success: a rate of failures would mean nothing."""


class _Connection(asyncio.Protocol):
    def __init__(self, requests: Iterator[bytes], deadline: float, latencies: list[float]) -> None:
        self.requests = requests
        self.deadline = deadline
        self.latencies = latencies
        self.received = b""
        self.sent = 0.0
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        received = self.received + data if self.received else data
        if not is_whole(received):
            self.received = received
            return
        self.received = b""
        now = time.perf_counter()
        self.latencies.append(now - self.sent)
        if received[9:10] != b"2":  # "HTTP/1.1 2xx"
            self._finish(RequestFailed(received.decode(errors="replace")))
        elif now < self.deadline:
            self._send()
        else:
            self._finish(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish(exc or ConnectionResetError("the server closed the connection"))

    def _send(self) -> None:
        self.sent = time.perf_counter()
        self.transport.write(next(self.requests))

    def _finish(self, error: Exception | None) -> None:
        if not self.finished.done():
            if error is None:
                self.finished.set_result(None)
            else:
                self.finished.set_exception(error)
        self.transport.close()


def is_whole(received: bytes) -> bool:
    """Whether these bytes are all of one answer with a Content-Length."""
    head = received.find(b"\r\n\r\n")
    if head < 0:
        return False
    at = received.find(b"ontent-", 0, head)  # either spelling of Content-Length and Content-Type
    while at >= 0 and received[at + 7 : at + 13].lower() != b"length":
        at = received.find(b"ontent-", at + 1, head)
    if at < 0:
        raise RequestFailed("an answer without Content-Length: " + received[:head].decode(errors="replace"))
    length = int(received[at + 14 : received.find(b"\r\n", at)])
    return len(received) >= head + 4 + length


def _in_turn(requests: Sequence[bytes]) -> Iterator[bytes]:
    first = randrange(len(requests))  # else each turn would repeat what the one before has done
    return cycle([*requests[first:], *requests[:first]])


async def run_load(
    port: int, requests: Sequence[bytes] | Iterator[bytes], connections: int, seconds: float
) -> Slice:
    """Requests are sent in turn, over and over; those of an iterator as it makes them."""
    loop = asyncio.get_running_loop()
    latencies: list[float] = []
    following = requests if isinstance(requests, Iterator) else _in_turn(requests)
    own_cpu = time.process_time()
    begin = time.perf_counter()
    made = [
        await loop.create_connection(
            lambda: _Connection(following, begin + seconds, latencies), "127.0.0.1", port
        )
        for _ in range(connections)
    ]
    await asyncio.wait_for(
        asyncio.gather(*(connection.finished for _, connection in made)), seconds + CLOSING_SECONDS
    )
    return Slice(
        done=len(latencies),
        seconds=time.perf_counter() - begin,
        latencies=latencies,
        own_cpu=time.process_time() - own_cpu,
    )
