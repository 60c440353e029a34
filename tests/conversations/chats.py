"""A workspace in which people chat with an agent, and the ways in and out of it."""

from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import httpx

from goldloop.app import build_app
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.db import APP_ROLE
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from tests.factories import Workspace

PROJECT = "Support"


@dataclass
class Chats:
    workspace: Workspace
    outside: Outside
    backend: httpx.AsyncClient  # the chat's own server, with a contributor's key
    viewer: httpx.AsyncClient
    reviewer: httpx.AsyncClient
    made: int = field(default=0)

    def path(self, *parts: str, project: str = PROJECT) -> str:
        named = (quote(part, safe="") for part in (self.workspace.slug, project, *parts))
        return "/".join(["/conversations", *named])

    async def add(
        self, conversation: str, turns: Any, *, expected: int = 201, project: str = PROJECT, **query: Any
    ) -> Any:
        query.setdefault("gate", "false")
        answer = await self.backend.post(
            self.path(conversation, "turns", project=project), json=turns, params=query
        )
        assert answer.status_code == expected, answer.text
        return answer.json()

    async def say(self, conversation: str, turn_id: str | None = None, **turn: Any) -> str:
        """A turn with something said in it; returns its id."""
        self.made += 1
        turn_id = turn_id or f"turn_{self.made}"
        said = {"user": {"text": f"question {self.made}"}, "assistant": {"text": f"answer {self.made}"}}
        await self.add(conversation, {"turn_id": turn_id, **said, **turn})
        return turn_id

    async def react(
        self,
        conversation: str,
        turn_id: str,
        reaction: str | None,
        *,
        expected: int = 200,
        by: httpx.AsyncClient | None = None,
        project: str = PROJECT,
        **more: Any,
    ) -> Any:
        answer = await (by or self.backend).post(
            self.path(conversation, "turns", turn_id, "feedback", project=project),
            json={"reaction": reaction, **more},
        )
        assert answer.status_code == expected, answer.text
        return answer.json()

    async def in_period(
        self,
        start: str = "2000-01-01T00:00:00Z",
        end: str = "2100-01-01T00:00:00Z",
        *,
        project: str = PROJECT,
        **more: Any,
    ) -> Any:
        answer = await self.viewer.post(
            self.path("feedback", "conversations-in-period", project=project),
            json={"start": start, "end": end, **more},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def feedbacks(self, conversation: str, **body: Any) -> Any:
        answer = await self.viewer.post(self.path(conversation, "turns-with-feedbacks"), json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def rows(self, sql: str, *args: Any) -> list[dict[str, Any]]:
        async with self.workspace.db.tx(self.workspace.system) as tx:
            return [dict(row) for row in await tx.fetch(sql, *args)]

    async def events(self, like: str = "%") -> list[dict[str, Any]]:
        return await self.rows(
            "SELECT name, subject_id, payload, actor_kind FROM events WHERE topic = 'conversations' AND name LIKE $1 ORDER BY id",
            like,
        )

    async def marks(self, kind: str) -> list[dict[str, Any]]:
        return await self.rows(
            "SELECT key, attempts, last_error FROM marks WHERE kind = $1 AND tenant_id = $2 ORDER BY key",
            kind,
            self.workspace.id,
        )

    async def catch_up(self, *kinds: str) -> None:
        """As the workers do, whatever is marked here."""
        for kind in kinds or ("blobs.write", "conversations.index", "conversations.gate"):
            for row in await self.rows(
                "SELECT DISTINCT key FROM marks WHERE kind = $1 AND tenant_id = $2 ORDER BY key",
                kind,
                self.workspace.id,
            ):
                await MARKS[kind].run(
                    self.workspace.db, self.workspace.system, row["key"], outside=self.outside
                )
            await self.rows(
                "DELETE FROM marks WHERE kind = $1 AND tenant_id = $2 RETURNING 1", kind, self.workspace.id
            )

    async def work(self, kind: str) -> None:
        """By a worker, who also notes what fails. In a database of the test's own."""
        await self.rows("UPDATE marks SET due_at = now() WHERE kind = $1 RETURNING 1", kind)
        await MarkRunner(self.workspace.db, self.outside).drain(MARKS[kind])

    async def with_outside(self, **ports: Any) -> "Chats":
        """The same workspace, served and worked for by processes that have something else outside."""
        outside, db = replace(self.outside, **ports), self.workspace.db.in_role(APP_ROLE)
        auth = Authenticator(db=db, secret=b"a secret of the tests")
        app = build_app(db, auth, Feed(db=db, url="", auth=auth), outside)
        return await make_chats(replace(self.workspace, app=app), outside)

    async def get(self, path: str, *, expected: int = 200, **query: Any) -> Any:
        answer = await self.viewer.get(path, params=query)
        assert answer.status_code == expected, answer.text
        return answer.json()


async def make_chats(workspace: Workspace, outside: Outside) -> Chats:
    return Chats(
        workspace=workspace,
        outside=outside,
        backend=await workspace.client(Role.CONTRIBUTOR),
        viewer=await workspace.client(Role.VIEWER),
        reviewer=await workspace.client(Role.REVIEWER),
    )
