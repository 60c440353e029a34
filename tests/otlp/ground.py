"""A workspace that spans are sent to, and the worker that derives sessions from them."""

from dataclasses import dataclass
from typing import Any

import httpx
from google.protobuf.message import Message

from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS, ports_for
from tests.factories import Workspace
from tests.records import ok

KINDS = (
    "otlp.spread",
    "otlp.derive",
    "otlp.derive_later",
    "otlp.derive_large",
    "otlp.derive_large_later",
    "otlp.settle",
)
PROTOBUF = {"Content-Type": "application/x-protobuf"}


@dataclass(frozen=True)
class Emitter:
    """Sends as an exporter does, and looks at what came of it as a member does."""

    workspace: Workspace
    client: httpx.AsyncClient
    outside: Outside

    async def send(self, message: Message, path: str = "/v1/traces") -> httpx.Response:
        return await self.client.post(path, content=message.SerializeToString(), headers=PROTOBUF)

    async def work(self, *kinds: str) -> None:
        """Does what marks are there for, due or not, until there are no more of them."""
        while await self.work_once(*kinds):
            pass

    async def work_once(self, *kinds: str) -> int:
        done = 0
        for kind in kinds or KINDS:
            definition = MARKS[kind]
            keys = await self._take(kind)
            done += len(keys)
            if definition.at_once > 1 and keys:
                async with self.workspace.db.tx(self.workspace.system) as tx:
                    await definition.run(tx, keys)
                continue
            for key in keys:
                if definition.leased:
                    ports = ports_for(definition.run, self.outside)
                    await definition.run(self.workspace.db, self.workspace.system, key, **ports)
                else:
                    async with self.workspace.db.tx(self.workspace.system) as tx:
                        await definition.run(tx, key)
        return done

    async def _take(self, kind: str) -> list[str]:
        async with self.workspace.db.tx(self.workspace.system) as tx:
            rows = await tx.fetch(
                "DELETE FROM marks WHERE kind = $1 AND tenant_id = $2 RETURNING key", kind, self.workspace.id
            )
        return sorted({row["key"] for row in rows})

    async def sessions(self, **narrowed: Any) -> list[dict[str, Any]]:
        """Oldest first."""
        found: list[dict[str, Any]] = []
        cursor = None
        while True:
            parameters = {"limit": 200, **narrowed, **({"cursor": cursor} if cursor else {})}
            page = ok(await self.client.get("/api/sessions", params=parameters))
            found += page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return found[::-1]

    async def session(self) -> dict[str, Any]:
        (only,) = await self.sessions()
        return only

    async def events(self, session: dict[str, Any]) -> list[dict[str, Any]]:
        """In the order in which they happened."""
        found: list[dict[str, Any]] = []
        while True:
            after = found[-1]["seq"] if found else 0
            page = ok(
                await self.client.get(
                    f"/api/sessions/{session['id']}/events", params={"limit": 200, "after": after}
                )
            )
            found += page["data"]
            if page["next_cursor"] is None:
                return sorted(found, key=lambda event: (event["at"], event["seq"]))

    async def told(self, session: dict[str, Any], kind: str) -> list[dict[str, Any]]:
        return [event["payload"] for event in await self.events(session) if event["type"] == kind]
