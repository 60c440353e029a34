"""What docs/knowledge.md tells whoever runs agents elsewhere, run as it stands there against a server."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from goldloop.client import Client
from goldloop.tenants.model import Role
from tests.knowledge.lessons import RULE, Lessons
from tests.records import ok
from tests.servers import eventually

PAGE = Path(__file__).resolve().parents[2] / "docs" / "knowledge.md"
RECORDED, PYDANTIC_AI = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="off")
    )
    task = asyncio.create_task(server.serve())

    async def started() -> bool:
        return server.started

    await eventually(started)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    await task


async def _run(lessons: Lessons, monkeypatch: pytest.MonkeyPatch, code: str, **names: Any) -> dict[str, Any]:
    """A recipe as a program of its own would run it, for the agent `support-bot`."""
    workspace = lessons.signals.desk.workspace
    agent = await workspace.make_agent("support-bot")
    _, key = await workspace.make_key(Role.CONTRIBUTOR, agent_id=agent.id)
    await lessons.write()
    async with served(workspace.app) as url:
        monkeypatch.setenv("GOLDLOOP_URL", url)
        monkeypatch.setenv("GOLDLOOP_KEY", key)

        def run() -> None:
            with Client() as client:
                exec(code, names.setdefault("client", client) and names)

        await asyncio.to_thread(run)
    return names


async def test_a_recorded_session_carries_the_block_and_names_it(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(instructions: str) -> str:
        asked.append(instructions)
        return "The founders."

    await _run(lessons, monkeypatch, RECORDED, answer=answer)
    held = await lessons.prompt(agent="support-bot", entity_type="company")
    assert asked == [f"Be brief.\n\n{held['prompt']}"]
    (session,) = ok(await lessons.admin.get("/api/sessions", params={"agent": "support-bot"}))["data"]
    assert (session["status"], session["manifest"]) == ("completed", held["manifest"])


async def test_an_agent_of_pydantic_ai_carries_the_block(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(info.instructions or "")
        return ModelResponse(parts=[TextPart("Fine.")])

    made = await _run(lessons, monkeypatch, PYDANTIC_AI, model=FunctionModel(answer))
    await made["agent"].run("Hello")
    (instructions,) = asked
    assert instructions.startswith("Be brief.\n\n<shared_context>")
    assert RULE in instructions
