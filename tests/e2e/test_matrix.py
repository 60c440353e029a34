"""Connections as people rate them and see them rated: a matrix by keyboard, a picture that a link reproduces."""

import csv
import io
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, StorageState, expect

from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import LOOKS, check_page

SET = "How it went"
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PROTOCOLS = ["Sauna", "Cold plunge", "=Float tank"]
DIMENSIONS: list[dict[str, Any]] = [
    {"key": "outcome", "label": "Outcome", "type": "rating", "scale": [1, 5], "weight": 0.5},
    {"key": "comfort", "label": "Comfort", "type": "rating", "scale": [1, 5], "weight": 0.5},
    {"key": "minutes", "label": "Minutes", "type": "number", "scale": [0, 60]},
    {"key": "note", "label": "Note", "type": "text"},
]
# By agent, and by the place of the protocol.
RATINGS: dict[str, dict[int, dict[str, Any]]] = {
    "ash": {0: {"outcome": 5, "comfort": 1, "minutes": 10}, 1: {"outcome": 3, "comfort": 4, "minutes": 30}},
    "birch": {0: {"outcome": 1, "comfort": 2, "minutes": 20}, 1: {"outcome": 3, "comfort": 5, "minutes": 5}},
    "cedar": {0: {"outcome": 2, "comfort": 3, "minutes": 60}, 2: {"note": "Closed that day"}},
}


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def admin(server: Server) -> httpx.Client:
    client = client_with_key(server, "matrix", "--role", "admin")
    schema = {"type": "object", "properties": {}}
    relation = {"target_type": "treatment", "multiple": True, "relationship_type": "did-treatment"}
    _made(
        client.post(
            "/api/entity-types", json={"slug": "treatment", "name": "Treatment", "json_schema": schema}
        )
    )
    visit = {"slug": "visit", "name": "Visit", "json_schema": schema}
    fields = {"treatments": {"label": "Treatments", "relation": relation}}
    _made(client.post("/api/entity-types", json={**visit, "field_configs": fields}))
    scope = {"type": "relation", "fieldKey": "treatments"}
    about = {"slug": "how-it-went", "name": SET, "kind": "assessment", "entity_type_slugs": ["visit"]}
    _made(client.post("/api/criteria-sets", json={**about, "dimensions": DIMENSIONS, "scope": scope}))
    return client


def _visit(admin: httpx.Client, title: str, connect: bool = True) -> tuple[str, list[str]]:
    visit: str = _made(admin.post("/api/entities", json={"type": "visit", "title": title, "content": {}}))[
        "id"
    ]
    ids = []
    for name in PROTOCOLS if connect else []:
        body = {"type": "treatment", "title": name, "content": {}}
        ids.append(_made(admin.post("/api/entities", json=body))["id"])
        relation = {"field_key": "treatments", "target_id": ids[-1]}
        _made(admin.post(f"/api/entities/{visit}/relations", json=relation))
    return visit, ids


@pytest.fixture(scope="module")
def rated(server: Server, admin: httpx.Client) -> str:
    """A visit whose three treatments were rated by three agents, each only in part."""
    visit, ids = _visit(admin, "Visit of March")
    for agent, rows in RATINGS.items():
        values = {ids[place]: row for place, row in rows.items()}
        body = {"criteria_set_slug": "how-it-went", "values": values}
        client = client_with_key(server, "matrix", "--role", "contributor", "--agent", agent)
        _made(client.post(f"/api/entities/{visit}/responses", json=body))
    return visit


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState) -> Any:
    context = _context(browser, server, owner_state)
    yield context.new_page()
    context.close()


def _context(browser: Browser, server: Server, state: Any, **more: Any) -> BrowserContext:
    return browser.new_context(base_url=server.url, storage_state=state, **more)


def _open_form(page: Page, visit: str) -> Any:
    page.goto(f"/records/{visit}?tab=responses")
    page.get_by_role("button", name="New response").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Criteria set").select_option(label=SET)
    return dialog


def _drafts(page: Page) -> list[str]:
    names: list[str] = page.evaluate("Object.keys(localStorage).filter(name => name.includes('/matrix/'))")
    return names


def _strategies(page: Page) -> Locator:
    return page.get_by_role("radiogroup", name="Brought together by")


def test_a_matrix_is_filled_in_by_keyboard_and_an_unfinished_one_survives_a_reload(
    page: Page, admin: httpx.Client
) -> None:
    visit, ids = _visit(admin, "Visit of April")
    dialog = _open_form(page, visit)
    dialog.get_by_label("Outcome of Sauna, 1 to 5").focus()
    for key in ("4", "ArrowRight", "5", "Tab", "2", "0", "Enter", "3", "0", "ArrowLeft", "2"):
        page.keyboard.press(key)
    page.reload()  # at once: what was typed last is written down on leaving
    assert len(_drafts(page)) == 1
    assert admin.get(f"/api/entities/{visit}/responses").json()["data"] == []

    page.get_by_role("button", name="New response").click()  # the set that was begun is chosen by itself
    expect(dialog.get_by_label("Outcome of Sauna, 1 to 5")).to_be_focused()
    expect(dialog.get_by_text("Your unfinished matrix")).to_be_visible()
    expect(dialog.get_by_label("Outcome of Sauna, 1 to 5")).to_have_value("4")
    expect(dialog.get_by_label("Minutes of Cold plunge, 0 to 60")).to_have_value("30")
    dialog.get_by_label("Note of Cold plunge").focus()
    page.keyboard.type("Too cold")
    page.keyboard.press("Control+Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("table", name="Ratings of connections")).to_contain_text("Too cold")
    assert _drafts(page) == []
    [response] = admin.get(f"/api/entities/{visit}/responses").json()["data"]
    assert response["values"] == {
        ids[0]: {"outcome": 4, "comfort": 5, "minutes": 20},
        ids[1]: {"comfort": 2, "minutes": 30, "note": "Too cold"},
    }
    assert response["promotable_fields"] == []


def test_what_is_wrong_is_said_at_its_cell_and_nothing_is_written_where_there_is_nothing(
    page: Page, admin: httpx.Client
) -> None:
    visit, ids = _visit(admin, "Visit of May")
    page.route("**/api/events*", lambda route: route.abort())  # or what others do is announced
    dialog = _open_form(page, visit)
    dialog.get_by_role("button", name="Submit response").click()
    expect(dialog.get_by_text("Nothing was written")).to_be_visible()

    wrong = dialog.get_by_label("Minutes of Cold plunge, 0 to 60")
    wrong.fill("99")
    dialog.get_by_role("button", name="Submit response").click()
    expect(dialog.get_by_text("This is a number from 0 to 60")).to_be_visible()
    expect(wrong).to_be_focused()
    wrong.fill("60")

    # Somebody takes a connection away meanwhile: only the server knows.
    [relation] = [
        each
        for each in admin.get(f"/api/entities/{visit}/relations?field_key=treatments").json()["data"]
        if each["target_id"] == ids[1]
    ]
    admin.delete(f"/api/entities/{visit}/relations/{relation['id']}")
    dialog.get_by_role("button", name="Submit response").click()
    expect(dialog.get_by_role("alert").or_(dialog.get_by_text("no longer connected")).first).to_be_visible()
    assert admin.get(f"/api/entities/{visit}/responses").json()["data"] == []


def test_where_nothing_is_connected_the_way_to_connect_is_there(page: Page, admin: httpx.Client) -> None:
    visit, _ = _visit(admin, "Visit of June", connect=False)
    _visit(admin, "Visit of July")  # brings treatments to connect to
    dialog = _open_form(page, visit)
    dialog.get_by_role("button", name="Connect a record as Treatments").click()
    dialog.get_by_role("combobox", name="Record to connect as Treatments").fill("sauna")
    page.get_by_role("option", name="Sauna").first.click()
    expect(dialog.get_by_role("grid", name="Ratings of 1 connected record")).to_be_visible()


def _picture(page: Page, **chosen: str) -> dict[str, Any]:
    """What the chart and the table show once they show what was chosen, down to the place of each bubble."""
    figure = page.get_by_role("figure").first
    for name, value in chosen.items():  # the address says so before it is drawn
        expect(figure).to_have_attribute(f"data-{name}", value)
    expect(page.locator("[data-bubble]")).to_have_count(2)
    page.evaluate(TWO_FRAMES)  # layers are drawn one after the other
    table = page.get_by_role("table", name="Connections", exact=True)
    round_all = "all => all.map(c => ['cx', 'cy', 'r'].map(name => Math.round(c.getAttribute(name))))"
    return {
        "state": figure.evaluate("({dataset: {x, y, z, agg, overlay}}) => ({x, y, z, agg, overlay})"),
        "label": page.get_by_role("img", name=re.compile("^Bubble chart")).get_attribute("aria-label"),
        "bubbles": page.locator("[data-bubble]").evaluate_all(round_all),
        "dots": page.locator("[data-dot]").evaluate_all(round_all),
        "rows": table.get_by_role("row").all_inner_texts(),
        "sort": [each.get_attribute("aria-sort") for each in table.get_by_role("columnheader").all()],
    }


def test_a_link_shows_the_same_picture_to_somebody_else(
    browser: Browser, server: Server, owner_state: StorageState, page: Page, rated: str
) -> None:
    page.goto(f"/records/{rated}?tab=responses")
    usual = _picture(page)
    assert usual["state"] == {
        "x": "outcome", "y": "comfort", "z": None, "agg": "mean", "overlay": "false",
    }  # fmt: skip
    assert usual["dots"] == []
    assert usual["sort"] == ["none", "none", "none", "none", "descending", None]

    page.get_by_label("Across", exact=True).select_option("comfort")
    page.get_by_label("Upwards", exact=True).select_option("outcome")
    page.get_by_label("Size", exact=True).select_option("minutes")
    _strategies(page).get_by_text("Median", exact=True).click()
    page.get_by_role("switch", name="Single ratings").check(force=True)
    page.get_by_role("button", name="Connected record").click()
    expect(page).to_have_url(re.compile("dir=asc"))
    keys = {"x=comfort", "y=outcome", "z=minutes", "agg=median", "overlay=1", "sort=title", "dir=asc"}
    assert set(page.url.split("?")[1].split("&")) == {"tab=responses", *keys}
    table = page.get_by_role("table", name="Connections", exact=True)
    title = table.get_by_role("columnheader", name="Connected record")
    expect(title).to_have_attribute("aria-sort", "ascending")
    chosen = {"x": "comfort", "y": "outcome", "z": "minutes", "agg": "median", "overlay": "true"}
    mine = _picture(page, **chosen)
    assert mine["state"] == chosen
    assert len(mine["dots"]) > 0
    under = "document.querySelector('[data-dot]').compareDocumentPosition(document.querySelector('[data-bubble]')) & 4"
    assert page.evaluate(under)  # the dots are drawn before, and so beneath

    other = _context(browser, server, owner_state)
    shared = other.new_page()
    shared.goto(page.url)
    assert _picture(shared, **chosen) == mine
    shared.goto(re.sub(r"agg=median", "agg=mode", page.url.replace("x=comfort", "x=nothing")))
    assert _picture(shared)["state"] | {"agg": "mean", "x": "outcome"} == _picture(shared)["state"]
    other.close()


def _is_question(url: str) -> bool:
    """Anything but the stream of what happens, which the page keeps open."""
    path = urlsplit(url).path
    return path.startswith("/api/") and path != "/api/events"


def test_another_strategy_asks_the_server_nothing(page: Page, rated: str) -> None:
    page.route("**/api/events*", lambda route: route.abort())  # or others' doings are announced, and read
    page.goto(f"/records/{rated}?tab=responses")
    _picture(page)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.wait_for_load_state("networkidle")  # what it asks for at first has come
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if _is_question(request.url) else None)
    first = page.get_by_role("table", name="Connections", exact=True).get_by_role("row").nth(1)
    for strategy, best in (
        ("Max", "Sauna"),
        ("Min", "Cold plunge"),
        ("Median", "Cold plunge"),
        ("Mean", "Cold plunge"),
    ):
        _strategies(page).get_by_text(strategy, exact=True).click()
        expect(first).to_contain_text(best)
        expect(page.get_by_role("figure").first).to_have_attribute("data-agg", strategy.lower())
    assert asked == []
    page.reload()
    _picture(page)
    assert asked, "what a page asks is seen here"


def _record_with_two_sets(admin: httpx.Client) -> tuple[str, dict[str, str]]:
    """A record whose one connection is rated by two criteria sets; the ids of these by name."""
    relation = {"target_type": "treatment", "multiple": True, "relationship_type": "had-treatment"}
    fields = {"treatments": {"label": "Treatments", "relation": relation}}
    stay = {"slug": "stay", "name": "Stay", "json_schema": {"type": "object", "properties": {}}}
    _made(admin.post("/api/entity-types", json={**stay, "field_configs": fields}))
    made: list[str] = []
    for kind, title in (("stay", "A week away"), ("treatment", "Mud bath")):
        body = {"type": kind, "title": title, "content": {}}
        made.append(_made(admin.post("/api/entities", json=body))["id"])
    record, treatment = made
    connect = {"field_key": "treatments", "target_id": treatment}
    _made(admin.post(f"/api/entities/{record}/relations", json=connect))
    sets = {}
    asked: tuple[tuple[str, str, list[dict[str, Any]]], ...] = (
        ("worth", "Worth", DIMENSIONS[:2]),
        ("length", "Length", [DIMENSIONS[2], DIMENSIONS[0]]),
    )
    for slug, name, dimensions in asked:
        about = {"slug": slug, "name": name, "kind": "assessment", "entity_type_slugs": ["stay"]}
        scope = {"type": "relation", "fieldKey": "treatments"}
        new = {**about, "dimensions": dimensions, "scope": scope}
        sets[name] = _made(admin.post("/api/criteria-sets", json=new))["id"]
        values = {treatment: {dimension["key"]: 4 for dimension in dimensions}}
        response = {"criteria_set_slug": slug, "values": values}
        _made(admin.post(f"/api/entities/{record}/responses", json=response))
    return record, sets


def test_of_two_sets_a_link_shows_the_picture_that_was_chosen(
    browser: Browser, server: Server, owner_state: StorageState, page: Page, admin: httpx.Client
) -> None:
    record, sets = _record_with_two_sets(admin)
    page.goto(f"/records/{record}?tab=responses")
    figure = page.get_by_role("figure").filter(has_text="Ratings by connection")
    expect(page.get_by_role("group", name="Worth").locator(figure)).to_have_attribute("data-x", "outcome")
    expect(figure).to_have_count(1)
    page.get_by_role("button", name="Show ratings by connection of Length").click()
    expect(page.get_by_role("group", name="Length").locator(figure)).to_have_attribute("data-x", "minutes")
    page.get_by_label("Upwards", exact=True).select_option("minutes")
    page.get_by_text("Max", exact=True).click()
    expect(page).to_have_url(re.compile("agg=max"))
    assert set(page.url.split("?")[1].split("&")) == {
        "tab=responses", f"set={sets['Length']}", "y=minutes", "agg=max",
    }  # fmt: skip

    other = _context(browser, server, owner_state)
    shared = other.new_page()
    shared.goto(page.url)
    mine = shared.get_by_role("group", name="Length").get_by_role("figure").first
    expect(mine).to_have_attribute("data-y", "minutes")
    expect(mine).to_have_attribute("data-agg", "max")
    expect(shared.get_by_role("group", name="Worth").get_by_role("figure")).to_have_count(0)
    check_page(shared)
    other.close()


def test_picture_and_table_are_saved(page: Page, rated: str, tmp_path: Path) -> None:
    page.goto(f"/records/{rated}?tab=responses&sort=title&dir=asc")
    _picture(page)
    with page.expect_download() as drawing:
        page.get_by_role("button", name="PNG").click()
    assert drawing.value.suggested_filename == "visit-of-march-how-it-went-mean.png"
    drawing.value.save_as(tmp_path / "picture.png")
    saved = (tmp_path / "picture.png").read_bytes()
    assert saved.startswith(b"\x89PNG")
    assert len(saved) > 5000
    with page.expect_download() as table:
        page.get_by_role("button", name="CSV").click()
    table.value.save_as(tmp_path / "table.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text(encoding="utf-8-sig"))))
    assert [row["Connected record"] for row in rows] == ["'=Float tank", "Cold plunge", "Sauna"]
    assert [row["Outcome"] for row in rows] == ["", "3", "2.6666666666666665"]
    assert [row["Responses"] for row in rows] == ["1", "2", "3"]


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_matrix_and_picture_are_accessible(
    browser: Browser, server: Server, owner_state: StorageState, rated: str, scheme: str, width: int
) -> None:
    viewport = {"width": width, "height": 844}
    context = _context(browser, server, owner_state, color_scheme=scheme, viewport=viewport)
    page = context.new_page()
    page.goto(f"/records/{rated}?tab=responses&z=minutes&overlay=1")
    _picture(page)
    check_page(page)
    dialog = _open_form(page, rated)
    expect(dialog.get_by_text("of 3 rated")).to_be_visible()
    dialog.get_by_label(re.compile("^Minutes")).first.fill("99")
    dialog.get_by_role("button", name="Submit response").click()
    expect(dialog.get_by_text("This is a number from 0 to 60")).to_be_visible()
    check_page(page)
    context.close()
