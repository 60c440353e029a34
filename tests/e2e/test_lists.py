"""Lists of records as people work with them: searched, with columns, saved, shared, selected; and Ctrl+K."""

import csv
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Response, StorageState, expect

from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import LOOKS, check_page
from tests.loops import some

GAUGE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "price": {"type": "number"},
        "stage": {"type": "string"},
        "note": {"type": "string"},
        "built": {"type": "string", "format": "date"},
    },
}
GAUGES = {
    "Gauge Alder": {"price": 30, "stage": "old", "note": "Reads a barometer"},
    "Gauge Birch": {"price": 400, "stage": "new", "note": "For rivers", "built": "2024-05-01"},
    "Gauge Cedar": {"price": 5, "stage": "new"},
}
BULK = 103  # more than a page
PHONE_ROW = 64


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def program(server: Server) -> httpx.Client:
    """An admin's client in a workspace that has makers and gauges, which lead to them."""
    client = client_with_key(server, "lists", "--role", "admin")
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    _made(client.post("/api/entity-types", json={"slug": "maker", "name": "Maker", "json_schema": schema}))
    relation = {"maker": {"relation": {"target_type": "maker", "multiple": True}}}
    gauge = {"slug": "gauge", "name": "Gauge", "json_schema": GAUGE, "field_configs": relation}
    _made(client.post("/api/entity-types", json=gauge))
    for title in ("Thornbury Works", "Ashfield Optics"):
        _made(client.post("/api/entities", json={"type": "maker", "title": title}))
    for title, content in GAUGES.items():
        _made(client.post("/api/entities", json={"type": "gauge", "title": title, "content": content}))
    return client


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState, program: httpx.Client) -> Page:
    return browser.new_context(base_url=server.url, storage_state=owner_state).new_page()


def _viewer(browser: Browser, server: Server, program: httpx.Client) -> Page:
    """Somebody who only reads, in a browser of their own."""
    invited = _made(program.post("/api/members", json={"email": "vera@example.org", "role": "viewer"}))
    page = browser.new_context(base_url=server.url).new_page()
    page.goto(f"/join#token={invited['invite_token']}")
    page.get_by_label("Your name").fill("Vera")
    page.get_by_label("Password", exact=True).fill("a long enough one")
    page.get_by_role("button", name=re.compile("Join")).click()
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()
    return page


def _expect_rows(page: Page, *titles: str) -> None:
    expect(page.get_by_role("table", name="Records").get_by_role("link")).to_have_text(list(titles))


def _expect_columns(page: Page, *names: str) -> None:
    headers = page.get_by_role("table", name="Records").get_by_role("columnheader")
    expect(headers).to_have_text(["", "Record", *names, "Waits for review", "Score", "Changed"])


def _keeps(*columns: str) -> Callable[[Response], bool]:
    """The answer of the server to these columns."""
    return lambda answer: (
        answer.request.method == "PUT"
        and answer.url.endswith("/columns")
        and answer.request.post_data_json == {"columns": list(columns)}
    )


def _save_list(page: Page, name: str, *, shared: bool) -> None:
    page.get_by_role("button", name="Lists").click()
    page.get_by_role("menuitem", name="New list from what is shown").click()
    dialog = page.get_by_role("dialog", name="New list")
    dialog.get_by_label("Name").fill(name)
    if shared:
        dialog.get_by_label("Share with the workspace").check()
    dialog.get_by_role("button", name="Save list").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_a_list_is_searched_laid_out_kept_and_shared(
    browser: Browser, server: Server, owner_state: StorageState, program: httpx.Client, page: Page
) -> None:
    # A word of the content, mistyped.
    page.goto("/records?type=gauge")
    page.get_by_label("Search records").fill("baromter")
    _expect_rows(page, "Gauge Alder")
    expect(page.get_by_text("1 record", exact=True)).to_be_visible()
    page.get_by_label("Clear search").click()
    expect(page.get_by_text("3 records", exact=True)).to_be_visible()

    # Columns: chosen, moved by keys and by dragging; the order is that of a field.
    page.get_by_role("button", name="Columns").click()
    for label in some(["Price", "Stage", "Built"]):
        page.get_by_role("list", name="Other fields").get_by_label(label).click()
        expect(
            page.get_by_role("list", name="Chosen columns").get_by_label(label, exact=True)
        ).to_be_checked()
    _expect_columns(page, "Price", "Stage", "Built")
    chosen = page.get_by_role("list", name="Chosen columns")
    chosen.get_by_label("Stage", exact=True).focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_text("Stage is now 1 of 3")).to_be_attached()
    _expect_columns(page, "Stage", "Price", "Built")
    chosen.get_by_role("listitem").nth(2).drag_to(chosen.get_by_role("listitem").nth(0))
    _expect_columns(page, "Built", "Stage", "Price")
    with page.expect_response(_keeps("stage", "price")):  # they are drawn before they are saved
        chosen.get_by_label("Built", exact=True).click()
    page.keyboard.press("Escape")
    _expect_columns(page, "Stage", "Price")
    page.get_by_role("columnheader", name="Price").get_by_role("button").click()
    _expect_rows(page, "Gauge Birch", "Gauge Alder", "Gauge Cedar")
    page.reload()
    _expect_rows(page, "Gauge Birch", "Gauge Alder", "Gauge Cedar")
    _expect_columns(page, "Stage", "Price")

    # Saved, for oneself and for all.
    _save_list(page, "Dear gauges", shared=True)
    page.get_by_label("Search records").fill("rivers")
    _expect_rows(page, "Gauge Birch")
    page.get_by_role("button", name="Dear gauges, changed").click()
    page.get_by_role("menuitem", name="New list from what is shown").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Of rivers")
    page.get_by_role("button", name="Save list").click()
    expect(page.get_by_role("button", name="Of rivers", exact=True)).to_be_visible()

    # In another browser the columns are there, and so are both lists.
    elsewhere = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    elsewhere.goto("/records?type=gauge")
    _expect_columns(elsewhere, "Stage", "Price")
    elsewhere.get_by_role("button", name="Lists").click()
    elsewhere.get_by_role("menuitem", name="Of rivers").click()
    _expect_rows(elsewhere, "Gauge Birch")
    elsewhere.context.close()

    # Who only reads has the shared one, and may not change it.
    vera = _viewer(browser, server, program)
    vera.get_by_role("button", name="Lists").click()
    expect(vera.get_by_role("menuitem", name="Of rivers")).to_have_count(0)
    vera.get_by_role("menuitem", name="Dear gauges").click()
    _expect_rows(vera, "Gauge Birch", "Gauge Alder", "Gauge Cedar")
    _expect_columns(vera, "Stage", "Price")
    vera.get_by_role("button", name="Dear gauges").click()
    expect(vera.get_by_role("menuitem", name="New list from what is shown")).to_be_visible()
    expect(vera.get_by_role("menuitem", name="Delete Dear gauges")).to_have_count(0)
    vera.keyboard.press("Escape")
    vera.reload()
    _expect_rows(vera, "Gauge Birch", "Gauge Alder", "Gauge Cedar")

    # What she may not do is not offered to her.
    vera.keyboard.press("Control+k")
    palette = vera.get_by_role("dialog", name="Find or do")
    expect(palette.get_by_role("combobox")).to_be_focused()
    vera.keyboard.type("new record")
    expect(palette.get_by_text("Nothing matches").first).to_be_visible()
    for each in (vera, page):
        each.context.close()


def test_many_are_exported_and_deleted_together_and_a_new_one_is_connected(
    program: httpx.Client, page: Page
) -> None:
    new = [
        {"type": "gauge", "title": f"Bulk {place}", "content": {"price": place, "stage": "bulk"}}
        for place in range(BULK)
    ]
    bulk = [_made(program.post("/api/entities", json=record)) for record in new]
    seventh = bulk[7]["id"]
    _made(program.post(f"/api/entities/{seventh}/responses", json={"values": {"price": 70}}))
    page.goto('/records?type=gauge&q=bulk&cols=["price"]')
    page.get_by_label("Select Bulk 7", exact=True).click()
    bar = page.get_by_role("group", name="Selected records")
    expect(bar).to_contain_text("1 record selected")
    bar.get_by_role("button", name="Assign").click()
    page.get_by_role("menuitem", name=re.compile(r"\(you\)")).click()
    expect(page.get_by_text("1 proposal assigned to")).to_be_visible()
    expect(bar).to_have_count(0)
    page.get_by_label("Select all records").click()
    expect(bar).to_contain_text("100 records selected")
    bar.get_by_role("button", name=f"Select all {BULK} that match").click()
    expect(bar).to_contain_text(f"{BULK} records selected")
    with page.expect_download() as downloading:
        bar.get_by_role("button", name="Export selected").click()
    with downloading.value.path().open(encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["id", "type", "title", "score", "created_at", "updated_at", "price"]
    assert sorted(float(row[-1]) for row in rows) == [float(place) for place in range(BULK)]
    bar.get_by_role("button", name="Delete").click()
    confirm = page.get_by_role("dialog").get_by_role("button", name=f"Delete {BULK} records")
    expect(confirm).to_be_visible()
    # What is deleted is what was asked about: what comes to match meanwhile stays, and what is gone is not counted.
    late = _made(program.post("/api/entities", json={"type": "gauge", "title": "Bulk late", "content": {}}))
    assert program.delete(f"/api/entities/{bulk[0]['id']}").status_code == 204
    confirm.click()
    expect(page.get_by_text(f"{BULK - 1} records deleted.")).to_be_visible()
    expect(page.get_by_role("link", name="Bulk late")).to_be_visible()
    left = program.get("/api/entities", params={"type": "gauge", "q": "bulk"}).json()["data"]
    assert [record["id"] for record in left] == [late["id"]]

    # A relation is chosen while the record is made, by a search that forgives a typo.
    page.goto("/records?type=gauge")
    page.get_by_role("button", name="New record").first.click()
    dialog = page.get_by_role("dialog", name="New record")
    dialog.get_by_label("Title").fill("Gauge Dogwood")
    maker = dialog.get_by_label("Maker", exact=True).first
    maker.click()
    maker.press_sequentially("thornbry")
    page.get_by_role("option", name="Thornbury Works").click()
    maker.fill("ashfield")
    page.get_by_role("option", name="Ashfield Optics").click()
    dialog.get_by_role("button", name="Save record").click()
    expect(page.get_by_role("heading", name="Gauge Dogwood", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Thornbury Works")).to_be_visible()
    expect(page.get_by_role("link", name="Ashfield Optics")).to_be_visible()
    page.context.close()


def test_everything_is_found_and_begun_from_the_keyboard(page: Page) -> None:
    keys, palette = page.keyboard, page.get_by_role("dialog", name="Find or do")
    line = palette.get_by_role("combobox", name="Find or do")
    page.goto("/records?type=gauge")
    page.get_by_label("Search records").focus()  # also while something is typed
    keys.press("Control+k")
    expect(line).to_be_focused()
    keys.type("guage cedar")
    expect(palette.get_by_role("option", name="Gauge Cedar")).to_have_attribute("aria-selected", "true")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Gauge Cedar", level=1)).to_be_visible()
    expect(palette).to_have_count(0)

    # What was opened last comes first; arrows go round.
    keys.press("Control+k")
    recent = palette.get_by_role("group", name="Recent").get_by_role("option")
    expect(recent).to_contain_text(["Gauge Cedar"])
    keys.press("ArrowUp")
    last = palette.get_by_role("option").last
    expect(last).to_have_attribute("aria-selected", "true")
    expect(line).to_have_attribute("aria-activedescendant", last.get_attribute("id") or "")
    keys.press("Escape")
    expect(palette).to_have_count(0)

    # A page, and acts.
    for typed, leads_to in (("memb", "/settings/members"), ("new crit", "/criteria-sets/new")):
        keys.press("Control+k")
        expect(line).to_be_focused()
        keys.type(typed)
        keys.press("Enter")
        expect(page).to_have_url(re.compile(leads_to))
        expect(palette).to_have_count(0)
    keys.press("Control+k")
    expect(line).to_be_focused()
    keys.type("new record")
    keys.press("Enter")
    dialog = page.get_by_role("dialog", name="New record")
    expect(dialog.get_by_label("Title")).to_be_focused()
    keys.press("Control+k")  # a dialog keeps its keys
    expect(palette).to_have_count(0)
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page).not_to_have_url(re.compile("new="))
    page.context.close()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_lists_and_the_palette_are_accessible_and_a_record_takes_two_lines_on_a_phone(
    browser: Browser, server: Server, demo_state: StorageState, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    page.goto('/records?type=vendor&cols=["criticality","summary"]')
    row = page.get_by_role("table", name="Records").get_by_role("row").nth(1)
    expect(row).to_be_visible()
    check_page(page)
    if width < 600:
        box = row.bounding_box()
        assert box is not None
        assert box["height"] == pytest.approx(PHONE_ROW, abs=1)
    else:
        page.get_by_role("button", name="Columns").click()
        expect(page.get_by_role("list", name="Chosen columns")).to_be_visible()
        check_page(page)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Lists").click()
    expect(page.get_by_role("menuitem", name="New list from what is shown")).to_be_visible()
    check_page(page)
    page.get_by_role("menuitem", name="New list from what is shown").click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
    check_page(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    row.get_by_role("checkbox").click()
    expect(page.get_by_role("group", name="Selected records")).to_be_visible()
    check_page(page)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Find or do").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("nimbus")
    expect(page.get_by_role("option", name=re.compile("Nimbus Voice AI")).first).to_be_visible()
    check_page(page)
    page.keyboard.press("Escape")
    page.goto("/records?type=contract&new=1")
    expect(page.get_by_role("dialog").get_by_label("Title")).to_be_focused()
    check_page(page)
    context.close()
