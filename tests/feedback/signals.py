"""A workspace in which agents work, people react and reject, and what becomes of it as feedback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import httpx

from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from goldloop.tenants.model import Role
from tests.conversations.chats import Chats
from tests.records import Desk, ok


class Killed(Exception):
    """Where the process ends."""


@dataclass
class Signals:
    desk: Desk
    chats: Chats
    outside: Outside
    admin: httpx.AsyncClient

    async def listed(self, by: httpx.AsyncClient | None = None, **query: Any) -> list[Any]:
        """Feedback that somebody (an administrator) sees, the oldest first."""
        found = ok(await (by or self.admin).get("/api/feedback", params={"limit": 200, **query}))
        return list(reversed(found["data"]))

    async def only(self, **query: Any) -> Any:
        (found,) = await self.listed(**query)
        return found

    async def give(self, by: httpx.AsyncClient | None = None, **body: Any) -> Any:
        new = {"source_type": "tool", "rating": "negative", **body}
        return ok(await (by or self.admin).post("/api/feedback", json=new))

    async def place(self) -> None:
        """What a worker does with the marks of feedback."""
        db, system = self.desk.workspace.db, self.desk.workspace.system
        await MARKS["feedback.place"].run(db, system, "workspace", outside=self.outside)
        await self.refresh()

    async def refresh(self) -> None:
        for row in await self.chats.marks("feedback.group"):
            async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
                await MARKS["feedback.group"].run(tx, row["key"])
        await self.chats.rows(
            "DELETE FROM marks WHERE kind = 'feedback.group' AND tenant_id = $1 RETURNING 1",
            self.desk.workspace.id,
        )

    async def groups(self, **query: Any) -> list[Any]:
        found: list[Any] = ok(await self.admin.get("/api/feedback/groups", params=query))["data"]
        return found

    async def extraction(self, values: dict[str, Any], **more: Any) -> Any:
        """A response of an agent to a record of its own."""
        record = await self.desk.make_record()
        agent = await self.desk.agent()
        return await self.desk.submit(record, values, by=agent, source="extraction", **more)

    @asynccontextmanager
    async def aborted(self) -> AsyncIterator[Any]:
        """A transaction that ends half-way, as with a process that was killed."""
        with suppress(Killed):
            async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
                yield tx
                raise Killed


COMPLAINTS = [
    "The valuation is given in dollars instead of euros",
    "The valuation should be in euros, not in dollars",
    "Valuation in dollars, but it has to be in euros",
    "Give the valuation in euros instead of dollars",
]


async def grouped(signals: Signals, count: int = 2) -> list[Any]:
    """Feedback of as many people that is one group."""
    for text in COMPLAINTS[:count]:
        _, person = await signals.desk.person(Role.VIEWER)
        await signals.give(person, comment=text)
    await signals.place()
    return await signals.groups()


async def make_signals(desk: Desk, chats: Chats) -> Signals:
    return Signals(
        desk=desk, chats=chats, outside=chats.outside, admin=await desk.workspace.client(Role.ADMIN)
    )
