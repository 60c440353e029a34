"""Sessions as people see them: one grows while one looks, tools open, lists are narrowed, a long one is read anywhere."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import LOOKS, check_page
from tests.loops import some

LIST = "/admin/agent-review/sessions"
LONG = 5000  # events


@pytest.fixture(scope="module")
def program(server: Server) -> Iterator[httpx.Client]:
    """A program that runs an agent of its own, with a contributor's key of the first workspace."""
    with client_with_key(server, "program", "--role", "contributor") as client:
        yield client


def begin(program: httpx.Client, **more: Any) -> str:
    answer = program.post("/api/sessions", json={"source": "client", "agent": "packer", **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def add(program: httpx.Client, session: str, *events: tuple[str, dict[str, Any]]) -> None:
    sent = [{"id": str(uuid4()), "type": kind, "payload": payload} for kind, payload in events]
    for start in some(range(0, len(sent), 1000)):
        answer = program.post(f"/api/sessions/{session}/events", json=sent[start : start + 1000])
        assert answer.status_code == 200, answer.text


def end(program: httpx.Client, session: str, **how: Any) -> None:
    assert program.post(f"/api/sessions/{session}/end", json=how).status_code == 200


@pytest.fixture(scope="module")
def long_session(program: httpx.Client) -> str:
    session = begin(program)
    steps: list[tuple[str, dict[str, Any]]] = [("user.message", {"text": "Pack five thousand parcels"})]
    number = 0
    while len(steps) < LONG - 2:
        number += 1
        steps.append(
            ("tool.call", {"id": f"c{number}", "name": "packParcel", "arguments": {"parcel": number}})
        )
        steps.append(("tool.result", {"id": f"c{number}", "result": {"weight": number}}))
    add(program, session, *steps[: LONG - 2])
    end(program, session, status="completed")
    return session


@pytest.fixture
def owner(browser: Browser, server: Server, owner_state: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context
    context.close()


def tool(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^Tool {name}"))


def top(row: Locator) -> float:
    box = row.bounding_box()
    assert box is not None
    return box["y"]


def test_a_session_grows_while_one_looks_and_a_tool_call_is_opened(
    program: httpx.Client, owner: BrowserContext
) -> None:
    page = owner.new_page()
    page.goto(f"{LIST}?q=glassware")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    session = begin(program, type="chat")
    add(program, session, ("user.message", {"text": "How do I **pack** glassware?"}))
    row = page.get_by_role("row").filter(has_text="How do I pack glassware?")
    expect(row).to_contain_text("Running")
    expect(row).to_contain_text("packer")
    row.get_by_role("link").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("How do I pack glassware?")
    expect(page.get_by_role("article", name="User: How do I pack glassware?")).to_be_visible()
    expect(page.get_by_text("It still runs.")).to_be_visible()
    add(program, session, ("model.request", {"model": "gpt-6", "input_tokens": 1200, "output_tokens": 40}))
    expect(page.get_by_role("button", name="Model gpt-6")).to_contain_text("1.2k in · 40 out")
    expect(page.get_by_text("1.2k in · 40 out").first).to_be_visible()
    call = {"id": "c1", "name": "findBoxes", "arguments": {"goods": "glass", "many": 6}}
    add(program, session, ("tool.call", call))
    expect(tool(page, "findBoxes, under way")).to_be_visible()
    tool(page, "findBoxes").click()
    expect(page.get_by_role("region", name="Arguments")).to_contain_text('"goods": "glass"')
    expect(page).to_have_url(re.compile(r"event=4$"))

    was = top(tool(page, "findBoxes"))
    found = {"boxes": ["double-walled"] * 3}
    add(program, session, ("tool.result", {"id": "c1", "result": found, "duration_ms": 420}))
    result = page.get_by_role("region", name="Result")  # beside the arguments, which stay open
    expect(result).to_contain_text("double-walled")
    expect(page.get_by_role("region", name="Arguments")).to_be_visible()
    assert top(tool(page, "findBoxes")) == was
    large = {"id": "c2", "name": "readManual", "arguments": {"text": "word " * 30_000 + "the very end"}}
    add(program, session, ("tool.call", large), ("tool.result", {"id": "c2", "error": "The manual is torn"}))
    expect(page.get_by_text("The manual is torn")).to_be_visible()
    add(program, session, ("agent.message", {"text": "Wrap **each** glass."}))
    end(program, session, status="completed", output="Wrap each glass.")
    expect(page.get_by_role("article", name="Agent: Wrap each glass.")).to_be_visible()
    expect(page.get_by_text("It still runs.")).to_have_count(0)
    expect(page.get_by_role("button", name="Completed")).to_be_visible()

    tool(page, "readManual").click()
    arguments = page.get_by_role("region", name="Arguments").last
    expect(arguments).not_to_contain_text("the very end")
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_text("Copy takes all.")).to_be_visible()
    page.get_by_role("link", name="Timeline").click()
    expect(page.get_by_role("button", name=re.compile("^Tool findBoxes, 420 ms"))).to_be_visible()
    page.get_by_role("link", name="Events", exact=True).click()
    page.get_by_role("button", name="Event 5, tool.result").click()
    payload = page.locator('[data-row="5"]').get_by_role("region", name="Payload")
    expect(payload).to_contain_text('"duration_ms": 420')
    page.reload()
    expect(page.get_by_role("button", name="Event 5, tool.result")).to_be_focused()
    page.get_by_role("link", name="Sessions", exact=True).click()
    expect(page).to_have_url(re.compile(r"q=glassware"))  # the list as it was


def test_a_list_is_narrowed_and_a_sent_address_shows_the_same(
    program: httpx.Client, owner: BrowserContext, browser: Browser, server: Server, owner_state: Any
) -> None:
    for number, (kind, how) in enumerate(
        (("chat", "completed"), ("chat", "failed"), ("tool", "failed"), ("tool", "cancelled"))
    ):
        session = begin(program, type=kind)
        add(program, session, ("user.message", {"text": f"Ship crate {number}"}))
        end(program, session, status=how)
    page = owner.new_page()
    page.goto(LIST)
    page.get_by_label("Search what was said").fill("crate")
    rows = page.get_by_role("table", name="Sessions").get_by_role("row")
    expect(rows).to_have_count(5)
    page.get_by_label("Status").select_option("failed")
    expect(rows).to_have_count(3)
    page.get_by_label("Type").select_option("tool")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Filter").click()
    page.get_by_label("Source").select_option("client")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Filter, 1 active")).to_be_visible()
    expect(page).to_have_url(re.compile("source=client"))

    other = browser.new_context(base_url=server.url, storage_state=owner_state)
    sent = other.new_page()
    sent.goto(page.url)
    expect(sent.get_by_role("table", name="Sessions").get_by_role("row")).to_have_count(2)
    sent.keyboard.press("j")
    link = sent.get_by_role("link", name="Ship crate 2")
    expect(link).to_be_focused()
    sent.keyboard.press("Enter")
    expect(sent.get_by_role("note")).to_contain_text("nobody told why")
    other.close()


def test_a_long_session_is_read_from_anywhere(long_session: str, owner: BrowserContext) -> None:
    page = owner.new_page()
    page.goto(f"/sessions/{long_session}")
    shown = page.get_by_text(re.compile(r"^Showing .* events"))
    expect(shown).to_contain_text("Showing 200 of 5,000 events")
    rows = page.locator("[data-row]")
    expect(rows.first).to_be_attached()
    assert rows.count() < 100  # of those that are loaded, the ones in sight
    page.mouse.move(640, 500)
    page.mouse.wheel(0, 20_000)
    expect(shown).to_contain_text("Showing 400 of 5,000 events")

    page.goto(f"/sessions/{long_session}?event=2503")
    middle = page.locator('[data-stop="2503"]')
    expect(middle).to_be_focused()
    expect(page.get_by_role("region", name="Arguments")).to_contain_text("1251")
    expect(shown).to_contain_text("Showing 2,483 to 2,682 of 5,000 events")
    earlier = page.get_by_role("button", name="Load earlier events")
    earlier.scroll_into_view_if_needed()
    was = top(middle)
    earlier.click()
    expect(shown).to_contain_text("Showing 2,283 to 2,682 of 5,000 events")
    assert abs(top(middle) - was) < 2  # what one reads stays
    for _ in range(40):
        page.keyboard.press("j")
    expect(page.locator('[data-stop="2583"]')).to_be_focused()
    page.get_by_role("link", name="Go to the end").click()
    expect(shown).to_contain_text("Showing 4,801 to 5,000 of 5,000 events")
    expect(page.locator('[data-stop="5000"]')).to_be_focused()
    expect(page.locator('[data-stop="5000"]')).to_be_in_viewport()


def test_a_record_and_a_conversation_lead_to_their_sessions(
    program: httpx.Client, owner: BrowserContext
) -> None:
    slug = f"crate-{uuid4().hex[:6]}"
    page = owner.new_page()
    headers = {"X-Goldloop-Tenant": "main", "X-Goldloop-CSRF": csrf(owner)}
    made = owner.request.post(
        "/api/entity-types",
        headers=headers,
        data={
            "slug": slug,
            "name": "Crate",
            "json_schema": {"type": "object", "properties": {"kg": {"type": "number"}}},
        },
    )
    assert made.ok, made.text()
    record = owner.request.post(
        "/api/entities", headers=headers, data={"type": slug, "title": "Crate seven", "content": {}}
    ).json()["id"]
    session = begin(program, entity_id=record, conversation={"project": "Packing", "id": "seven"})
    add(program, session, ("user.message", {"text": "Weigh crate seven"}))
    said = {"turn_id": "t1", "user": {"text": "Weigh crate seven"}, "session_id": session}
    assert program.post("/conversations/main/Packing/seven/turns", json=said).status_code == 201

    page.goto(f"/records/{record}?tab=sessions")
    page.get_by_role("table", name="Sessions about this record").get_by_role("link").click()
    expect(page.get_by_role("link", name="Crate seven")).to_have_attribute("href", f"/records/{record}")
    page.get_by_role("link", name="seven", exact=True).click()
    turn = page.locator('article[data-turn="t1"]')
    turn.get_by_role("link", name="Session").click()
    expect(page).to_have_url(re.compile(f"/sessions/{session}"))
    page.goto("/sessions")
    expect(page).to_have_url(re.compile("/tasks$"))


def csrf(context: BrowserContext) -> str:
    (token,) = [cookie["value"] for cookie in context.cookies() if cookie["name"] == "goldloop_csrf"]
    return token


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_pages_of_sessions_are_accessible(
    browser: Browser, server: Server, owner_state: Any, program: httpx.Client, scheme: Any, width: int
) -> None:
    session = begin(program, external_id=f"axe-{scheme}")
    add(
        program,
        session,
        ("user.message", {"text": "Pack **it**"}),
        (
            "model.request",
            {"model": "gpt-6", "instructions": "Be brief", "messages": [{"role": "user", "content": "x"}]},
        ),
        ("tool.call", {"id": "a", "name": "askHelper", "arguments": {"task": "x" * 300}}),
        ("agent.message", {"text": "I help", "agent": "helper", "parent_call_id": "a"}),
        ("tool.result", {"id": "a", "error": "Broken"}),
        ("own.kind", {"of": "event"}),
    )
    end(program, session, status="failed", error={"code": "no_model", "message": "No model is set"})
    child = begin(program, parent_session_id=session)
    add(program, child, ("user.message", {"text": "A part of it"}))
    context = browser.new_context(
        base_url=server.url,
        storage_state=owner_state,
        color_scheme=scheme,
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    for path in (
        LIST,
        f"/sessions/{session}",
        f"/sessions/{session}?event=4",
        f"/sessions/{session}?event=3",
        f"/sessions/{session}?view=timeline&event=4",
        f"/sessions/{session}?view=events&event=6",
        f"/sessions/{child}",
        f"/sessions/{uuid4()}",
    ):
        page.goto(path)
        expect(page.get_by_role("status").filter(has_text="Loading")).to_have_count(0)
        expect(page.get_by_role("heading").first).to_be_visible()
        check_page(page)
    context.close()
