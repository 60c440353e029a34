"""What waits for a reviewer, over all records: the inbox, the number in the navigation, and the queue by keyboard alone."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.conftest import Server, client_with_key

SCHEMA = {
    "type": "object",
    "properties": {"country": {"type": "string"}, "employees": {"type": "integer"}},
}
TITLES = [f"Carrier {n}" for n in range(1, 6)]


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


@pytest.fixture(scope="module")
def carriers(server: Server) -> list[dict[str, Any]]:
    """Five records, each with two proposals."""
    program = client_with_key(server, "inbox", "--role", "admin")
    body = {"slug": "carrier", "name": "Carrier", "json_schema": SCHEMA}
    _made(program.post("/api/entity-types", json=body))
    made = []
    for title in TITLES:
        record = _made(
            program.post(
                "/api/entities", json={"type": "carrier", "title": title, "content": {"country": "SE"}}
            )
        )
        made.append(record)
        for values in ({"country": "NO", "employees": 7}, {"employees": 8}):
            path = f"/api/entities/{record['id']}/responses"
            _made(program.post(path, json={"values": values, "notes": "From the register"}))
    return made


def _at(page: Page, place: int, total: int = 10) -> None:
    """The proposal at hand is there whole, and can be decided."""
    expect(page.get_by_text(f"{place} of {total}", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Promote")).first).to_have_attribute(
        "aria-disabled", "false"
    )


def _decided(page: Page, count: int) -> None:
    expect(page.get_by_text(f"{count} decided", exact=True)).to_be_visible()


def test_a_reviewer_works_through_ten_proposals_of_five_records_by_keyboard_alone(
    browser: Browser, server: Server, owner_state: StorageState, carriers: list[dict[str, Any]]
) -> None:
    program = client_with_key(server, "look", "--role", "reviewer")
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    page = context.new_page()
    keys = page.keyboard
    page.goto("/tasks/review?type=carrier")
    _at(page, 1)

    # What may not be done says why.
    keys.press("u")
    expect(page.get_by_text("Nothing was decided here yet.")).to_be_visible()
    keys.press("?")
    expect(page.get_by_role("dialog", name="Review by keyboard")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    # Newest first: the second proposal of the fifth record, then its first.
    expect(page.get_by_role("heading", name="Carrier 5")).to_be_visible()
    keys.press("j")
    _at(page, 2)
    expect(page.get_by_role("article")).to_contain_text("SE")  # what the record holds
    expect(page.get_by_role("list", name="What others said about Employees")).to_contain_text("8")
    keys.press("k")
    _at(page, 1)
    keys.press("a")
    expect(page.get_by_role("article").get_by_text(re.compile("^Assigned to "))).to_be_visible()
    keys.press("p")
    _decided(page, 1)
    _at(page, 2)

    # One value is left out, and the rest of it still waits; then it is undone, and all of it promoted.
    keys.press("x")
    expect(page.get_by_role("button", name="Promote 1")).to_be_visible()
    keys.press("p")
    _decided(page, 2)
    _at(page, 3)
    keys.press("u")
    _decided(page, 1)
    _at(page, 2)
    keys.press("Shift+P")
    _decided(page, 2)
    _at(page, 3)

    # Skipped, and come back to at the end.
    keys.press("s")
    _at(page, 4)
    for place in range(4, 10):
        keys.press("p")
        _decided(page, place - 1)
        _at(page, place + 1)
    keys.press("p")
    _decided(page, 9)
    _at(page, 3)
    keys.press("r")
    notes = page.get_by_label("Notes")
    expect(notes).to_be_focused()
    keys.type("Seven is last year's number")
    keys.press("Control+Enter")
    _decided(page, 10)
    expect(page.get_by_text("You are through: all 10 are decided.")).to_be_visible()
    context.close()

    left = _made(program.get("/api/responses/count", params={"type": "carrier", "promotable": True}))
    assert left["count"] == 0
    rejected = _made(program.get("/api/responses", params={"type": "carrier", "status": "rejected"}))["data"]
    assert [row["review_notes"] for row in rejected] == ["Seven is last year's number"]
    contents = [_made(program.get(f"/api/entities/{record['id']}"))["content"] for record in carriers]
    assert [content["employees"] for content in contents] == [7, 7, 7, 7, 7]
    assert [content["country"] for content in contents] == ["NO"] * 5


def test_what_waits_is_said_on_every_page_that_leads_to_it(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    program = client_with_key(server, "waiting", "--role", "admin")
    body = {"slug": "depot", "name": "Depot", "json_schema": SCHEMA}
    _made(program.post("/api/entity-types", json=body))
    waits, quiet = (
        _made(program.post("/api/entities", json={"type": "depot", "title": title, "content": {}}))
        for title in ("Depot North", "Depot South")
    )
    assert quiet["waiting"] == 0
    path = f"/api/entities/{waits['id']}/responses"
    closed = _made(program.post(path, json={"values": {"country": "DK"}}))
    _made(program.patch(f"{path}/{closed['id']}", json={"status": "rejected", "review_notes": "No"}))
    _made(program.post(path, json={"values": {"country": "NO"}}))
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    page = context.new_page()

    # The inbox leads to it, and the number in the navigation follows.
    page.goto("/tasks")
    kind = page.get_by_role("region", name="Responses to review")
    expect(kind).to_contain_text("Depot North")
    badge = page.get_by_role("navigation", name="Main").get_by_label(re.compile(r"^\d+ waiting$"))
    before = int(badge.inner_text())
    second = _made(program.post(path, json={"values": {"employees": 5}}))
    expect(badge).to_have_text(str(before + 1))

    # The list of records has a column, a filter and a badge; the record says it above the fold.
    page.goto("/records?type=depot")
    page.get_by_label("Review", exact=True).select_option(label="Waits for review")
    expect(page).to_have_url(re.compile("waits=true"))
    expect(page.get_by_text("Depot South")).to_have_count(0)
    page.get_by_role("link", name="2 proposals wait").click()
    expect(page.get_by_role("heading", name="Depot North")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(2)  # what is open
    page.get_by_role("button", name="Show 1 closed response").click()
    expect(page.get_by_role("article")).to_have_count(3)

    # Undo is in the message after promoting, and on the field.
    page.get_by_role("button", name="Promote Employees").click()
    page.get_by_role("dialog").get_by_role("button", name="Promote").click()
    message = page.get_by_role("alert").filter(has_text="The value was promoted.")
    message.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The promotion was undone.").first).to_be_visible()
    west = _made(program.post("/api/entities", json={"type": "depot", "title": "Depot West", "content": {}}))
    of_west = f"/api/entities/{west['id']}/responses"
    third = _made(program.post(of_west, json={"values": {"employees": 9}}))
    _made(program.post(f"{of_west}/{third['id']}/promote", json={"fields": ["employees"]}))
    page.goto(f"/records/{west['id']}?view=_all")  # the workspace may have views of its own by now
    expect(page.get_by_role("heading", name="Depot West")).to_be_visible()
    undo = page.get_by_role("button", name="Undo the promotion of Employees")
    undo.focus()
    expect(undo).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The promotion of Employees was undone.")).to_be_visible()
    _made(program.patch(f"{of_west}/{third['id']}", json={"status": "rejected"}))

    # Somebody else decides about the one at hand: it is said, and not lost.
    page.goto("/tasks/review?type=depot")
    _at(page, 1, 2)
    _made(program.patch(f"{path}/{second['id']}", json={"status": "rejected"}))
    expect(page.get_by_role("note")).to_contain_text("Decided meanwhile.")
    expect(page.get_by_text("1 of 2", exact=True)).to_be_visible()
    _made(program.post(path, json={"values": {"employees": 6}}))
    page.get_by_role("button", name="Show them").click()
    _at(page, 1, 2)
    expect(page.get_by_role("article")).to_contain_text("6")
    context.close()
