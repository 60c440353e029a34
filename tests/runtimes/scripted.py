"""Agents that run here on a scripted model, and what a worker does with their sessions."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import httpx
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from goldloop.agents import store as configurations
from goldloop.agents.model import AgentConfig
from goldloop.kit.db import APP_ROLE, Database
from goldloop.kit.outside import Outside
from goldloop.runtimes import jobs
from goldloop.runtimes.model import MODELS
from goldloop.tenants.auth.actors import system_actor
from tests.factories import Workspace
from tests.records import Desk, ok

Step = str | ToolCallPart | Sequence[ToolCallPart] | Callable[[list[ModelMessage]], ModelResponse]


def call(tool: str, call_id: str = "c1", **arguments: Any) -> ToolCallPart:
    return ToolCallPart(tool_name=tool, args=arguments, tool_call_id=call_id)


def returned(messages: list[ModelMessage]) -> list[Any]:
    """What tools gave back, in order."""
    return [
        part.content for message in messages for part in message.parts if isinstance(part, ToolReturnPart)
    ]


@dataclass
class Script:
    """A model that says one step after the other. What it says depends on the messages alone, as with any model: after a
    crash it is asked with those that were recorded."""

    steps: Sequence[Step]
    asked: list[list[ModelMessage]] = field(default_factory=list)

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.asked.append(messages)
        answered = sum(isinstance(message, ModelResponse) for message in messages)
        step = self.steps[min(answered, len(self.steps) - 1)]
        if callable(step):
            return step(messages)
        parts = (
            [TextPart(step)] if isinstance(step, str) else [step] if isinstance(step, ToolCallPart) else step
        )
        return ModelResponse(parts=list(parts), usage=RequestUsage(input_tokens=10, output_tokens=5))

    @asynccontextmanager
    async def model(self, config: AgentConfig, key: str | None) -> AsyncIterator[FunctionModel]:
        yield FunctionModel(self, model_name="scripted")


def scripted(outside: Outside, script: Script) -> Outside:
    return replace(outside, ports={**outside.ports, MODELS: script.model})


async def configured(workspace: Workspace, slug: str = "worker", **config: Any) -> str:
    """An agent that runs here; returns its slug."""
    agent = await workspace.make_agent(slug)
    client = await workspace.client()
    ok(await client.put(f"/api/agents/{agent.id}/config", json=config))
    return slug


async def configured_before(workspace: Workspace, slug: str = "worker", **config: Any) -> str:
    """The same with a configuration that would be refused today."""
    agent = await workspace.make_agent(slug)
    async with workspace.db.in_role(APP_ROLE).tx(system_actor(workspace.id)) as tx:
        assert await configurations.insert(tx, agent.id, 1, AgentConfig(**config), "", None)
    return slug


async def set_secret(desk: Desk, slug: str, name: str, value: str) -> None:
    admin = await desk.workspace.client()
    (agent,) = [row for row in ok(await admin.get("/api/agents"))["data"] if row["slug"] == slug]
    answer = await admin.put(f"/api/agents/{agent['id']}/secrets/{name}", json={"value": value})
    assert answer.status_code == 204, answer.text


async def start(
    client: httpx.AsyncClient, agent: str, message: str = "Begin.", **more: Any
) -> dict[str, Any]:
    body = {"agent": agent, "input": {"message": message}, **more}
    session: dict[str, Any] = ok(await client.post("/api/sessions", json=body))
    return session


async def work(db: Database, workspace: Workspace, outside: Outside, session: dict[str, Any]) -> None:
    """What a worker does with a session's job."""
    await jobs.run(db, system_actor(workspace.id), outside, run_id=session["id"])


async def events_of(client: httpx.AsyncClient, session: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ok(
        await client.get(f"/api/sessions/{session['id']}/events", params={"limit": 200})
    )["data"]
    return found


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


async def show(client: httpx.AsyncClient, session_id: str | UUID) -> dict[str, Any]:
    session: dict[str, Any] = ok(await client.get(f"/api/sessions/{session_id}"))
    return session
