"""What docs/knowledge.md tells whoever runs agents elsewhere, run as it stands there against a server."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from goldloop.tenants.model import Role
from tests.knowledge.capture_recipe import PROMPT, Model
from tests.knowledge.lessons import RULE, Lessons
from tests.knowledge.recipes import CAPTURES, RECIPES, file_of, fingerprint, instructions_of
from tests.records import ok
from tests.served import served

CAPTURED = ["LangChain", "OpenAI Agents"]  # whose packages are not installed here


def test_every_recipe_is_run_or_captured() -> None:
    assert list(RECIPES) == ["the client", "LangChain", "OpenAI Agents", "pydantic-ai", "plain HTTP"]
    assert sorted(CAPTURES.iterdir()) == [file_of(name) for name in CAPTURED]
    for lines in RECIPES.values():
        assert sum(not line.startswith("from ") for line in lines.splitlines() if line) <= 5


async def _key(lessons: Lessons) -> str:
    """Of the agent `support-bot`, which has something to learn."""
    workspace = lessons.signals.desk.workspace
    agent = await workspace.make_agent("support-bot")
    await lessons.write()
    return (await workspace.make_key(Role.CONTRIBUTOR, agent_id=agent.id))[1]


async def _run(lessons: Lessons, monkeypatch: pytest.MonkeyPatch, recipe: str, names: dict[str, Any]) -> None:
    """A recipe with what stands around it in a program."""
    key = await _key(lessons)
    async with served(lessons.signals.desk.workspace.app) as url:
        monkeypatch.setenv("GOLDLOOP_URL", url)
        monkeypatch.setenv("GOLDLOOP_KEY", key)
        names |= {"GOLDLOOP_URL": url, "GOLDLOOP_KEY": key}
        await asyncio.to_thread(exec, RECIPES[recipe], names)


async def _recorded(lessons: Lessons) -> Any:
    (session,) = ok(await lessons.admin.get("/api/sessions", params={"agent": "support-bot"}))["data"]
    return session


async def test_a_session_of_the_client_carries_the_block_and_names_it(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(instructions: str) -> str:
        asked.append(instructions)
        return "The founders."

    await _run(lessons, monkeypatch, "the client", {"answer": answer})
    held = await lessons.prompt(agent="support-bot", entity_type="company")
    assert asked == [f"Be brief.\n\n{held['prompt']}"]
    session = await _recorded(lessons)
    assert (session["status"], session["manifest"]) == ("completed", held["manifest"])


async def test_plain_requests_carry_the_block_and_name_it(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, Any] = {"httpx": httpx}
    await _run(lessons, monkeypatch, "plain HTTP", names)
    names["api"].close()
    held = await lessons.prompt(agent="support-bot")
    assert names["instructions"] == f"Be brief.\n\n{held['prompt']}"
    assert (await _recorded(lessons))["manifest"] == names["session"]["manifest"] == held["manifest"]


async def test_an_agent_of_pydantic_ai_carries_the_block(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model()
    async with served(model) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        names: dict[str, Any] = {}
        await _run(lessons, monkeypatch, "pydantic-ai", names)
        await names["agent"].run("Hello")
    (told,) = [instructions_of(request) for request in model.requests]
    assert told == f"Be brief.\n\n{(await lessons.prompt(agent='support-bot'))['prompt']}"
    assert RULE in told


@pytest.mark.parametrize("recipe", CAPTURED)
def test_an_agent_of_another_framework_carried_the_block(recipe: str) -> None:
    """Lines that changed are run again: `python -m tests.knowledge.capture_recipe`."""
    captured = json.loads(file_of(recipe).read_text())
    assert captured == {"sha256": fingerprint(recipe), "instructions": f"Be brief.\n\n{PROMPT}"}
