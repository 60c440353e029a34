"""Shortcuts through the API for goldens; each asserts that it worked unless it says `try`."""

from dataclasses import dataclass
from typing import Any

import httpx

from tests.factories import Workspace
from tests.records import ok
from tests.sessions.recordings import begin, event, send, story

EVALS = "/api/admin/evals"
GOLDEN = f"{EVALS}/golden"


@dataclass
class Shelf:
    """A workspace whose admin promotes sessions that ran elsewhere."""

    workspace: Workspace
    admin: httpx.AsyncClient

    async def record(self, *events: dict[str, Any], end: str | None = "completed", **session: Any) -> Any:
        """A session that ran elsewhere, with a story of its own unless told otherwise."""
        made = await begin(self.admin, **session)
        ok(await send(self.admin, made, list(events) or story()))
        if end is None:
            return made
        body = {"status": end, "output": "Ninety days."} if end == "completed" else {"status": end}
        return ok(await self.admin.post(f"/api/sessions/{made['id']}/end", json=body))

    async def ask(self, text: str, end: str = "completed", **session: Any) -> Any:
        return await self.record(event("user.message", text=text), end=end, **session)

    def try_promote(self, session: Any, **golden: Any) -> Any:
        return self.admin.post(GOLDEN, json={"sessionId": session["id"], **golden})

    async def promote(self, session: Any, **golden: Any) -> Any:
        return ok(await self.try_promote(session, **golden))

    async def promoted(self, **golden: Any) -> Any:
        """A new session that is golden."""
        return await self.promote(await self.record(), **golden)

    async def show(self, golden: Any) -> Any:
        return ok(await self.admin.get(f"{GOLDEN}/{golden['sessionId']}"))

    async def change(self, golden: Any, **changes: Any) -> Any:
        return ok(await self.admin.patch(f"{GOLDEN}/{golden['sessionId']}", json=changes))

    async def revoke(self, golden: Any) -> None:
        ok(await self.admin.delete(f"{GOLDEN}/{golden['sessionId']}"))

    async def listed(self, **query: Any) -> list[Any]:
        found: list[Any] = ok(await self.admin.get(GOLDEN, params=query))["data"]
        return found

    async def sets(self) -> dict[str, Any]:
        """By name."""
        return {each["name"]: each for each in ok(await self.admin.get(f"{EVALS}/sets"))["data"]}

    async def session(self, session_id: str) -> Any:
        return ok(await self.admin.get(f"/api/sessions/{session_id}"))

    async def start_run(self, golden: Any, agent: str) -> dict[str, str]:
        """Replays of a golden that wait: the ids of the run and of its only replay."""
        body = {"goldenSessionId": golden["sessionId"], "agent": agent, "baseline": "none"}
        answer = await self.admin.post(f"{EVALS}/runs", json=body)
        assert answer.status_code == 202, answer.text
        run_id = answer.json()["id"]
        (replay,) = ok(await self.admin.get(f"{EVALS}/runs/{run_id}/replays"))["data"]
        return {"eval_run_id": run_id, "replay_id": replay["id"]}

    async def start_experiment(self, golden: Any, agent: str, words: str = "Use euros") -> dict[str, str]:
        """What a lesson is worth, which is to be measured: the id of the experiment."""
        lesson = {"type": "lesson", "content": words}
        row = ok(await self.admin.post("/api/admin/shared-context", json=lesson))
        body = {"setName": golden["set"], "agent": agent, "rowIds": [row["id"]], "replays": 2}
        answer = await self.admin.post(f"{EVALS}/experiments", json=body)
        assert answer.status_code == 202, answer.text
        return {"experiment_id": answer.json()["id"]}

    def alternative(self, golden: Any, session: Any) -> str:
        return f"{GOLDEN}/{golden['sessionId']}/alternatives/{session['id']}"
