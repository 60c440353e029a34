"""Review without stumbling: the right control for each field, the focus where Enter confirms, values that are left out,
a note for whoever is to try again, and words that end where they were typed."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.conftest import Server, client_with_key, keyed
from tests.e2e.test_accessibility import check_page

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "end_date": {"type": "string", "format": "date"},
        "notice_days": {"type": "integer", "minimum": 0, "maximum": 365},
        "renews": {"type": "boolean"},
    },
}
LABELS = {"notice_days": {"label": "Notice", "unit": "days"}, "renews": {"label": "Renews"}}


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def admin(server: Server) -> httpx.Client:
    return client_with_key(server, "leases", "--role", "admin")


@pytest.fixture(scope="module")
def reader(server: Server, admin: httpx.Client) -> httpx.Client:
    """An agent, which proposes."""
    agent = _made(admin.post("/api/agents", json={"slug": "lease-reader", "name": "Lease reader"}))
    wanted = {"name": "leases", "role": "contributor", "agent_id": agent["id"]}
    return keyed(server, _made(admin.post("/api/keys", json=wanted))["key"])


@pytest.fixture(scope="module")
def record(admin: httpx.Client) -> str:
    wanted = {"slug": "lease", "name": "Lease", "json_schema": SCHEMA, "field_configs": LABELS}
    _made(admin.post("/api/entity-types", json=wanted))
    content = {"end_date": "2027-03-31", "notice_days": 120}
    return str(
        _made(admin.post("/api/entities", json={"type": "lease", "title": "Hall 3", "content": content}))[
            "id"
        ]
    )


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState, record: str) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    page = context.new_page()
    page.goto(f"/records/{record}?tab=responses")
    expect(page.get_by_role("button", name="New response")).to_be_visible()
    yield page
    context.close()


def test_a_form_asks_for_each_field_in_its_own_way_and_says_what_the_record_holds(page: Page) -> None:
    page.get_by_role("button", name="New response").click()
    dialog = page.get_by_role("dialog")
    end = dialog.get_by_label("End date")
    expect(end).to_be_focused()
    expect(end).to_have_attribute("type", "date")
    expect(dialog.get_by_text("The record has 2027-03-31")).to_be_visible()
    expect(dialog.get_by_text("0 to 365 days · The record has 120 days")).to_be_visible()
    end.fill("2028-02-29")
    notice = dialog.get_by_label("Notice")
    notice.fill("400")
    dialog.get_by_role("radio", name="Yes").check(force=True)
    dialog.get_by_role("button", name="Submit response").click()
    expect(dialog.get_by_role("alert")).to_contain_text("0 to 365")
    check_page(page)
    expect(notice).to_be_focused()
    notice.fill("180")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    row = page.get_by_role("article", name="Response by Owner").or_(page.get_by_role("article")).first
    expect(row).to_contain_text("180 days")
    expect(row).not_to_contain_text("of 365")


def test_a_review_by_keyboard_does_what_its_keys_say(
    page: Page, reader: httpx.Client, admin: httpx.Client, record: str
) -> None:
    answer = reader.post(f"/api/entities/{record}/responses", json={"values": {"end_date": "soon"}})
    assert [(e["path"], e["code"]) for e in answer.json()["errors"]] == [("/values/end_date", "format")]
    values = {"end_date": "2029-01-31", "notice_days": 90, "renews": "true"}
    first = _made(reader.post(f"/api/entities/{record}/responses", json={"values": values}))["id"]
    page.goto(f"/records/{record}?tab=responses&response={first}")
    here = page.locator(f'[data-stop="{first}/end_date"]')
    expect(here).to_be_focused()

    # However often it is opened, Enter promotes.
    dialog = page.get_by_role("dialog", name="Promote into the record")
    for _ in range(3):
        page.keyboard.press("p")
        expect(dialog.get_by_role("button", name="Promote", exact=True)).to_be_focused()
        page.keyboard.press("Escape")
        expect(here).to_be_focused()
    page.keyboard.press("p")
    expect(dialog.get_by_role("button", name="Promote", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The value was promoted.").first).to_be_visible()

    # All that wait, but for one.
    page.keyboard.press("Shift+P")
    expect(dialog.get_by_role("button", name="Promote 2 values")).to_be_focused()
    dialog.get_by_role("checkbox", name="Renews").uncheck()
    expect(dialog.get_by_role("button", name="Promote 1 value")).to_be_enabled()
    check_page(page)
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("article").filter(has_text="Partly promoted")).to_be_visible()
    content = admin.get(f"/api/entities/{record}").json()["content"]
    assert content == {"end_date": "2029-01-31", "notice_days": 90}

    # Whoever rejects an agent's work says why, or says that they do not.
    second = _made(reader.post(f"/api/entities/{record}/responses", json={"values": {"notice_days": 1}}))[
        "id"
    ]
    page.goto(f"/records/{record}?tab=responses&response={second}")
    expect(page.locator(f'[data-stop="{second}/notice_days"]')).to_be_focused()
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog", name="Reject this response")
    notes = dialog.get_by_label("Notes")
    expect(notes).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("Without a note Lease reader learns nothing")
    expect(dialog.get_by_role("button", name="Reject without a note")).to_be_visible()
    check_page(page)
    expect(notes).to_be_focused()
    page.keyboard.type("Page 7 says 90")
    expect(dialog.get_by_role("button", name="Reject without a note")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    page.keyboard.type("papa jr? pa", delay=30)  # whoever is still writing does nothing to the page
    expect(page.get_by_text("The response was rejected.").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert admin.get(f"/api/entities/{record}/responses/{second}").json()["review_notes"] == "Page 7 says 90"
    assert admin.get(f"/api/entities/{record}").json()["content"] == content
