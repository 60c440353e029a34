"""Tasks and field population in a browser: with an agent whose model is scripted."""

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, StorageState, expect

from goldloop.kit.ids import new_id
from tests.e2e.conftest import SECONDS, Server, client_with_key
from tests.e2e.model_server import hands_in, is_asked_for_values, model_server, says
from tests.e2e.test_accessibility import LOOKS, check_page
from tests.records import ok

MANY = 120 * SECONDS  # seven sessions one after the other on a busy machine
SCHEMA = {
    "type": "object",
    "properties": {"country": {"type": "string"}, "employees": {"type": "integer", "minimum": 0}},
}
FOUND = {
    "values": {"employees": 12},
    "field_meta": {
        "employees": {
            "confidence": "high",
            "sources": [{"type": "document", "title": "Text", "quote": "twelve people"}],
        }
    },
}


@dataclass
class Office:
    """A workspace with records to fill in and an agent that answers at once, or when it is let go."""

    client: httpx.Client
    type_slug: str
    agent: str
    go: threading.Event = field(default_factory=threading.Event)

    def make_record(self, title: str) -> Any:
        return ok(self.client.post("/api/entities", json={"type": self.type_slug, "title": title}))


@pytest.fixture(scope="module")
def office(server: Server) -> Iterator[Office]:
    go = threading.Event()
    go.set()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        go.wait(60)
        return hands_in(FOUND) if is_asked_for_values(request) else says("Good morning, all is well.")

    with model_server(answer) as url, client_with_key(server, "office", "--role", "owner") as client:
        name = new_id().hex[-8:]
        body = {"slug": f"supplier-{name}", "name": f"Supplier {name}", "json_schema": SCHEMA}
        made = ok(client.post("/api/entity-types", json=body))
        agent = ok(client.post("/api/agents", json={"slug": f"reader-{name}", "name": f"Reader {name}"}))
        config = {"model": "openai:scripted", "base_url": url}
        ok(client.put(f"/api/agents/{agent['id']}/config", json=config))
        yield Office(client, made["slug"], agent["slug"], go)


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[Page]:
    context: BrowserContext = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context.new_page()
    context.close()


def choose_agent(dialog: Any, office: Office) -> None:
    dialog.get_by_label("Agent").select_option(value=office.agent)


def test_a_task_is_made_run_now_switched_off_and_deleted(page: Page, office: Office) -> None:
    page.goto("/tasks")
    page.get_by_role("button", name="New task").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save task").click()
    expect(dialog.get_by_text("Give the task a name")).to_be_visible()
    dialog.get_by_label("Name").fill("Morning greeting")
    choose_agent(dialog, office)
    dialog.get_by_label("Message").fill("Greet everybody.")
    dialog.get_by_label("Runs").select_option("weekday")
    dialog.get_by_label("At", exact=True).fill("07:30")
    dialog.get_by_role("button", name="Save task").click()
    expect(dialog).to_be_hidden()
    row = page.get_by_role("row", name=re.compile("Morning greeting"))
    expect(row.get_by_text("Monday to Friday at 07:30")).to_be_visible()
    expect(row.get_by_text("Never")).to_be_visible()

    row.get_by_role("button", name="Run Morning greeting now").click()
    page.wait_for_url("**/sessions/*")
    session = page.url.rsplit("/", 1)[-1]
    page.goto("/tasks")
    expect(row.get_by_text("Completed")).to_be_visible()
    assert ok(office.client.get(f"/api/sessions/{session}"))["output"] == "Good morning, all is well."

    page.get_by_role("link", name="Morning greeting").click()
    runs = page.get_by_role("table", name="Last runs")
    expect(runs.get_by_text("Good morning, all is well.")).to_be_visible()
    page.get_by_role("switch", name="Morning greeting is enabled").press("Space")
    expect(page.get_by_text("Switched off")).to_be_visible()
    page.get_by_role("button", name="Actions for Morning greeting").click()
    page.get_by_role("menuitem", name="Edit").click()
    page.get_by_role("dialog").get_by_label("Runs", exact=True).select_option("never")
    page.get_by_role("dialog").get_by_role("button", name="Save task").click()
    expect(page.get_by_text("By hand", exact=True)).to_be_visible()
    page.get_by_role("button", name="Actions for Morning greeting").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete task").click()
    expect(page.get_by_role("heading", name="Work for agents")).to_be_visible()
    expect(page.get_by_role("link", name="Morning greeting")).to_be_hidden()


def test_a_record_is_filled_in_and_the_value_promoted(page: Page, office: Office) -> None:
    record = office.make_record("Acme of the browser")
    page.goto(f"/records/{record['id']}")
    page.get_by_role("button", name="Populate").click()
    dialog = page.get_by_role("dialog")
    expect(
        dialog.get_by_text("No model is configured")
    ).to_be_visible()  # of the agent that is there by itself
    choose_agent(dialog, office)
    expect(dialog.get_by_text("No model is configured")).to_be_hidden()
    dialog.get_by_role("checkbox", name="Employees").check()
    dialog.get_by_label("Text to read").fill("Acme has twelve people.")
    report = FilePayload(name="report.txt", mimeType="text/plain", buffer=b"Twelve, as every year.")
    dialog.locator("input[type=file]").set_input_files([report])
    expect(dialog.get_by_text("report.txt")).to_be_visible()
    dialog.get_by_role("button", name="Populate").click()
    expect(dialog).to_be_hidden()
    line = page.get_by_role("status", name="Population")
    expect(line.get_by_text("proposes values")).to_be_visible()
    line.get_by_role("link", name="Review what it proposes").click()
    page.wait_for_url("**/tasks/review**")
    expect(page.get_by_text("High confidence").first).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("alert").filter(has_text="promoted")).to_be_visible()
    page.goto(f"/records/{record['id']}?view=_all")  # the workspace may have views of its own by now
    expect(page.get_by_text("12", exact=True).first).to_be_visible()
    assert ok(office.client.get(f"/api/entities/{record['id']}"))["content"] == {"employees": 12}


def test_a_run_without_a_model_says_what_is_missing(page: Page, office: Office) -> None:
    record = office.make_record("Without a model")
    page.goto(f"/records/{record['id']}")
    page.get_by_role("button", name="Populate").click()
    page.get_by_role("dialog").get_by_role("button", name="Populate").click()
    line = page.get_by_role("status", name="Population")
    expect(line.get_by_text("No language model is configured")).to_be_visible()
    expect(line.get_by_role("link", name="Look at the session")).to_be_visible()
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_be_hidden()
    page.reload()
    expect(page.get_by_role("heading", name="Without a model")).to_be_visible()
    expect(line).to_be_hidden()


def test_many_records_are_filled_in_with_progress_and_can_be_cancelled(page: Page, office: Office) -> None:
    for n in range(7):
        office.make_record(f"Batch {n}")

    def start() -> None:
        page.goto(f"/records?type={office.type_slug}&q=batch")
        expect(page.get_by_text("7 records", exact=True)).to_be_visible()
        page.get_by_role("checkbox", name=re.compile("Select all|All", re.IGNORECASE)).first.check()
        page.get_by_role("group", name="Selected records").get_by_role("button", name="Populate").click()
        dialog = page.get_by_role("dialog", name=re.compile("Populate 7 records"))
        choose_agent(dialog, office)
        dialog.get_by_role("button", name="Populate").click()
        expect(dialog).to_be_hidden()

    start()
    panel = page.get_by_role("group", name="Population of records")
    expect(panel.get_by_text("Population ended: 7 done.")).to_be_visible(timeout=MANY)
    panel.get_by_role("button", name="Dismiss").click()
    expect(panel).to_be_hidden()

    office.go.clear()
    try:
        start()
        expect(panel.get_by_text("0 of 7 records are done")).to_be_visible(timeout=MANY)
        page.reload()
        expect(panel.get_by_text("0 of 7 records are done")).to_be_visible()
        panel.get_by_role("button", name="Cancel").click()
        expect(panel.get_by_text("Population was cancelled after 0 of 7 records.")).to_be_visible()
    finally:
        office.go.set()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_tasks_and_their_dialogs_are_accessible(
    browser: Browser, server: Server, owner_state: StorageState, office: Office, scheme: str, width: int
) -> None:
    body = {"name": "Fill in", "kind": "populate_fields", "config": {"type": office.type_slug, "text": "x"}}
    schedule = {"cron": "0 9 1 1 *", "timezone": "Europe/Berlin"}
    task = ok(office.client.post("/api/tasks", json={**body, "schedule": schedule}))
    record = office.make_record("Looked at")
    context = browser.new_context(
        base_url=server.url,
        storage_state=owner_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    page.goto("/tasks?new=1")
    page.get_by_role("dialog").get_by_label("Kind").select_option("populate_fields")
    page.get_by_role("dialog").get_by_label("Records of type").select_option(office.type_slug)
    page.get_by_role("dialog").get_by_label("Runs").select_option("month")
    expect(page.get_by_role("checkbox", name="Country")).to_be_visible()
    check_page(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Fill in").first).to_be_visible()
    check_page(page)
    page.goto(f"/tasks/{task['id']}")
    expect(page.get_by_text("It has not run yet")).to_be_visible()
    check_page(page)
    page.goto(f"/records/{record['id']}")
    page.get_by_role("button", name="Populate").click()
    expect(page.get_by_role("checkbox", name="Country")).to_be_visible()
    check_page(page)
    context.close()
