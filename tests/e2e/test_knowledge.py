"""From two rejections to every later prompt and back, in a browser and without a language model; and the pages of knowledge as
people see them."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.conftest import Server, client_with_key, keyed
from tests.e2e.model_server import hands_in, is_asked_for_values, model_server, says
from tests.e2e.test_accessibility import LOOKS, check_page

KNOWLEDGE = "/admin/agent-review/knowledge"
ROWS = "/api/admin/shared-context"
NOTES = [
    "The berths are those of the whole fleet, not of the trawler itself",
    "Berths: this counts the whole fleet instead of the trawler itself",
]
RULE = "Count the berths of the trawler itself, without the rest of its fleet"
SCHEMA = {"type": "object", "properties": {"berths": {"type": "integer"}}}


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


@pytest.fixture(scope="module")
def program(server: Server) -> Iterator[httpx.Client]:
    with client_with_key(server, "knowledge", "--role", "admin") as client:
        yield client


@pytest.fixture
def owner(browser: Browser, server: Server, owner_state: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context
    context.close()


@pytest.fixture
def trawler_reader(program: httpx.Client) -> Iterator[Any]:
    """An agent that runs here, on a model that answers by a script."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        return hands_in({"berths": 12}) if is_asked_for_values(request) else says("Read.")

    with model_server(answer) as url:
        agent = _made(program.post("/api/agents", json={"slug": "trawler-reader", "name": "Trawler reader"}))
        config = {"model": "openai:scripted", "base_url": url}
        _made(program.put(f"/api/agents/{agent['id']}/config", json=config))
        yield agent


def _join(browser: Browser, server: Server, program: httpx.Client, name: str) -> Page:
    """Somebody who was invited to review, in a browser of their own."""
    email = f"{name.split()[0].lower()}@example.org"
    token = _made(program.post("/api/members", json={"email": email, "role": "reviewer"}))["invite_token"]
    page = browser.new_context(base_url=server.url).new_page()
    page.goto(f"/join#token={token}")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password", exact=True).fill("a long enough one")
    page.get_by_role("button", name=re.compile("Join")).click()
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()
    return page


def _reject(page: Page, response: Any, note: str) -> None:
    page.goto(f"/records/{response['entity_id']}?tab=responses&response={response['id']}")
    expect(page.locator(f'[data-stop="{response["id"]}/berths"]')).to_be_focused()
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog", name="Reject this response")
    dialog.get_by_label("Notes").fill(note)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The response was rejected.").first).to_be_visible()


def _row(page: Page, text: str) -> Locator:
    return page.get_by_role("table", name="Knowledge").get_by_role("button", name=re.compile(text))


def _pane(page: Page) -> Locator:
    return page.get_by_role("region", name="The open row")


def test_from_two_rejections_to_the_next_prompt_and_back(
    browser: Browser, server: Server, program: httpx.Client, owner: BrowserContext, trawler_reader: Any
) -> None:
    body = {"slug": "trawler", "name": "Trawler", "json_schema": SCHEMA}
    _made(program.post("/api/entity-types", json=body))
    found = []
    key = {"name": "trawlers", "role": "contributor", "agent_id": trawler_reader["id"]}
    with keyed(server, _made(program.post("/api/keys", json=key))["key"]) as agent:
        for title in ("Anna", "Berta"):
            record = _made(program.post("/api/entities", json={"type": "trawler", "title": title}))
            answer = {"values": {"berths": 900}, "source": "extraction"}
            found.append(_made(agent.post(f"/api/entities/{record['id']}/responses", json=answer)))

    # Two people reject the same field of two records with like notes.
    page = owner.new_page()
    _reject(page, found[0], NOTES[0])
    tove = _join(browser, server, program, "Tove Lund")
    _reject(tove, found[1], NOTES[1])
    tove.context.close()

    # One group, and a proposed correction with both quotes.
    page.goto(f"{KNOWLEDGE}?state=proposed&q=trawler")
    _row(page, "trawler itself").click()
    pane = _pane(page)
    for note in NOTES:
        expect(pane.get_by_text(note, exact=True)).to_be_visible()
    expect(pane).to_contain_text("For Trawler reader about records of type Trawler")
    expect(pane).to_contain_text("A correction is put into words before it is approved")

    # It is put into words and approved, with what that does to prompts.
    page.keyboard.press("a")
    dialog = page.get_by_role("dialog", name="Approve")
    expect(dialog.get_by_role("button", name="Approve")).to_be_disabled()
    dialog.get_by_role("textbox", name="The rule").fill(RULE)
    comes = dialog.get_by_role("list", name="Lines that come and go").get_by_role("listitem")
    expect(comes.filter(has_text=RULE)).to_be_visible()
    expect(dialog.get_by_role("list", name="In prompts")).to_contain_text("Prompts for Trawler reader")
    dialog.get_by_role("textbox", name="Reason").fill("Both are right")
    page.keyboard.press("Control+Enter")
    expect(dialog).to_have_count(0)
    page.goto(f"{KNOWLEDGE}?q=trawler&state=active")
    _row(page, RULE).click()
    expect(pane).to_contain_text("Approved, unmeasured")
    expect(pane).to_contain_text("“Both are right”")
    row = page.url.rpartition("row=")[2]

    # The next run has it in its prompt, and its session says why.
    record = _made(program.post("/api/entities", json={"type": "trawler", "title": "Clara"}))
    asked = {"agent": "trawler-reader", "entity_id": record["id"], "input": {"message": "Read Clara"}}
    session = _made(program.post("/api/sessions", json=asked))["id"]
    expect(pane.get_by_role("link", name="trawler-reader")).to_have_attribute("href", f"/sessions/{session}")
    pane.get_by_role("link", name="trawler-reader").click()
    page.get_by_role("button", name="Why is this in my prompt?").click()
    why = page.get_by_role("region", name="Knowledge in its prompt")
    expect(why).to_contain_text("2 origins, unmeasured")
    expect(why.get_by_role("heading", name="What was left out")).to_be_visible()
    manifest = program.get(f"/api/sessions/{session}").json()["manifest"]
    expect(why).to_contain_text(manifest)
    page.goto(f"{KNOWLEDGE}/prompt?agent=trawler-reader&of=trawler")
    expect(page.get_by_text(manifest)).to_be_visible()

    # One of the two is dismissed: it is in shadow, and out of the prompt.
    page.goto(f"{KNOWLEDGE}?row={row}")
    quote = pane.get_by_role("listitem").filter(has_text=NOTES[1])
    quote.get_by_role("button", name="Dismiss").click()
    expect(pane.get_by_text("Shadow", exact=True)).to_be_visible()
    expect(pane).to_contain_text("Lost: it was dismissed")
    dismissed = page.get_by_role("status").filter(has_text="Dismissed.")
    expect(dismissed).to_be_attached()  # before that it is still being saved, though the live stream shows it
    scope = {"agent": "trawler-reader", "entity_type": "trawler"}
    assert RULE not in program.get("/api/shared-context/prompt", params=scope).json()["prompt"]

    # Undo brings it back, to the very same prompt.
    page.keyboard.press("u")
    expect(pane.get_by_text("Active", exact=True)).to_be_visible()
    assert program.get("/api/shared-context/prompt", params=scope).json()["manifest"] == manifest


def test_knowledge_is_kept_by_keyboard(program: httpx.Client, owner: BrowserContext) -> None:
    page = owner.new_page()
    page.goto(f"{KNOWLEDGE}?new=1")
    dialog = page.get_by_role("dialog", name="New knowledge")
    dialog.get_by_label("Type", exact=True).select_option("guideline")
    dialog.get_by_label("What agents are to know").fill("Sign harbour papers with zebra ink")
    page.keyboard.press("Control+Enter")
    pane = _pane(page)
    expect(pane.get_by_role("heading", name="Sign harbour papers with zebra ink")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.goto(f"{KNOWLEDGE}?q=zebra")
    row = _row(page, "zebra ink")
    expect(row).to_be_visible()
    page.keyboard.press("t")
    dialog = page.get_by_role("dialog", name="Change type")
    kind = dialog.get_by_label("Type", exact=True)
    expect(kind).to_be_focused()
    kind.select_option("routing")
    expect(dialog.get_by_role("list", name="Lines that come and go").first).to_contain_text("## Routing")
    dialog.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("Routing")
    expect(dialog).to_have_count(0)

    page.keyboard.press("r")
    page.get_by_role("dialog", name="Retire").get_by_role("button", name="Retire").click()
    line = page.get_by_role("row").filter(has_text="zebra ink")
    expect(line).to_contain_text("Retired")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="Retired.")).to_be_attached()
    page.keyboard.press("u")
    expect(line).to_contain_text("Active")

    row.press("Enter")
    pane.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    assert program.get(ROWS, params={"q": "zebra"}).json()["data"] == []


def test_the_review_agent_works_where_an_administrator_says_so(
    browser: Browser, server: Server, demo_state: Any
) -> None:
    context = browser.new_context(base_url=server.url, storage_state=demo_state)
    page = context.new_page()
    page.goto(f"{KNOWLEDGE}/review")
    expect(page.get_by_text("No model is configured")).to_be_visible()
    switch = page.get_by_role("switch", name="Review feedback every hour")
    expect(switch).not_to_be_checked()
    switch.press("Space")
    expect(page.get_by_text("The review agent works from the next hour on.")).to_be_visible()
    page.reload()
    expect(switch).to_be_checked()
    switch.press("Space")
    expect(page.get_by_text("The review agent does not work any more.")).to_be_visible()
    context.close()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_pages_are_accessible(
    browser: Browser, server: Server, demo_state: Any, scheme: Any, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    for part in ("/prompt", "/review", "?state=waits"):
        page.goto(KNOWLEDGE + part)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        check_page(page)
    _row(page, "delivery date").click()
    expect(_pane(page).locator("blockquote").first).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    check_page(page)
    _pane(page).get_by_role("button", name="Approve").click()
    expect(page.get_by_role("dialog").get_by_role("list", name="In prompts").first).to_be_visible()
    check_page(page)
    context.close()
