"""The chain in a browser: from the demo's contract field to the two rejections that taught the agent, and back."""

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, StorageState, expect

from goldloop.chain.demo import CONTRACT, FIELD
from goldloop.entities.demo import contract_id
from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import LOOKS, check_page

VALUE = f"field:{contract_id(CONTRACT)}/{FIELD}"
RECORD = f"/records/{contract_id(CONTRACT)}"
SHOTS = os.environ.get("GOLDLOOP_SHOTS")  # a folder, for whoever wants to look


@pytest.fixture
def page(browser: Browser, server: Server, demo_state: StorageState) -> Iterator[Page]:
    context = browser.new_context(
        base_url=server.url, storage_state=demo_state, viewport={"width": 1440, "height": 900}
    )
    yield context.new_page()
    context.close()


def picture(page: Page) -> Locator:
    return page.get_by_role("group", name="The chain as a picture")


def node(page: Page, *words: str) -> Locator:
    found = picture(page).get_by_role("button")
    for word in words:
        found = found.filter(has_text=word)
    return found.first


def shoot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def test_the_value_leads_to_the_rejections_that_taught_the_agent_and_back(page: Page) -> None:
    page.goto(RECORD)
    page.get_by_role("link", name="What Notice period rests on").click()
    expect(page.get_by_role("heading", level=1, name="What it rests on")).to_be_visible()
    for words in (
        ("Response", "Contract fields"),
        ("Source", "NW-2023-021 signed.pdf"),
        ("Session", "Populate"),
        ("Prompt",),
        ("Knowledge", "ending the contract"),
        ("Feedback", "section 7 are for moving racks"),
        ("Feedback", "ends with a notice of 90 days"),
        ("Person", "Priya Raman"),
        ("Person", "Tomás Okafor"),
    ):
        expect(node(page, *words)).to_be_visible()
    shoot(page, "back")
    # And back again, from a rejection to the value.
    node(page, "Feedback", "ends with a notice of 90 days").click()
    panel = page.get_by_role("region", name="The chosen node")
    panel.get_by_role("link", name="What rests on it").click()
    expect(page.get_by_role("heading", level=1, name="What rests on it")).to_be_visible()
    for found in (
        ("Knowledge", "ending the contract"),
        ("Prompt",),
        ("Session", "Populate"),
        ("Response", "Contract fields"),
        ("Value", "notice_days", "Meridian Print"),
    ):
        expect(node(page, *found)).to_be_visible()
    shoot(page, "forward")


def test_the_picture_is_walked_by_keyboard(page: Page) -> None:
    page.goto(f"/chain?from={VALUE}")
    start = node(page, "Value", FIELD)
    expect(start).to_have_attribute("aria-pressed", "true")
    start.focus()
    page.keyboard.press("ArrowRight")
    expect(node(page, "Response", "Contract fields")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("node="))
    page.keyboard.press("Home")
    expect(start).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(node(page, "Response", "Contract fields")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: RECORD in url and "tab=responses" in url)


def test_the_same_is_a_list(page: Page) -> None:
    page.goto(f"/chain?from={VALUE}")
    page.get_by_role("radiogroup", name="View").get_by_text("List").click()
    expect(page).to_have_url(re.compile("view=list"))
    people = page.get_by_role("region", name="6 steps away")
    expect(people.get_by_text("Priya Raman").first).to_be_visible()
    shoot(page, "list")


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_pages_of_the_chain_are_accessible(
    browser: Browser, server: Server, demo_state: StorageState, scheme: Any, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url, storage_state=demo_state, color_scheme=scheme, viewport={"width": width, "height": 844}
    )  # fmt: skip
    page = context.new_page()
    for name, path in {
        "picture": f"/chain?from={VALUE}",
        "list": f"/chain?from={VALUE}&view=list",
        "nothing": "/chain",
        "gone": "/chain?from=source:web:https://nowhere.test",
        "retractions": "/chain/retractions",
    }.items():
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        shoot(page, f"{name}-{scheme}-{width}")
        check_page(page)
    context.close()


def test_a_retraction_is_settled_by_keyboard_and_taken_back(page: Page) -> None:
    page.goto(f"/chain?from={VALUE}")
    node(page, "Source", "NW-2023-021 signed.pdf").click()
    page.get_by_role("button", name="Retract").click()
    dialog = page.get_by_role("dialog", name="Retract this source")
    dialog.get_by_label("Why it is not to be relied on").fill("It was never signed")
    dialog.get_by_role("button", name="Retract").click()
    expect(page.get_by_role("heading", level=1, name="To look at again")).to_be_visible()
    items = page.get_by_role("list", name="To look at again").get_by_role("listitem")
    expect(items).to_have_count(6)
    shoot(page, "items")
    check_page(page)
    items.first.focus()
    page.keyboard.press("y")
    expect(items).to_have_count(5)
    items.first.get_by_role("button", name="Removed").click()
    expect(items).to_have_count(4)
    page.goto("/tasks")
    expect(page.get_by_text("To look at again").first).to_be_visible()
    page.goto("/chain/retractions")
    retracted = (
        page.get_by_role("list", name="Retractions")
        .get_by_role("listitem")
        .filter(has_text="It was never signed")
    )
    retracted.get_by_role("button", name="Take back").click()
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Nothing to look at again")).to_be_visible()
    expect(retracted.get_by_text("Taken back by")).to_be_visible()
