"""Receivers of webhooks on loopback, and a workspace that sends to them."""

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx

from goldloop.jobs.marks import MarkRunner
from goldloop.kit.clock import now
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from goldloop.webhooks import delivery_service, runner
from tests.factories import Workspace
from tests.records import ok
from tests.served import served

PATH = "/api/webhooks"


@dataclass(frozen=True)
class Request:
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def message(self) -> Any:
        return json.loads(self.body)

    @property
    def type(self) -> str:
        return str(self.message["type"])


def is_signed(request: Request, secret: str) -> bool:
    """As a receiver finds out, with nothing of ours."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{request.id}.{request.headers['webhook-timestamp']}.".encode() + request.body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return expected in request.headers["webhook-signature"].split(" ")


@dataclass
class Receiver:
    """Takes what is sent, and answers as it is told to: `answers` first, then `status`. Before that it waits for `gate`."""

    status: int = 200
    answers: list[int] = field(default_factory=list)
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    text: bytes = b""
    refused: str | None = None  # the type that it answers 500 to, whatever else it takes
    gate: asyncio.Event | None = None
    requests: list[Request] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        request = Request(headers, body)
        self.requests.append(request)
        self.arrived.set()
        if self.gate is not None:
            await self.gate.wait()
        status = self.answers.pop(0) if self.answers else self.status
        if self.refused == request.type:
            status = 500
        await send({"type": "http.response.start", "status": status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.text})

    def types(self) -> list[str]:
        return [request.type for request in self.requests]


@dataclass
class Clock:
    """Stands still until it is moved, a minute ahead of what happens meanwhile."""

    at: datetime = field(default_factory=lambda: now() + timedelta(minutes=1))

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@dataclass
class Hooks:
    """A workspace with its receivers. Nothing is sent but by `send`, at the time of `clock`."""

    workspace: Workspace
    admin: httpx.AsyncClient
    outside: Outside
    clock: Clock = field(default_factory=Clock)

    async def make(self, url: str, *events: str, **more: Any) -> Any:
        return ok(await self.admin.post(PATH, json={"url": url, "events": list(events) or ["*"], **more}))

    async def show(self, hook: Any) -> Any:
        return ok(await self.admin.get(f"{PATH}/{hook['id']}"))

    async def change(self, hook: Any, **changes: Any) -> Any:
        return ok(await self.admin.patch(f"{PATH}/{hook['id']}", json=changes))

    async def deliveries(self, hook: Any, **filters: Any) -> list[Any]:
        """Oldest first."""
        answer = await self.admin.get(f"{PATH}/{hook['id']}/deliveries", params={"limit": 200, **filters})
        return list(reversed(ok(answer)["data"]))

    async def delivery(self, hook: Any, delivery: Any) -> Any:
        return ok(await self.admin.get(f"{PATH}/{hook['id']}/deliveries/{delivery['id']}"))

    async def spread(self) -> None:
        """Queue what happened, as a worker does."""
        async with self.workspace.db.tx(self.workspace.system) as tx:
            keys = await tx.fetch(
                "DELETE FROM marks WHERE kind = $1 AND tenant_id = $2 RETURNING key",
                delivery_service.SPREAD,
                self.workspace.id,
            )
            ids = [UUID(row["key"]) for row in keys]
            await delivery_service.spread(tx, ids, self.clock())

    async def send(self, hook: Any) -> None:
        """Send what is due, as a worker does."""
        await self.spread()
        await runner.send_due(
            self.workspace.db, self.outside, self.workspace.system, UUID(hook["id"]), self.clock
        )

    async def happen(self) -> str:
        """Something happens that webhooks hear of; returns its subject."""
        agent = await self.workspace.make_agent()
        return str(agent.id)

    async def rename(self, subject: str, name: str) -> None:
        ok(await self.admin.patch(f"/api/agents/{subject}", json={"name": name}))

    def marks(self) -> MarkRunner:
        return MarkRunner(self.workspace.db, self.outside)

    async def work(self) -> None:
        """What is due by the clock on the wall, through the marks."""
        async with self.workspace.db.tx(self.workspace.system) as tx:
            await tx.execute(
                "UPDATE marks SET due_at = now() WHERE tenant_id = $1 AND kind = $2",
                self.workspace.id,
                delivery_service.SPREAD,
            )
        for kind in (delivery_service.SPREAD, delivery_service.SEND):
            await self.marks().drain(MARKS[kind])


@asynccontextmanager
async def receiving(**more: Any) -> AsyncIterator[tuple[Receiver, str]]:
    receiver = Receiver(**more)
    async with served(receiver) as url:
        yield receiver, f"{url}/hook"
