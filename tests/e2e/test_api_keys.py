"""The story of an API key: made on a page, used over HTTP, seen live in another browser, revoked."""

import httpx
from playwright.sync_api import Browser, Locator, Page, StorageState, expect

from tests.e2e.conftest import Server


def _row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


def test_a_key_lives_from_the_dialog_to_its_revocation(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    mine = browser.new_context(base_url=server.url, storage_state=owner_state)
    theirs = browser.new_context(base_url=server.url, storage_state=owner_state)
    page, watching = mine.new_page(), theirs.new_page()
    watching.goto("/settings/keys")
    expect(watching.get_by_role("heading", name="API keys", exact=True)).to_be_visible()

    page.goto("/settings/keys")
    page.get_by_role("button", name="New key").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Support bot")
    dialog.get_by_role("button", name="Save key").click()
    expect(dialog.get_by_text("Copy the key now")).to_be_visible()
    secret = dialog.locator("pre").first.inner_text().strip()
    assert secret.startswith("gl_")
    dialog.get_by_role("button", name="I have stored it").click()
    expect(page.get_by_text(secret)).to_have_count(0)

    expect(_row(watching, "Support bot")).to_contain_text("Active")  # no reload
    expect(_row(watching, "Support bot")).to_contain_text("Never")

    headers = {"Authorization": f"Bearer {secret}"}
    assert httpx.get(f"{server.url}/api/workspace", headers=headers).json()["role"] == "contributor"
    expect(_row(watching, "Support bot")).not_to_contain_text("Never")  # the job recorded its use

    page.get_by_role("button", name="Revoke Support bot").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(_row(watching, "Support bot")).to_contain_text("Revoked")
    assert httpx.get(f"{server.url}/api/workspace", headers=headers).status_code == 401

    watching.goto("/settings/jobs")
    routine = watching.get_by_role("button", name="Routine jobs")
    expect(routine).to_have_attribute("aria-expanded", "false")
    routine.click()
    table = watching.get_by_role("table", name="Routine jobs")
    expect(table.get_by_role("row").filter(has_text="Note when a key was used").first).to_contain_text(
        "Succeeded"
    )
    mine.close()
    theirs.close()


def test_a_bad_form_names_the_field(browser: Browser, server: Server, owner_state: StorageState) -> None:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    page = context.new_page()
    page.goto("/settings/keys")
    page.get_by_role("button", name="New key").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Save key").click()
    name = page.get_by_role("dialog").get_by_label("Name")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Give the key a name")).to_be_visible()
    context.close()
