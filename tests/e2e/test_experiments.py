"""A lesson in shadow is measured from its own page, the experiment shows how far it is and what it found, and the figure stands on the
row, where a person approves it: in a browser, on a model that follows its prompt."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from goldloop.kit.ids import new_id
from tests.e2e.conftest import SECONDS, Server, client_with_key
from tests.e2e.model_server import model_server, says
from tests.e2e.test_accessibility import LOOKS, check_page
from tests.records import ok

EVALS = "/admin/agent-review/evals"
KNOWLEDGE = "/admin/agent-review/knowledge"
API = "/api/admin/evals"
ROWS = "/api/admin/shared-context"
GOLDENS = 2
PAIRS = 8  # all of which differ, and seven are enough
MANY = 180 * SECONDS  # sixteen sessions, four at a time, on a busy machine
HELPS = "Propose the cargo of a barge at once."
SCHEMA = {"type": "object", "properties": {"cargo": {"type": "integer"}}}


@dataclass
class Quay:
    """Goldens of an agent that was told what to do; in its newest version only knowledge tells it."""

    client: httpx.Client
    set: str
    lesson: Any
    other: Any


def _follow(request: dict[str, Any]) -> dict[str, Any]:
    """Proposes what it is told where its prompt says so."""
    messages = request["messages"]
    question = next(str(each["content"]) for each in messages if each["role"] == "user")
    entity, cargo = question.split()[-2:]
    if HELPS in json.dumps(messages) and not any(each["role"] == "tool" for each in messages):
        arguments = json.dumps({"entityId": entity, "values": {"cargo": int(cargo)}})
        function = {"name": "submitResponse", "arguments": arguments}
        call = {"id": "call_1", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    return says(f"It carries {cargo}.")


def _wait_for(client: httpx.Client, session_id: str) -> None:
    for _ in range(600):
        if ok(client.get(f"/api/sessions/{session_id}"))["status"] == "completed":
            return
        time.sleep(0.2)
    raise AssertionError("the session does not end")


@pytest.fixture(scope="module")
def quay(server: Server) -> Iterator[Quay]:
    name = f"barge-{new_id().hex[-8:]}"
    with model_server(_follow) as url, client_with_key(server, name, "--role", "owner") as client:
        ok(client.post("/api/entity-types", json={"slug": name, "name": name, "json_schema": SCHEMA}))
        agent = ok(client.post("/api/agents", json={"slug": f"{name}-clerk", "name": f"Clerk of {name}"}))
        config = {"model": "openai:scripted", "base_url": url, "tool_groups": ["responses"]}
        configured = f"/api/agents/{agent['id']}/config"
        ok(client.put(configured, json={**config, "instructions": HELPS}))
        for number in range(GOLDENS):
            barge = ok(client.post("/api/entities", json={"type": name, "title": f"Barge {number}"}))
            asked = {"message": f"Set the cargo of {barge['id']} {number + 10}"}
            session = ok(client.post("/api/sessions", json={"agent": agent["slug"], "input": asked}))
            _wait_for(client, session["id"])
            golden = {"sessionId": session["id"], "set": name, "floor": False}
            ok(client.post(f"{API}/golden", json=golden))
        ok(client.put(configured, json={**config, "instructions": "Answer at once."}))
        scope = {"type": "lesson", "agent_id": agent["id"]}
        lesson = ok(client.post(ROWS, json={**scope, "content": HELPS, "active": False}))
        other = ok(client.post(ROWS, json={**scope, "content": "Greet the harbour master."}))
        yield Quay(client, name, lesson, other)


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context.new_page()
    context.close()


def test_a_lesson_is_measured_from_its_page_and_approved_on_its_figure(
    page: Page, quay: Quay, browser: Browser, server: Server, owner_state: StorageState
) -> None:
    page.goto(f"{KNOWLEDGE}?row={quay.lesson['id']}")
    pane = page.get_by_role("region", name="The open row")
    expect(pane).to_contain_text("Nobody has measured it.")

    # What it takes is said while one chooses.
    pane.get_by_role("button", name="Measure…").click()
    dialog = page.get_by_role("dialog", name="Measure what lessons are worth")
    dialog.get_by_label("Goldens").select_option(quay.set)
    dialog.get_by_label("Pairs").fill(str(PAIRS))
    expect(dialog).to_contain_text(f"{2 * PAIRS} replays, about")
    check_page(page)
    dialog.get_by_text("All that applies").click()
    expect(dialog).to_contain_text("Finds a row worth 20 points")
    buys = dialog.get_by_role("button", name=re.compile("^80% takes .* replays$"))
    wanted = re.sub(r"\D", "", buys.last.inner_text().removeprefix("80%"))
    buys.last.click()
    expect(dialog.get_by_label("Replays")).to_have_value(wanted)
    dialog.get_by_text("Chosen rows").click()
    expect(dialog.get_by_role("checkbox", name=HELPS)).to_be_checked()
    expect(dialog).to_contain_text(f"{2 * PAIRS} replays, about")
    dialog.get_by_role("button", name="Start").click()

    # How far it is, and then what it found, without a reload.
    expect(page).to_have_url(re.compile(f"{EVALS}/experiments/"))
    expect(page.get_by_role("heading", level=2, name="1 row helps.")).to_be_visible(timeout=MANY)
    found = page.get_by_role("table", name="Rows of the experiment").get_by_role("row").nth(1)
    for words in (HELPS, "Helps", "Confirmed", "+100.0", "Evidence that it helps"):
        expect(found).to_contain_text(words)
    page.get_by_text("How this was measured, and what it does not say").click()
    check_page(page)

    # The figure stands on the row, with what is proposed on it; a person decides.
    found.get_by_role("link", name=HELPS).click()
    expect(pane).to_contain_text(re.compile(rf"\+100\.0 \(\d.*\), n\s{PAIRS}"))
    expect(pane).to_contain_text("Evidence may be looked at any time; 20 is enough.")
    expect(pane).to_contain_text("To approve it is proposed; a person decides.")
    check_page(page)
    pane.get_by_role("button", name="Approve…").click()
    decided = page.get_by_role("dialog", name="Approve")
    expect(decided).to_contain_text("What it is worth: +100.0")
    decided.get_by_role("button", name="Approve", exact=True).click()
    expect(pane.get_by_text("Active", exact=True).first).to_be_visible()
    expect(pane).to_contain_text(re.compile(r"\+100\.0 \(.*\), n\s8 then"))

    # Other words are another row: the figure is grey, and says why.
    ok(quay.client.patch(f"{ROWS}/{quay.lesson['id']}", json={"content": f"{HELPS} Always."}))
    expect(pane).to_contain_text("Old: it says something else now.")

    for scheme, width in LOOKS:
        context = browser.new_context(
            base_url=server.url,
            storage_state=owner_state,
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 844},
        )
        looked = context.new_page()
        looked.goto(f"{EVALS}?tab=experiments&set={quay.set}")
        looked.get_by_role("link", name=re.compile("What knowledge is worth")).click()
        expect(looked.get_by_text("Says something else now")).to_be_visible()
        check_page(looked)
        looked.goto(f"{EVALS}?tab=experiments&set={quay.set}")
        expect(looked.get_by_role("table", name="Experiments")).to_be_visible()
        check_page(looked)
        looked.goto(f"{KNOWLEDGE}?row={quay.lesson['id']}")
        expect(
            looked.get_by_text("Old: it says something else now.").filter(visible=True).first
        ).to_be_visible()
        check_page(looked)
        context.close()


def test_an_experiment_is_cancelled_and_narrowed_by_the_address(page: Page, quay: Quay) -> None:
    asked = {"setName": quay.set, "rowIds": [quay.other["id"]], "replays": 400, "name": "Begun too early"}
    begun = ok(quay.client.post(f"{API}/experiments", json=asked))
    page.goto(f"{EVALS}/experiments/{begun['id']}")
    page.get_by_role("button", name="Cancel experiment").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel experiment").click()
    expect(page.get_by_text("It was stopped before anything could be said.")).to_be_visible()
    page.goto(f"{EVALS}?tab=experiments&status=cancelled&set={quay.set}")
    table = page.get_by_role("table", name="Experiments")
    expect(table.get_by_role("link", name="Begun too early")).to_be_visible()
    page.get_by_label("Status").select_option("confirming")
    expect(page.get_by_text("No experiment is like that")).to_be_visible()
    expect(page).to_have_url(re.compile("status=confirming"))
