"""Agents that are called over HTTP, on loopback: a server that answers as a test says."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from goldloop.kit.egress import Egress
from goldloop.kit.outside import Outside


@dataclass
class Received:
    head: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.raw))


@dataclass
class Connection:
    """What a handler speaks by; `closed` waits until whoever called has gone."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, raw: bytes) -> None:
        self.writer.write(raw)
        await self.writer.drain()

    async def answer(
        self, body: Any, status: str = "200 OK", kind: str = "application/json", **headers: str
    ) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(raw)}\r\n{more}\r\n"
        await self.send(head.encode() + raw)

    async def begin_stream(self) -> None:
        await self.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")

    async def event(self, name: str, /, **payload: Any) -> None:
        await self.send(f"event: {name}\ndata: {json.dumps(payload)}\n\n".encode())

    async def closed(self) -> None:
        while await self.reader.read(1024):
            pass


Handler = Callable[[Received, Connection], Awaitable[None]]


@dataclass
class HttpAgent:
    """Answers its calls by the handlers, one after the other, and by the last from then on."""

    handlers: Sequence[Handler]
    received: list[Received] = field(default_factory=list)
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lines = (line.partition(": ") for line in head.splitlines()[1:])
            headers = {name.lower(): value for name, _, value in lines}
            raw = await reader.readexactly(int(headers.get("content-length", "0")))
            handler = self.handlers[min(len(self.received), len(self.handlers) - 1)]
            self.received.append(Received(head, headers, raw))
            await handler(self.received[-1], Connection(reader, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def http_agent(*handlers: Handler) -> AsyncIterator[HttpAgent]:
    agent = HttpAgent(handlers)
    server = await asyncio.start_server(agent.serve, "127.0.0.1", 0)
    agent.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/run"
    try:
        yield agent
    finally:
        server.close()


def answering(body: Any, status: str = "200 OK", **more: str) -> Handler:
    async def handle(_: Received, to: Connection) -> None:
        await to.answer(body, status, **more)

    return handle


def allowing_loopback(outside: Outside) -> Outside:
    return replace(outside, egress=Egress(["127.0.0.1"]))
