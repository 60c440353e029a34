"""Which records can be trusted: a run is pressed, its result appears, and a gap leads to the record and its field."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import check_page


@pytest.fixture
def page(browser: Browser, server: Server, demo_state: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, storage_state=demo_state)
    yield context.new_page()
    context.close()


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
    expect(fixes.get_by_role("link", name="Go to next_step")).to_be_visible()
    check_page(page)

    fixes.get_by_role("link", name="Go to next_step").click()
    expect(page).to_have_url(re.compile("#field-next_step$"))
    asked = page.locator("#field-next_step")
    expect(asked).to_contain_text("Look into the tone of the bot.")
    expect(asked).to_be_in_viewport()


def test_a_dimension_is_left_out_with_a_reason_that_every_result_says(page: Page) -> None:
    page.goto("/artifact-evals/pf_knowledge")
    panel = page.get_by_role("region", name="Left out")
    panel.get_by_role("button", name="Leave dimensions out").click()
    dialog = page.get_by_role("dialog", name="Leave dimensions out")
    expect(dialog.get_by_role("checkbox", name="Leave out Sources")).to_be_focused()

    # Without a reason nothing is saved, and one is led to where it is missing.
    dialog.get_by_role("checkbox", name="Leave out Rendering").check()
    dialog.get_by_role("button", name="Save").click()
    reason = dialog.get_by_label("Why Rendering is left out")
    expect(reason).to_be_focused()
    expect(dialog).to_contain_text("Say why")
    check_page(page)
    page.keyboard.type("Shown in another product")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(panel).to_contain_text("Shown in another product")

    # The next result says so, and so does the page when it is opened again.
    page.get_by_role("button", name=re.compile("^Run")).first.click()
    result = page.get_by_role("region", name="Dimensions")
    expect(result).to_contain_text("Left out")
    expect(page.get_by_role("main")).to_contain_text("Shown in another product")
    page.reload()
    expect(panel).to_contain_text("Shown in another product")

    # All six cannot be left out; what is taken in again counts again.
    panel.get_by_role("button", name="Leave dimensions out").click()
    ticks = dialog.get_by_role("checkbox")
    expect(ticks).to_have_count(6)
    for tick in ticks.all():
        if not tick.is_checked():
            tick.check()
    for place in range(6):
        dialog.get_by_role("textbox").nth(place).fill("Not here")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("keep at least one dimension")
    for tick in ticks.all():
        tick.uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(panel).to_contain_text("All six dimensions count.")


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
    page.context.close()
