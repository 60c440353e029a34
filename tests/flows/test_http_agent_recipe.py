"""The agent of docs/recipes.md, run as it is: called over HTTP by a worker, with tools of a server, both processes of their own."""

import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.recipes import written
from tests.records import Desk, ok
from tests.runtimes.scripted import configured, events_of, kinds, show, start
from tests.servers import Program, eventually, free_port, open_folder

RECIPE = written("agent.py")
HANGING = re.sub(r"found = self\.tool\(.*", "__import__('time').sleep(600)", RECIPE)
BABBLING = re.sub(r'self\.tell\("done".*', r'self.wfile.write(b"event: done\\ndata: nonsense\\n\\n")', RECIPE)


@asynccontextmanager
async def served(source: str, folder: Path) -> AsyncIterator[str]:
    port = free_port()
    file = folder / f"agent-{port}.py"
    file.write_text(source)
    program = Program([sys.executable, str(file), str(port)], folder, {"NO_PROXY": "*", "no_proxy": "*"})
    try:
        await eventually(lambda: _listens(port))
        yield f"http://127.0.0.1:{port}/"
    finally:
        program.kill()
        program.close()


async def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_the_agent_is_some_twenty_lines_without_goldloop() -> None:
    lines = [line for line in RECIPE.splitlines() if line.strip()]
    assert len(lines) <= 25
    assert "goldloop" not in RECIPE
    assert HANGING != RECIPE != BABBLING


async def test_the_agent_of_the_recipe_is_run_streams_is_cancelled_times_out_and_answers_garbage(
    apart: tuple[Desk, httpx.AsyncClient],
) -> None:
    desk, client = apart
    await desk.make_record({"name": "Acme"})
    with open_folder() as folder:
        async with (
            served(RECIPE, folder) as recipe,
            served(HANGING, folder) as hanging,
            served(BABBLING, folder) as babbling,
        ):
            common: dict[str, Any] = {"runtime": "http", "tool_groups": ["entities-read"]}
            await configured(desk.workspace, "recipe", url=recipe, **common)
            await configured(desk.workspace, "hanging", url=hanging, **common)
            await configured(desk.workspace, "slow", url=hanging, limits={"seconds": 1}, **common)
            await configured(desk.workspace, "babbling", url=babbling, **common)
            sessions = {
                slug: await start(client, slug, "Acme") for slug in ("recipe", "hanging", "slow", "babbling")
            }

            async def begun() -> bool:
                return kinds(await events_of(client, sessions["hanging"]))[-1] == "agent.message"

            await eventually(begun)  # what it said is there while it hangs
            ok(await client.post(f"/api/sessions/{sessions['hanging']['id']}/cancel"))
            ended = {slug: await _ended(client, session) for slug, session in sessions.items()}
    assert (ended["recipe"]["status"], ended["recipe"]["output"]) == ("completed", "Acme")
    called, *between, completed = kinds(await events_of(client, sessions["recipe"]))[3:]
    assert (called, completed) == ("agent.called", "session.completed")
    assert sorted(between) == ["agent.message", "agent.message", "tool.call", "tool.result"]
    assert between.index("tool.call") < between.index(
        "tool.result"
    )  # what it says comes by another way than its calls
    assert ended["hanging"]["status"] == "cancelled"
    codes = {slug: session["error"] and session["error"]["code"] for slug, session in ended.items()}
    assert (codes["slow"], codes["babbling"]) == ("limit_seconds", "agent_answer_unreadable")


async def _ended(client: httpx.AsyncClient, session: dict[str, Any]) -> dict[str, Any]:
    async def over() -> dict[str, Any] | None:
        found = await show(client, session["id"])
        return found if found["status"] in ("completed", "failed", "cancelled") else None

    found: dict[str, Any] = await eventually(over)
    return found
