"""A workspace that learns: people reject what agents found, and what becomes of it as knowledge."""

from dataclasses import dataclass
from typing import Any

import httpx
from pydantic_ai.messages import ModelRequest

from goldloop.kit.queue import MARKS
from goldloop.tenants.model import Role
from tests.feedback.signals import COMPLAINTS, Signals
from tests.records import ok
from tests.runtimes.scripted import Script, scripted, work

ROWS = "/api/admin/shared-context"
NOTES = [
    "The number of employees is that of the group, not of the company itself",
    "Employees: this counts the whole group instead of the company itself",
    "Wrong employees, they are those of the whole group",
]
RULE = "Count the employees of the company itself, without the rest of its group"


def instructions_of(script: Script) -> str:
    """What the model of a run was told before everything else."""
    (first, *_) = script.asked[0]
    assert isinstance(first, ModelRequest)
    return first.instructions or ""


@dataclass
class Lessons:
    signals: Signals
    admin: httpx.AsyncClient
    agent: httpx.AsyncClient | None = None

    async def write(self, content: str = RULE, **more: Any) -> Any:
        return ok(await self.admin.post(ROWS, json={"type": "correction", "content": content, **more}))

    async def show(self, row: Any) -> Any:
        return ok(await self.admin.get(f"{ROWS}/{row['id']}"))

    def try_step(self, row: Any, step: str, **body: Any) -> Any:
        return self.admin.post(f"{ROWS}/{row['id']}/{step}", json=body)

    async def step(self, row: Any, step: str, **body: Any) -> Any:
        return ok(await self.try_step(row, step, **body))

    async def change(self, row: Any, **changes: Any) -> Any:
        return ok(await self.admin.patch(f"{ROWS}/{row['id']}", json=changes))

    async def listed(self, **query: Any) -> list[Any]:
        found: list[Any] = ok(await self.admin.get(ROWS, params={"limit": 200, **query}))["data"]
        return found

    async def prompt(self, by: httpx.AsyncClient | None = None, **query: Any) -> Any:
        return ok(await (by or self.admin).get("/api/shared-context/prompt", params=query))

    async def reject(
        self,
        note: str = NOTES[0],
        employees: int = 900,
        by: httpx.AsyncClient | None = None,
        **values: Any,
    ) -> Any:
        """Values of an agent that somebody (else each time) rejects; the response that they were in."""
        desk = self.signals.desk
        if self.agent is None:
            self.agent = await desk.agent()
        record = await desk.make_record()
        values = {"employees": employees, **values}
        response = await desk.submit(record, values, by=self.agent, source="extraction")
        reviewer = by or (await self.signals.desk.person(Role.REVIEWER))[1]
        path = f"/api/entities/{response['entity_id']}/responses/{response['id']}"
        ok(await reviewer.patch(path, json={"status": "rejected", "review_notes": note}))
        return response

    async def work(self) -> None:
        """What a worker does with the marks of feedback and knowledge."""
        await self.signals.place()
        workspace = self.signals.desk.workspace
        for row in await self.signals.chats.marks("knowledge.propose"):
            async with workspace.db.tx(workspace.system) as tx:
                await MARKS["knowledge.propose"].run(tx, row["key"])
        await self.clear("knowledge.propose")

    async def decide(self, group_id: str, act: str, **body: Any) -> Any:
        """What people decide about a group, and what follows from it."""
        done = ok(await self.admin.post(f"/api/feedback/groups/{group_id}/{act}", json=body))
        await self.work()
        return done

    async def run(self, session: Any, script: Script) -> Any:
        """What a worker does with a session, on a scripted model."""
        workspace = self.signals.desk.workspace
        await work(workspace.db, workspace, scripted(self.signals.outside, script), session)
        return ok(await self.admin.get(f"/api/sessions/{session['id']}"))

    async def run_without_model(self, session: Any) -> Any:
        workspace = self.signals.desk.workspace
        await work(workspace.db, workspace, self.signals.outside, session)
        return ok(await self.admin.get(f"/api/sessions/{session['id']}"))

    async def compare(self) -> None:
        workspace = self.signals.desk.workspace
        await MARKS["knowledge.compare"].run(
            workspace.db, workspace.system, "workspace", outside=self.signals.outside
        )

    async def clear(self, kind: str) -> None:
        await self.signals.chats.rows(
            "DELETE FROM marks WHERE kind = $1 AND tenant_id = $2 RETURNING 1",
            kind,
            self.signals.desk.workspace.id,
        )

    async def proposal(self, count: int = 2) -> Any:
        """What two people's rejections of one field are proposed as."""
        for note in NOTES[:count]:
            await self.reject(note)
        await self.work()
        (row,) = await self.listed(state="proposed")
        return row

    async def complain(self, place: int, tool: str = "lookup", **more: Any) -> Any:
        """Somebody else each time complains about what a tool found."""
        _, person = await self.signals.desk.person()
        context = {"tool_slug": tool, "tool_run_id": f"run-{place}"}
        return await self.signals.give(person, comment=COMPLAINTS[place], context=context, **more)

    async def lesson(self) -> Any:
        """What two people's complaints about a tool are proposed as, which can be approved as it is."""
        for place in range(2):
            await self.complain(place)
        await self.work()
        (row,) = await self.listed(state="proposed")
        assert row["type"] == "lesson"
        return row

    async def review(self, feedback_id: str, status: str, note: str = "") -> Any:
        body = {"status": status, "review_notes": note}
        return ok(await self.admin.patch(f"/api/feedback/{feedback_id}", json=body))

    async def dismiss(self, feedback_id: str) -> None:
        """Whatever was decided about it before."""
        if (await self.admin.get(f"/api/feedback/{feedback_id}")).json()["status"] != "pending":
            await self.review(feedback_id, "pending")
        await self.review(feedback_id, "dismissed", "A mistake of mine")
