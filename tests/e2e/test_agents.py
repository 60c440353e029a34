"""The page of an agent: configured, changed by two at a time, compared, restored; its secrets; what became of its work."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import LOOKS, check_page


@pytest.fixture
def context(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context
    context.close()


def make_agent(page: Page, name: str) -> str:
    """The address of its page."""
    page.goto("/settings/agents?new=1")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Save agent").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.url


def save(page: Page, version: int) -> None:
    page.get_by_role("button", name=f"Save version {version}").click()
    expect(page.get_by_text(f"Version {version} of")).to_be_visible()
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def instructions(page: Page) -> str:
    return page.get_by_role("textbox", name="Instructions").input_value()


def test_an_agent_is_configured_changed_compared_and_restored(context: BrowserContext) -> None:
    page = context.new_page()
    make_agent(page, "Contract reader")
    expect(page.get_by_text("This agent runs elsewhere")).to_be_visible()
    page.get_by_role("button", name="Configure it to run here").click()
    page.get_by_role("textbox", name="Model").fill("gpt-6")
    page.get_by_role("textbox", name="Instructions").fill("Read the contract.\nBe brief.\n")
    page.get_by_role("button", name="Save version 1").click()
    expect(page.get_by_text("Write it as provider:name")).to_be_visible()
    page.get_by_role("textbox", name="Model").fill("openai:gpt-6")
    save(page, 1)

    page.get_by_role("textbox", name="Instructions").fill("Read the contract.\nQuote the sentence.\n")
    page.get_by_role("checkbox", name="responses").check()
    page.get_by_role("textbox", name="Note").fill("Quotes now")
    save(page, 2)

    page.get_by_role("link", name="Versions").click()
    lines = page.get_by_role("table", name="Instructions")
    expect(lines.get_by_role("row")).to_contain_text(
        ["Read the contract.", "Removed: Be brief.", "Added: Quote the sentence."]
    )
    expect(page.get_by_role("table", name="What changed")).to_contain_text("responses")
    expect(page.get_by_role("table", name="Versions")).to_contain_text("Quotes now")
    page.get_by_role("button", name="Restore version 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore").click()
    expect(page.get_by_role("table", name="Versions")).to_contain_text("Version 1 was restored")
    page.get_by_role("link", name="Configuration").click()
    expect(page.get_by_role("textbox", name="Instructions")).to_have_value("Read the contract.\nBe brief.\n")
    expect(page.get_by_role("checkbox", name="responses")).not_to_be_checked()

    page.goto("/settings/agents")
    expect(page.get_by_role("row", name=re.compile("Contract reader"))).to_contain_text("openai:gpt-6")


def test_of_two_who_edit_at_once_nobody_overwrites_the_other(context: BrowserContext) -> None:
    hers, his = context.new_page(), context.new_page()
    address = make_agent(hers, "Shared reader")
    hers.get_by_role("button", name="Configure it to run here").click()
    hers.get_by_role("textbox", name="Instructions").fill("First.")
    save(hers, 1)
    his.goto(address)
    his.get_by_role("textbox", name="Instructions").fill("His.")
    hers.get_by_role("textbox", name="Model").fill("openai:gpt-7")
    save(hers, 2)
    alert = his.get_by_role("alert").filter(has_text="changed while you edited it")
    expect(alert).to_contain_text("You began at version 1; it is at version 2 now.")
    assert instructions(his) == "His."
    alert.get_by_role("button", name="Save mine on top").click()
    expect(his.get_by_text("Version 3 of")).to_be_visible()
    expect(his.get_by_role("textbox", name="Model")).to_have_value("openai:gpt-7")
    expect(hers.get_by_role("textbox", name="Instructions")).to_have_value("His.")


def test_a_secret_is_set_and_removed_and_never_shown(context: BrowserContext) -> None:
    page = context.new_page()
    make_agent(page, "Keeper of secrets")
    page.get_by_role("button", name="Configure it to run here").click()
    page.get_by_role("button", name="Set model key").click()
    page.get_by_label("Secret", exact=True).fill("sk-very-secret")
    page.get_by_role("button", name="Save secret").click()
    expect(page.get_by_role("button", name="Replace model key")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Configure it to run here").click()
    section = page.get_by_role("region", name="Secrets")
    expect(section).to_contain_text(re.compile("By .+, just now"))
    assert "sk-very-secret" not in page.content()
    section.get_by_role("button", name="Remove model key").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(section.get_by_role("button", name="Set model key")).to_be_visible()


def test_what_an_agent_proposed_leads_to_the_review_of_it_alone(
    browser: Browser, server: Server, demo_state: StorageState
) -> None:
    context = browser.new_context(base_url=server.url, storage_state=demo_state)
    page = context.new_page()
    page.goto("/settings/agents")
    page.get_by_role("link", name="Contract extractor").click()
    page.get_by_role("link", name="Responses").click()
    expect(page.get_by_role("list", name="What became of its responses")).to_contain_text("Rejected")
    page.get_by_role("link", name="Review all that are open").click()
    expect(page.get_by_label("Submitted by")).to_have_value(re.compile("^[0-9a-f-]{36}$"))
    expect(page.get_by_label("Submitted by").locator("option:checked")).to_have_text("By Contract extractor")
    context.close()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_every_part_of_the_page_is_accessible(
    browser: Browser, server: Server, owner_state: StorageState, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=owner_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    address = make_agent(page, f"Reader in {scheme}")
    check_page(page)
    page.get_by_role("button", name="Configure it to run here").click()
    for version, text in enumerate(("One.\nTwo.", "One.\nThree."), 1):
        page.get_by_role("textbox", name="Instructions").fill(text)
        save(page, version)
    for tab in ("configuration", "versions", "sessions", "responses", "keys"):
        page.goto(f"{address}?tab={tab}")
        expect(page.get_by_role("heading", level=2, name=tab.title(), exact=True)).to_be_attached()
        expect(page.get_by_text(re.compile("^Loading "))).to_have_count(0)
        check_page(page)
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check_page(page)
    context.close()
