"""Where a value comes from: one muted line when the pointer, a key or a finger asks for it, and the way back from it."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, StorageState, expect

from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import check_page

FIELDS = ("country", "employees", "summary")
SCHEMA = {
    "type": "object",
    "properties": {
        "country": {"type": "string"},
        "employees": {"type": "integer"},
        "summary": {"type": "string"},
    },
}
VALUES = {"country": "Norway", "employees": 7, "summary": "Carries parcels over the mountains. " * 8}


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


@pytest.fixture(scope="module")
def program(server: Server) -> httpx.Client:
    program = client_with_key(server, "ferries", "--role", "admin")
    _made(program.post("/api/entity-types", json={"slug": "ferry", "name": "Ferry", "json_schema": SCHEMA}))
    return program


@pytest.fixture
def ferry(program: httpx.Client) -> str:
    """A record with three promoted values, and another proposal for the longest."""
    record = _made(program.post("/api/entities", json={"type": "ferry", "title": "Ferry", "content": {}}))
    path = f"/api/entities/{record['id']}/responses"
    response = _made(program.post(path, json={"values": VALUES}))
    _made(program.post(f"{path}/{response['id']}/promote", json={"fields": list(FIELDS)}))
    _made(program.post(path, json={"values": {"summary": "Carries cars."}}))
    return str(record["id"])


def _opened(browser: Browser, server: Server, state: StorageState, record: str, **look: Any) -> Page:
    page = browser.new_context(base_url=server.url, storage_state=state, **look).new_page()
    page.goto(f"/records/{record}")
    expect(_source(page, "Country")).to_have_count(1)
    expect(page.get_by_role("button", name="1 alternate for Summary")).to_be_visible()
    return page


def _row(page: Page, label: str) -> Locator:
    """A field: its name and its value."""
    name = page.get_by_role("term").filter(has_text=label)
    return page.locator("dl > div").filter(has=name)


def _source(page: Page, label: str) -> Locator:
    return _row(page, label).get_by_role("link", name="Promoted from")


def _expect_in_sight(page: Page, **labels: bool) -> None:
    """Of what holds the line: it is there for whoever reads with a screen reader, and in sight when asked for."""
    for label, in_sight in labels.items():
        expect(_source(page, label).locator("xpath=..")).to_have_css("opacity", "1" if in_sight else "0")


def _height(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["height"]


def test_the_pointer_brings_the_source_of_the_field_it_is_on_and_moves_nothing(
    browser: Browser, server: Server, owner_state: StorageState, ferry: str
) -> None:
    page = _opened(browser, server, owner_state, ferry)
    page.mouse.move(0, 0)
    _expect_in_sight(page, Country=False, Employees=False)
    before = [_height(_row(page, label)) for label in ("Country", "Employees", "Summary")]
    assert before[0] < 50, "a value of one line takes one line"
    page.get_by_role("term").filter(has_text="Country").hover()
    _expect_in_sight(page, Country=True, Employees=False)
    assert [_height(_row(page, label)) for label in ("Country", "Employees", "Summary")] == before
    check_page(page)

    # What was proposed stands beside the value, however long that is, and not on it.
    value = page.get_by_text("Carries parcels over the mountains.").last.bounding_box()
    proposed = page.get_by_role("button", name="1 alternate for Summary").bounding_box()
    assert value is not None
    assert proposed is not None
    assert value["x"] + value["width"] <= proposed["x"]

    _source(page, "Country").click()
    expect(page.get_by_role("article")).not_to_have_count(0)
    page.context.close()


def test_keys_bring_the_source_and_undo_what_is_at_hand(
    browser: Browser, server: Server, owner_state: StorageState, ferry: str
) -> None:
    page = _opened(browser, server, owner_state, ferry)
    page.mouse.move(0, 0)
    source = _source(page, "Country")
    for _ in range(40):
        page.keyboard.press("Tab")
        if source.evaluate("(link) => link === document.activeElement"):
            break
    expect(source).to_be_focused()
    _expect_in_sight(page, Country=True, Employees=False)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Undo the promotion of Country")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The promotion of Country was undone.")).to_be_visible()
    expect(_row(page, "Country")).to_contain_text("No value yet")
    page.context.close()


def test_by_touch_the_source_is_always_in_sight(
    browser: Browser, server: Server, owner_state: StorageState, ferry: str
) -> None:
    page = _opened(
        browser,
        server,
        owner_state,
        ferry,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
    )
    _expect_in_sight(page, Country=True, Employees=True, Summary=True)
    check_page(page)
    page.get_by_role("button", name="Undo the promotion of Employees").tap()
    expect(page.get_by_text("The promotion of Employees was undone.")).to_be_visible()
    page.get_by_role("button", name="History of Employees").tap()
    expect(page.get_by_role("dialog")).to_contain_text("undid a promotion")
    page.context.close()


def test_a_field_is_undone_right_after_another_although_the_page_is_not_up_to_date_yet(
    browser: Browser, server: Server, owner_state: StorageState, ferry: str, program: httpx.Client
) -> None:
    page = _opened(browser, server, owner_state, ferry)
    held: list[Route] = []
    record = f"**/api/entities/{ferry}"
    page.route(record, lambda route: held.append(route))  # the page goes on with the record as it was
    for label in ("Country", "Employees"):
        page.get_by_role("button", name=f"Undo the promotion of {label}").focus()
        with page.expect_request(record):  # it asks for it anew
            page.keyboard.press("Enter")
        expect(page.get_by_text(f"The promotion of {label} was undone.")).to_be_visible()
    content = _made(program.get(f"/api/entities/{ferry}"))["content"]
    assert content == {"summary": VALUES["summary"]}
    page.unroute_all(behavior="ignoreErrors")
    page.context.close()


def test_what_was_promoted_together_is_undone_together_or_it_is_said_why_not(
    browser: Browser, server: Server, owner_state: StorageState, program: httpx.Client
) -> None:
    record = _made(program.post("/api/entities", json={"type": "ferry", "title": "Together", "content": {}}))
    at = f"/api/entities/{record['id']}"
    response = _made(program.post(f"{at}/responses", json={"values": VALUES}))
    page = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    page.goto(f"/records/{record['id']}?tab=responses&response={response['id']}")
    expect(page.locator(f'[data-stop="{response["id"]}/country"]')).to_be_focused()

    # The list of all that wait: everything is ticked, what is unticked is left out and counted.
    page.keyboard.press("Shift+P")
    dialog = page.get_by_role("dialog", name="Promote into the record")
    ticks = dialog.get_by_role("checkbox")
    expect(ticks).to_have_count(3)
    assert [tick.is_checked() for tick in ticks.all()] == [True, True, True]
    expect(dialog.get_by_role("button", name="Promote 3 values")).to_be_focused()
    for tick in ticks.all():
        tick.uncheck()
    expect(dialog.get_by_role("button", name="Nothing ticked")).to_be_disabled()
    ticks.nth(0).check()
    ticks.nth(1).check()
    both = dialog.get_by_role("button", name="Promote 2 values")
    expect(both).to_be_enabled()
    check_page(page)
    both.click()
    expect(dialog).to_have_count(0)
    assert _made(program.get(at))["content"] == {"country": "Norway", "employees": 7}

    # u takes both back, in one version of the record.
    version = _made(program.get(at))["version"]
    expect(page.get_by_text("2 values were promoted.").first).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("The promotion was undone.").first).to_be_visible()
    after = _made(program.get(at))
    assert (after["content"], after["version"]) == ({}, version + 1)
    promoted = page.get_by_role("alert").filter(has_text="2 values were promoted.")
    expect(promoted).to_have_count(0)  # nobody is offered to undo it twice
    expect(page.get_by_role("article")).not_to_contain_text("In the record")

    # Somebody changes one of two promoted values: neither is undone, and the message names it.
    _made(program.post(f"{at}/responses/{response['id']}/promote", json={"fields": ["summary"]}))
    expect(page.get_by_role("article")).to_contain_text("In the record")
    page.keyboard.press("Shift+P")
    dialog.get_by_role("button", name="Promote 2 values").click()
    expect(promoted).to_be_visible()
    now = _made(program.get(at))
    edited = now["content"] | {"employees": 8}
    _made(program.patch(at, json={"version": now["version"], "content": edited}))
    promoted.get_by_role("button", name="Undo").click()
    problem = page.get_by_role("alert").filter(has_text="This was not undone")
    expect(problem).to_contain_text("the record does not have Employees from this response any more")
    assert _made(program.get(at))["content"] == edited
    page.context.close()
