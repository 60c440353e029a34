"""The recipes of the documentation, run as they are, against a real Goldloop: FastAPI's server and the page, a plain loop."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

import goldloop
from tests.e2e.conftest import ROOT, Server, client_with_key, free_port, keyed
from tests.recipes import written


@pytest.fixture
def key(server: Server) -> str:
    with client_with_key(server, "chat", "--role", "contributor") as client:
        return client.headers["Authorization"].removeprefix("Bearer ")


@pytest.fixture
def chat(server: Server, key: str, tmp_path: Path) -> Iterator[str]:
    for name in ("chat.py", "chat.html"):
        (tmp_path / name).write_text(written(name))
    port = str(free_port())
    process = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "chat:app", "--port", port],
        cwd=tmp_path,
        env={**os.environ, "GOLDLOOP_URL": server.url, "GOLDLOOP_KEY": key},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "Uvicorn running" in line:
            break
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    log = process.stderr.read()
    assert process.wait(60) == 0 or "Finished server process" in log, log
    assert list((tmp_path / "goldloop-queue").iterdir()) == [], "everything was sent"


def test_the_recipes_run(chat: str, server: Server, key: str, page: Page) -> None:
    page.goto(chat)
    page.get_by_label("Your message").fill("Where is <b>my</b> order?")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("You said: Where is <b>my</b> order?")).to_be_visible()
    helpful = page.get_by_role("button", name="Helpful", exact=True)
    helpful.click()
    expect(helpful).to_have_attribute("aria-pressed", "true")
    reader = keyed(server, key)
    with reader, httpx.Client(base_url=chat, timeout=30) as own:
        listed = reader.get("/api/conversations", params={"project": "Support"}).json()["data"]
        found = next(row for row in listed if row["title"].startswith("Where is <b>"))
        shown = reader.get(f"/api/conversations/Support/{found['id']}").json()
        (turn,) = shown["turns"]
        assert (turn["user"], turn["agent"], turn["has_log"]) == (
            "Where is <b>my</b> order?",
            "answer-bot",
            True,
        )
        assert [row["plain"]["reaction"] for row in turn["reactions"]] == ["ok"]
        session = reader.get(f"/api/sessions/{turn['session_id']}").json()
        assert (session["status"], session["tool_calls"]) == ("completed", 1)
        assert session["conversation"] == {"project": "Support", "id": found["id"]}
        place = f"/chat/{found['id']}/{turn['turn_id']}"
        assert own.post(f"{place}/thumb", json={"reaction": "not_ok", "text": "Late"}).json() == {
            "queued": True
        }
        assert own.post(f"{place}/token").status_code == 200, "after what was queued"
        shown = reader.get(f"/api/conversations/Support/{found['id']}").json()
        assert [row["plain"]["text"] for row in shown["turns"][0]["reactions"]] == ["Late"]


def test_the_plain_loop_is_recorded(server: Server, key: str, tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(written("loop.py"))
    environment = {**os.environ, "GOLDLOOP_URL": server.url, "GOLDLOOP_KEY": key}
    done = subprocess.run(
        [sys.executable, "loop.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("In Oslo: rain, 7 degrees\n", "")
    with goldloop.Client(server.url, key) as client:
        session = next(client.sessions.list(q="weather Oslo"))
        assert (session.agent, session.status, session.output) == (
            "weather-bot",
            "completed",
            "In Oslo: rain, 7 degrees",
        )
        assert (session.requests, session.tool_calls, session.input_tokens) == (2, 1, 145)
        kinds = [event.type for event in client.sessions.events(session.id)]
        assert kinds == [
            "session.created", "user.message", "model.request", "tool.call", "tool.result", "model.request",
            "agent.message", "session.completed",
        ]  # fmt: skip


def test_the_example_of_the_client_runs(server: Server, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "client.md").read_text()
    section = page.partition("## Conversations\n")[2]
    with goldloop.Client(server.url, key) as client:
        exec(section.partition("```python\n")[2].partition("```")[0], {"client": client})
        assert "added not_ok Wrong day" in capsys.readouterr().out
        for n in range(3):
            client.background.add_turn("Together", "c", f"turn_{n}", user="Hello?", assistant=f"Hello {n}.")
        client.background.react("Together", "c", "turn_1", "ok")
        assert client.flush(30)
        assert (client.background.stats.sent, client.background.stats.failed) == (4, 0)
        shown = client.conversations.show("Together", "c").turns
        assert [turn.turn_id for turn in shown] == ["turn_0", "turn_1", "turn_2"]
        assert [row.plain.reaction for row in shown[1].reactions] == ["ok"]


def test_the_example_of_a_recorded_session_runs(server: Server, key: str) -> None:
    page = (ROOT / "docs" / "client.md").read_text()
    section = page.partition("## Recording a session\n")[2]
    with goldloop.Client(server.url, key) as client:
        found = {
            "client": client,
            "ask": lambda *_: ("It is in Oslo.", 120, 9),
            "find_order": lambda number: "Oslo",
        }
        exec(section.partition("```python\n")[2].partition("```")[0], found)
        assert client.flush(30)
        session = client.sessions.show(found["session"].id)  # type: ignore[attr-defined]
        assert (session.status, session.output, session.tool_calls) == ("completed", "It is in Oslo.", 1)
        assert (session.input_tokens, client.background.stats.failed) == (120, 0)
