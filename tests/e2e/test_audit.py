"""The audit log in a browser: who came in, what somebody changed, from what to what, and who took the log along."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import LOOKS, check_page


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[Page]:
    context: BrowserContext = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context.new_page()
    context.close()


def choose(page: Page, event: str) -> None:
    page.get_by_role("combobox", name="What happened").click()
    page.get_by_role("combobox", name="What happened").fill(event)
    page.get_by_role("option", name=event, exact=True).click()


def test_an_admin_sees_who_did_what_and_takes_the_log_along(page: Page, server: Server) -> None:
    with client_with_key(server, "audited", "--role", "owner") as client:
        agent = client.post("/api/agents", json={"slug": "audited", "name": "Audited"}).json()["id"]
        for words in ("Be brief.", "Be exact."):
            body = {"runtime": "built_in", "instructions": words}
            assert client.put(f"/api/agents/{agent}/config", json=body).is_success
    page.goto("/settings/audit")
    table = page.get_by_role("table", name="Audit log")
    choose(page, "Member signed in")
    page.wait_for_url("**name=member.signed_in**")
    expect(table.get_by_text("Signed in, 127.0.0.1").first).to_be_visible()

    page.goto("/settings/audit?name=agent.configured")
    page.get_by_label("About, by id").fill(agent)
    expect(table.get_by_role("button", name="Agent configured")).to_have_count(2)
    expect(table.get_by_text("Key audited, 127.0.0.1").first).to_be_visible()
    table.get_by_role("button", name="Agent configured").first.click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("Be brief.", exact=True)).to_be_visible()
    expect(drawer.get_by_text("Be exact.", exact=True)).to_be_visible()
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as taken:
        page.get_by_role("menuitem", name="As a table (CSV)").click()
    lines = taken.value.path().read_text().splitlines()
    assert len([line for line in lines if "agent.configured" in line]) == 2
    page.goto("/settings/audit?name=audit.exported")
    expect(table.get_by_role("button", name="Audit exported").first).to_be_visible()
    page.goto("/settings/audit?name=agent.configured&subject=nothing-has-this-id")
    expect(page.get_by_text("Nothing of this kind happened")).to_be_visible()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_audit_log_is_accessible(
    browser: Browser, server: Server, owner_state: StorageState, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=owner_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    page.goto("/settings/audit?name=member.signed_in")
    page.get_by_role("button", name="Member signed in").first.click()
    expect(page.get_by_role("dialog").get_by_text("What the event tells")).to_be_visible()
    check_page(page)
    context.close()
