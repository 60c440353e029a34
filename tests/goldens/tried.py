"""An agent that follows its instructions, its goldens, and what workers do with their replays."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from goldloop.agents.model import AgentConfig
from goldloop.goldens.experiments.end_service import MEASURE
from goldloop.goldens.experiments.staleness_service import RECHECK
from goldloop.goldens.replays import service as replays
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs.jobs import LET_GO
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from tests.records import Desk, ok
from tests.runtimes.scripted import Script, configured, returned, scripted, work

EVALS = "/api/admin/evals"
CAREFUL = "Look the company up, then propose its employees."
HASTY = "Answer at once."

Say = Callable[[str, str, list[Any]], str | ToolCallPart]


class Obedient(Script):
    """What it does depends on its instructions and on what its tools gave back."""

    def __init__(self, say: Say, model_name: str = "scripted") -> None:
        super().__init__([])
        self.say, self.model_name = say, model_name

    @asynccontextmanager
    async def model(self, config: AgentConfig, key: str | None) -> AsyncIterator[FunctionModel]:
        yield FunctionModel(self, model_name=self.model_name)

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        first = next(message for message in messages if isinstance(message, ModelRequest))
        text = str(first.parts[-1].content)  # type: ignore[union-attr]
        step = self.say(first.instructions or "", text, returned(messages))
        part = TextPart(step) if isinstance(step, str) else step
        return ModelResponse(parts=[part], usage=RequestUsage(input_tokens=100, output_tokens=20))


@dataclass
class Tried:
    desk: Desk
    db: Database
    outside: Outside
    admin: httpx.AsyncClient
    agent: str = ""
    model: str = "scripted"  # of which nobody knows a price

    async def configure(self, **config: Any) -> None:
        """Another version of the agent."""
        (agent,) = [
            row for row in ok(await self.admin.get("/api/agents"))["data"] if row["slug"] == self.agent
        ]
        ok(await self.admin.put(f"/api/agents/{agent['id']}/config", json=config))

    def _outside(self, say: Say | None) -> Outside:
        return self.outside if say is None else scripted(self.outside, Obedient(say, self.model))

    async def run(self, say: Say | None, message: str, **more: Any) -> Any:
        """A session of the agent, to its end."""
        body = {"agent": self.agent, "input": {"message": message}, **more}
        session = ok(await self.admin.post("/api/sessions", json=body))
        await work(self.db, self.desk.workspace, self._outside(say), session)
        return ok(await self.admin.get(f"/api/sessions/{session['id']}"))

    async def promote(self, session: Any, **more: Any) -> Any:
        return ok(await self.admin.post(f"{EVALS}/golden", json={"sessionId": session["id"], **more}))

    async def drain(self, *kinds: str) -> int:
        marks = MarkRunner(self.db, self.outside)
        return sum([await marks.drain(MARKS[kind]) for kind in kinds])

    async def queued(self) -> list[Any]:
        """Sessions of replays that wait for a worker."""
        query: dict[str, Any] = {"status": "queued", "purpose": "replay", "limit": 200}
        found: list[Any] = ok(await self.admin.get("/api/sessions", params=query))["data"]
        return found

    async def work_off(self, say: Say | None) -> int:
        """What waits for a worker, without comparing it."""
        queued = await self.queued()
        for session in queued:
            await work(self.db, self.desk.workspace, self._outside(say), session)
        return len(queued)

    async def go_on(self, say: Say | None, most: int = 200) -> int:
        """What workers do until nothing is left to do; how many sessions ran. Without `say` the agent asks its own model."""
        ran = 0
        for _ in range(most):
            done = await self.drain(runs.ADVANCE, replays.COMPARE, LET_GO, MEASURE, RECHECK)
            worked = await self.work_off(say)
            ran += worked
            if not done and not worked:
                return ran
        raise AssertionError("it does not end")

    async def show(self, run: Any) -> Any:
        return ok(await self.admin.get(f"{EVALS}/runs/{run['id']}"))

    async def run_set(self, name: str, **more: Any) -> Any:
        return ok(await self.admin.post(f"{EVALS}/runs/set", json={"setName": name, **more}))


async def tried(desk: Desk, db: Database, outside: Outside) -> Tried:
    agent = await configured(
        desk.workspace, "clerk", instructions=CAREFUL, tool_groups=["entities-read", "responses"]
    )
    return Tried(desk, db, outside, await desk.workspace.client(), agent)
