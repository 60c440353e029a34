"""Deleting for good in the browser: what goes is shown first, it is gone at once, and a report says what became of it."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import check_page

PAGE = "/admin/agent-review/conversations/Travel/to-delete"


@pytest.fixture(scope="module")
def chat(server: Server) -> Iterator[httpx.Client]:
    with client_with_key(server, "deleting", "--role", "contributor") as client:
        yield client


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: Any) -> Iterator[Page]:
    context: BrowserContext = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context.new_page()
    context.close()


def say(chat: httpx.Client, conversation: str, user: str) -> None:
    turn = {"turn_id": "t1", "user": {"text": "Where is my parcel?"}, "user_id": user}
    answer = chat.post(
        f"/conversations/main/Travel/{conversation}/turns", json=turn, params={"gate": "false"}
    )
    assert answer.status_code == 201, answer.text


def test_a_conversation_is_deleted_after_a_look_at_what_goes_with_it(page: Page, chat: httpx.Client) -> None:
    say(chat, "to-delete", "cust-gone")
    page.goto(PAGE)
    page.get_by_role("button", name="Delete", exact=True).click()
    dialog = page.get_by_role("dialog", name="Delete this conversation for good?")
    expect(dialog.get_by_text("1 conversation", exact=True)).to_be_visible()
    expect(dialog.get_by_text("This stays, without personal text")).to_be_visible()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    check_page(page)
    dialog.get_by_role("button", name="Delete for good").click()

    report = page.get_by_role("dialog", name="Deletion")
    expect(report.get_by_text("Deleted", exact=True)).to_be_visible()
    expect(report.get_by_role("row", name="conversations 1 deleted")).to_be_visible()
    expect(report.get_by_text("Fingerprint of what it was")).to_be_visible()
    check_page(page)
    page.goto(PAGE)
    expect(page.get_by_role("heading", name="There is no such conversation")).to_be_visible()


def test_an_end_user_is_found_by_id_and_deleted_and_days_are_set(page: Page, chat: httpx.Client) -> None:
    say(chat, "of-a-user", "cust-forget-me")
    page.goto("/settings/deleting")
    page.get_by_label("Id of the end user").fill("cust-forget-me")
    page.get_by_role("button", name="Look what there is").click()
    dialog = page.get_by_role("dialog", name="Delete everything of cust-forget-me for good?")
    expect(dialog.get_by_text("1 conversation", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Delete for good").click()
    report = page.get_by_role("dialog", name="Deletion")
    expect(report.get_by_text("Deleted", exact=True)).to_be_visible()
    expect(report).not_to_contain_text("cust-forget-me")
    page.keyboard.press("Escape")
    expect(page.get_by_role("table", name="Deletions")).to_contain_text("An end user")

    page.get_by_label("Conversations").fill("3650")
    page.get_by_role("button", name="Show what would go").click()
    expect(page.get_by_text("Now 0 conversations")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. What is due goes")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Conversations")).to_have_value("3650 days")
    page.get_by_label("Conversations").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. What is due goes")).to_be_visible()


def test_a_workspace_is_deleted_only_when_its_slug_was_typed(page: Page) -> None:
    page.goto("/settings/workspace")
    page.get_by_role("button", name="Delete workspace").click()
    confirm = page.get_by_role("button", name="Delete for good")
    expect(confirm).to_be_disabled()
    page.get_by_label("Type main to confirm").fill("mai")
    expect(confirm).to_be_disabled()
    page.get_by_label("Type main to confirm").fill("main")
    expect(confirm).to_be_enabled()
    check_page(page)
    page.get_by_role("button", name="Cancel").click()
