"""A workspace in which records are kept: a type, a rubric, and the people who propose, review and administer."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx

from goldloop.kit.ids import new_id
from goldloop.kit.queue import JOBS
from goldloop.tenants.agents import service as agents
from goldloop.tenants.members import store as members
from goldloop.tenants.model import Role
from tests.factories import Workspace

COMPANY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 40},
        "employees": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
        "active": {"type": "boolean"},
        "stage": {"enum": ["seed", "growth", "late"]},
        "summary": {"type": "string", "maxLength": 5000},
    },
    "additionalProperties": False,
}
RUBRIC: list[dict[str, Any]] = [
    {"key": "team", "label": "Team", "type": "rating", "scale": [0, 10], "weight": 0.5},
    {"key": "market", "label": "Market", "type": "rating", "scale": [0, 10], "weight": 0.5},
    {"key": "verdict", "label": "Verdict", "type": "select", "options": ["buy", "hold", "sell"]},
    {"key": "why", "label": "Why", "type": "text"},
]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def places(answer: httpx.Response) -> list[tuple[str, str]]:
    """Where an input is wrong, and how."""
    return [(error["path"], error["code"]) for error in answer.json()["errors"]]


def ok(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201, 202, 204), answer.text
    return answer.json() if answer.content else None


@dataclass
class Desk:
    """Shortcuts through the HTTP API; each asserts that it worked. `reviewer` acts unless told otherwise."""

    workspace: Workspace
    admin: httpx.AsyncClient
    reviewer: httpx.AsyncClient
    contributor: httpx.AsyncClient

    async def make_type(
        self, slug: str = "company", schema: dict[str, Any] | None = None, **more: Any
    ) -> Any:
        body = {"slug": slug, "name": slug.title(), "json_schema": schema or COMPANY, **more}
        return ok(await self.admin.post("/api/entity-types", json=body))

    async def make_set(self, slug: str = "rubric", **more: Any) -> Any:
        body = {"slug": slug, "name": slug.title(), "kind": "assessment", "dimensions": RUBRIC, **more}
        return ok(await self.admin.post("/api/criteria-sets", json=body))

    async def make_record(self, content: dict[str, Any] | None = None, **more: Any) -> Any:
        body = {"type": "company", "title": "Acme", "content": content or {}, **more}
        return ok(await self.reviewer.post("/api/entities", json=body))

    async def show(self, record: Any) -> Any:
        return ok(await self.reviewer.get(f"/api/entities/{record['id']}"))

    async def edit(self, record: Any, **changes: Any) -> Any:
        """On top of whatever version is there."""
        version = (await self.show(record))["version"]
        return ok(
            await self.reviewer.patch(f"/api/entities/{record['id']}", json={"version": version, **changes})
        )

    async def try_change(self, path: str, changes: dict[str, Any]) -> httpx.Response:
        """By an admin, of a type, a criteria set or a view, on top of whatever version is there."""
        version = (await self.admin.get(path)).json().get("version", 1)
        return await self.admin.patch(path, json={"version": version, **changes})

    async def submit(
        self, record: Any, values: dict[str, Any], by: httpx.AsyncClient | None = None, **more: Any
    ) -> Any:
        """With the default set of the type unless `criteria_set_slug` says which."""
        path = f"/api/entities/{record['id']}/responses"
        return ok(await (by or self.contributor).post(path, json={"values": values, **more}))

    async def response(self, response: Any) -> Any:
        return ok(
            await self.reviewer.get(f"/api/entities/{response['entity_id']}/responses/{response['id']}")
        )

    def try_promote(
        self, response: Any, *fields: str, by: httpx.AsyncClient | None = None, **more: Any
    ) -> Any:
        path = f"/api/entities/{response['entity_id']}/responses/{response['id']}/promote"
        return (by or self.reviewer).post(path, json={"fields": list(fields), **more})

    async def promote(self, response: Any, *fields: str, **more: Any) -> Any:
        return ok(await self.try_promote(response, *fields, **more))

    def try_undo(self, record: Any, field: str, by: httpx.AsyncClient | None = None, **body: Any) -> Any:
        return (by or self.reviewer).post(f"/api/entities/{record['id']}/fields/{field}/undo", json=body)

    async def undo(self, record: Any, field: str) -> Any:
        return ok(await self.try_undo(record, field))

    def try_undo_response(
        self, response: Any, *fields: str, by: httpx.AsyncClient | None = None, **more: Any
    ) -> Any:
        """Without fields: whatever the record has of it."""
        path = f"/api/entities/{response['entity_id']}/responses/{response['id']}/undo"
        named = {"fields": list(fields)} if fields else {}
        return (by or self.reviewer).post(path, json=named | more)

    async def undo_response(self, response: Any, *fields: str) -> Any:
        return ok(await self.try_undo_response(response, *fields))

    def try_review(self, response: Any, status: str, notes: str | None = None) -> Any:
        path = f"/api/entities/{response['entity_id']}/responses/{response['id']}"
        return self.reviewer.patch(path, json={"status": status, "review_notes": notes})

    async def review(self, response: Any, status: str, notes: str | None = None) -> Any:
        return ok(await self.try_review(response, status, notes))

    def try_withdraw(self, response: Any, by: httpx.AsyncClient | None = None) -> Any:
        path = f"/api/entities/{response['entity_id']}/responses/{response['id']}"
        return (by or self.contributor).delete(path)

    async def withdraw(self, response: Any, by: httpx.AsyncClient | None = None) -> None:
        ok(await self.try_withdraw(response, by))

    async def history(self, record: Any, field: str) -> list[Any]:
        return list(
            ok(await self.reviewer.get(f"/api/entities/{record['id']}/fields/{field}/history"))["data"]
        )

    async def sources(self, record: Any) -> dict[str, Any]:
        found = ok(await self.reviewer.get(f"/api/entities/{record['id']}/fields"))["data"]
        return {change["field"]: change for change in found}

    async def aggregate(self, record: Any, criteria_set: Any, **params: Any) -> Any:
        path = f"/api/entities/{record['id']}/responses/aggregate"
        return ok(await self.reviewer.get(path, params={"criteria_set_id": criteria_set["id"], **params}))

    async def events(self, name: str) -> list[Any]:
        async with self.workspace.db.tx(self.workspace.system) as tx:
            return [
                dict(row)
                for row in await tx.fetch(
                    "SELECT subject_id, payload, actor_kind, actor_id FROM events WHERE name = $1 ORDER BY id",
                    name,
                )
            ]

    async def count(self, table: str) -> int:
        async with self.workspace.db.tx(self.workspace.system) as tx:
            return int(await tx.fetchval(f"SELECT count(*) FROM {table}"))

    async def run_queued(self, name: str) -> int:
        """Runs what is queued under a name, as a worker would; how many there were."""
        queued = ok(await self.admin.get("/api/jobs", params={"limit": 200}))["data"]
        arguments = [job["args"] for job in queued if job["name"] == name]
        for given in reversed(arguments):
            async with self.workspace.db.tx(self.workspace.system) as tx:
                await JOBS[name].run(tx, **given)
        return len(arguments)

    async def agent(self, role: Role = Role.CONTRIBUTOR, **key: Any) -> httpx.AsyncClient:
        made = await self.workspace.make_agent()
        return await self.workspace.client(role, agent_id=made.id, **key)

    async def person(self, role: Role = Role.CONTRIBUTOR) -> tuple[UUID, httpx.AsyncClient]:
        user_id = await self.workspace.make_member(role)
        return user_id, await self.workspace.client(role, user_id=user_id)


async def make_namesakes(workspace: Workspace, role: Role = Role.CONTRIBUTOR) -> UUID:
    """The id of an agent and of a member, as there may be from before members had ids of the workspace's own."""
    shared = new_id()
    async with workspace.db.tx(workspace.system) as tx:
        await agents.create(tx, shared, "namesake", "Namesake", "")
        assert await members.insert(tx, shared, f"{shared}@goldloop.test", "Namesake", role)
    return shared


async def clients_of_namesakes(desk: Desk) -> tuple[httpx.AsyncClient, httpx.AsyncClient]:
    shared = await make_namesakes(desk.workspace)
    return (
        await desk.workspace.client(Role.CONTRIBUTOR, agent_id=shared),
        await desk.workspace.client(Role.CONTRIBUTOR, user_id=shared),
    )


async def make_desk(workspace: Workspace) -> Desk:
    member = await workspace.make_member(Role.CONTRIBUTOR)
    return Desk(
        workspace=workspace,
        admin=await workspace.client(Role.ADMIN),
        reviewer=await workspace.client(Role.REVIEWER),
        contributor=await workspace.client(Role.CONTRIBUTOR, user_id=member),
    )


def some_id() -> str:
    return str(new_id())
