"""Limits, in a browser: what is used is shown, and an administrator sets what may be."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.conftest import Server


@pytest.fixture
def demo_page(browser: Browser, server: Server, demo_state: StorageState) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, storage_state=demo_state)
    yield context.new_page()
    context.close()


def test_an_admin_sets_a_limit_and_sees_what_is_left(demo_page: Page) -> None:
    page = demo_page
    page.goto("/settings/limits")
    used = page.get_by_role("list", name="What is used")
    expect(used).to_contain_text("Requests a minute")
    expect(used).to_contain_text("No limit")
    requests = page.get_by_label("Requests a minute", exact=True)
    requests.fill("100000")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.").first).to_be_visible()
    expect(used).to_contain_text("of 100,000 used")
    page.get_by_role("button", name="Measure now").click()
    expect(page.get_by_text("It is being measured.")).to_be_visible()
    page.reload()
    expect(requests).to_have_value("100,000")
    requests.fill("")
    page.get_by_role("button", name="Save").click()
    expect(used).not_to_contain_text("of 100,000 used")
