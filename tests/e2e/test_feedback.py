"""Feedback as people see it: a group reviewed by keyboard with one note, two admins at once, and what a viewer sees."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import LOOKS, check_page

GROUPS = "/admin/agent-review/feedback"
PARTS = ["", "/single", "/all", "/trends", "/quality", "/import"]


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


@pytest.fixture(scope="module")
def program(server: Server) -> Iterator[httpx.Client]:
    with client_with_key(server, "feedback", "--role", "admin") as client:
        yield client


def report(program: httpx.Client, tool: str, *comments: str) -> None:
    """What agents say about a tool, each in a session of its own."""
    for comment in comments:
        session = _made(program.post("/api/sessions", json={"source": "client", "agent": "packer"}))["id"]
        body = {"source_type": "tool", "rating": "negative", "comment": comment, "session_id": session}
        _made(program.post("/api/feedback", json={**body, "context": {"tool_slug": tool}}))


@pytest.fixture
def owner(browser: Browser, server: Server, owner_state: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context
    context.close()


def _join(browser: Browser, server: Server, program: httpx.Client, name: str, role: str) -> Page:
    """Somebody who was invited, in a browser of their own."""
    email = f"{name.split()[0].lower()}@example.org"
    token = _made(program.post("/api/members", json={"email": email, "role": role}))["invite_token"]
    page = browser.new_context(base_url=server.url).new_page()
    page.goto(f"/join#token={token}")
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password", exact=True).fill("a long enough one")
    page.get_by_role("button", name=re.compile("Join")).click()
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()
    return page


def _group(page: Page, title: str) -> Any:
    return page.get_by_role("list", name="Groups of feedback").get_by_role("button", name=re.compile(title))


def test_a_group_is_reviewed_by_keyboard_with_one_note_and_taken_back(
    program: httpx.Client, owner: BrowserContext
) -> None:
    report(program, "packParcel", "The wrong box was closed", "Labels are missing")
    page = owner.new_page()
    page.goto(GROUPS)
    expect(_group(page, "packParcel")).to_be_visible()  # as soon as it is put together
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("labels")
    expect(page).to_have_url(re.compile("q=labels"))
    members = page.get_by_role("list", name="In packParcel")
    expect(members.get_by_role("listitem")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(_group(page, "packParcel")).to_be_focused()

    page.keyboard.press("a")
    dialog = page.get_by_role("dialog", name="Review")
    expect(dialog).to_contain_text("2 items wait in this group.")
    expect(dialog.get_by_label("Note")).to_be_focused()
    page.keyboard.type("The label is read again")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="2 reviewed.")).to_be_visible()
    expect(_group(page, "packParcel")).to_have_count(0)
    page.goto(f"{GROUPS}/all?status=reviewed")
    rows = page.get_by_role("list", name="Feedback").get_by_role("listitem")
    expect(rows.filter(has_text="Reviewed")).to_have_count(2)
    expect(page.get_by_role("region", name="Where it comes from")).to_contain_text("The label is read again")

    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("Shift+X")
    page.keyboard.press("a")
    page.get_by_role("dialog", name="Review").get_by_role("button", name="Mark as reviewed").click()
    told = page.get_by_role("dialog", name="What happened")
    expect(told.get_by_text("Not done")).to_have_count(2)
    expect(told).to_contain_text("was first, and reviewed it: The label is read again")


def test_of_two_admins_the_second_is_told_who_was_first(
    browser: Browser, server: Server, program: httpx.Client, owner: BrowserContext
) -> None:
    report(program, "weighParcel", "It weighs nothing", "The weight is that of another parcel")
    page = owner.new_page()
    page.goto(f"{GROUPS}?q=weight")
    _group(page, "weighParcel").click()
    page.keyboard.press("a")
    mine = page.get_by_role("dialog", name="Review")
    expect(mine).to_contain_text("2 items wait")

    ben = _join(browser, server, program, "Benno Falk", "admin")
    ben.goto(GROUPS)
    _group(ben, "weighParcel").click()
    ben.keyboard.press("a")
    ben.get_by_role("dialog", name="Review").get_by_text("Applied", exact=True).click()
    ben.get_by_role("dialog", name="Review").get_by_role("textbox").fill("The scale is new")
    ben.get_by_role("button", name="Mark as applied").click()
    expect(ben.get_by_role("status").filter(has_text="2 applied.")).to_be_visible()

    mine.get_by_role("button", name="Mark as reviewed").click()
    told = page.get_by_role("dialog", name="What happened")
    expect(told.get_by_text("Benno Falk was first, and applied it: The scale is new")).to_have_count(2)

    page.goto("/admin/agent-review/sessions")  # what was said of a session stands on its page
    page.get_by_role("link", name="Nothing was said yet").first.click()
    expect(page.get_by_role("region", name=re.compile("^Feedback"))).to_contain_text("Applied")
    ben.context.close()


def test_a_viewer_sees_only_their_own_and_takes_it_back(
    browser: Browser, server: Server, program: httpx.Client
) -> None:
    report(program, "sealParcel", "It seals them twice")
    vera = _join(browser, server, program, "Viola Ek", "viewer")
    vera.goto(GROUPS)
    expect(vera.get_by_text("No feedback yet")).to_be_visible()
    given = vera.evaluate(
        """async () => {
          const session = await (await fetch("/api/session")).json();
          const headers = {"content-type": "application/json", "X-Goldloop-CSRF": session.csrf_token,
                           "X-Goldloop-Tenant": session.workspaces[0].slug};
          const body = JSON.stringify({source_type: "response", rating: "negative", comment: "The form is too long"});
          return (await fetch("/api/feedback", {method: "POST", headers, body})).status;
        }"""
    )
    assert given == 201
    own = vera.get_by_role("list", name="Feedback").get_by_role("listitem")
    expect(own).to_have_count(1)  # it comes by itself, and nobody else's with it
    expect(own).to_contain_text("The form is too long")
    expect(vera.get_by_role("checkbox")).to_have_count(0)
    vera.get_by_role("button", name="Take back").click()
    expect(own).to_contain_text("Dismissed")
    vera.context.close()


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
    for part in PARTS:
        page.goto(GROUPS + part)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        check_page(page)
    page.goto(GROUPS)
    _group(page, "delivery date").click()
    page.get_by_role("list", name="In delivery date").get_by_role("button").first.click()
    expect(page.get_by_role("region", name="Where it comes from").locator("blockquote")).to_be_visible()
    check_page(page)
    context.close()
