"""Which records can be trusted: a run is pressed, its result appears, and a gap leads to the record and its field."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Server


@pytest.fixture
def page(browser: Browser, server: Server, demo_state: Any) -> Page:
    return browser.new_context(base_url=server.url, storage_state=demo_state).new_page()


def test_a_run_says_what_to_fix_first_and_leads_there(page: Page) -> None:
    page.goto("/artifact-evals")
    page.get_by_role("article", name="Product ideas").get_by_role("link", name="Product ideas").click()
    expect(page.get_by_role("heading", name="Not run yet")).to_be_visible()
    page.get_by_role("button", name="Run Product ideas").first.click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("4 of 5 records can be trusted")
    fixes = page.get_by_role("region", name="What to fix first")
    expect(fixes.get_by_role("link", name="A warmer tone for the answer bot")).to_be_visible()
    expect(fixes.get_by_text("Safety gate")).to_be_visible()

    page.get_by_role("region", name="Dimensions").get_by_role("link", name="Action").click()
    expect(page).to_have_url(re.compile("dimension=actionability"))
    fixes.get_by_text("Pass", exact=True).click()
    expect(fixes.get_by_text("No record is like that")).to_be_visible()
    fixes.get_by_role("button", name="Show what to fix").click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()

    fixes.get_by_role("link", name="Go to next_step").click()
    expect(page).to_have_url(re.compile("#field-next_step$"))
    asked = page.locator("#field-next_step")
    expect(asked).to_contain_text("Look into the tone of the bot.")
    expect(asked).to_be_in_viewport()


def test_a_criteria_set_is_made_of_the_dimensions(page: Page) -> None:
    page.goto("/artifact-evals/therapy-plan")
    page.get_by_role("button", name="New criteria set").click()
    page.get_by_role("link", name="criteria set").click()
    expect(page.get_by_text("Safety human gate").first).to_be_visible()


def test_a_workspace_without_the_type_is_led_to_where_types_are_made(
    browser: Browser, server: Server, owner_state: Any
) -> None:
    page = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    page.goto("/artifact-evals/pf_idea")
    expect(page.get_by_role("heading", name="Nothing to score yet")).to_be_visible()
    page.get_by_role("link", name="New type").click()
    expect(page).to_have_url(re.compile("/build/types$"))
