"""HTTP as bytes: sends what a well-behaved client would refuse to, and reads what comes back."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

Header = tuple[bytes, bytes]

PATIENCE = 25.0  # seconds until a call counts as never answered
JSON: Header = (b"Content-Type", b"application/json")


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request. `path` is the route's template, to tell routes apart; `target` is where it goes."""

    name: str
    method: str
    path: str
    target: str
    headers: tuple[Header, ...] = ()
    body: bytes | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path} [{self.name}]"

    def head(self) -> bytes:
        lines = [f"{self.method} ".encode() + raw_target(self.target) + b" HTTP/1.1", b"Host: goldloop.test"]
        lines += [name + b": " + value for name, value in self.headers]
        if self.body is not None:
            lines.append(b"Content-Length: %d" % len(self.body))
        return b"\r\n".join([*lines, b"", b""])


def raw_target(target: str) -> bytes:
    """As it is, but for what would end the line or the address."""
    return quote(target, safe="/?&=%:@!$'()*+,;~-._[]{}|^`\\\"<>").encode()


@dataclass(frozen=True, kw_only=True)
class Answer:
    status: int  # 0: the connection ended without one
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """One connection, opened again whenever the server has closed it."""

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        self.port = port
        self.patience = patience
        self.timed_out = False  # the last was not answered in time, rather than not at all
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, call: Call) -> Answer:
        return await self.send(call.head() + (call.body or b""))

    async def send(self, request: bytes) -> Answer:
        """On a new connection once more if the old one ended: the server closes those that were silent for long."""
        was_open = self._streams is not None
        answer = await self._send(request)
        if answer.status == 0 and was_open and not self.timed_out:
            answer = await self._send(request)
        return answer

    async def _send(self, request: bytes) -> Answer:
        self.timed_out = False
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=2**24)
            reader, writer = self._streams
            writer.write(request)
            answer, stays = await asyncio.wait_for(_read(reader), self.patience)
        except TimeoutError:
            self.timed_out, answer, stays = True, Answer(status=0), False
        except (OSError, asyncio.IncompleteReadError):
            answer, stays = Answer(status=0), False
        if not stays:
            self.close()
        return answer

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _read(reader: asyncio.StreamReader) -> tuple[Answer, bool]:
    """An answer, and whether the connection can be used again. Of a stream only the head."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(head[0].split(" ")[1])
    headers = _headers(head[1:])
    if headers.get("content-type", "").startswith("text/event-stream"):
        return Answer(status=status, headers=headers), False
    body = await _read_body(reader, status, headers)
    return Answer(status=status, headers=headers, body=body), headers.get("connection") != "close"


async def _read_body(reader: asyncio.StreamReader, status: int, headers: dict[str, str]) -> bytes:
    if status == 204:
        return b""
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readexactly(2)
        return body
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    return await reader.read()


def _headers(lines: Sequence[str]) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines if line)
    return {name.lower(): value.strip() for name, _, value in pairs}
