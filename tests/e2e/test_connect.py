"""From nothing to the first span: the lines of the page, its key, and what appears when a program has sent with them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, StorageState, expect

from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import LOOKS, check_page

COPIED = "() => navigator.clipboard.readText()"


@pytest.fixture
def context(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[BrowserContext]:
    context = browser.new_context(
        base_url=server.url, storage_state=owner_state, permissions=["clipboard-read", "clipboard-write"]
    )
    yield context
    context.close()


def test_lines_are_copied_with_a_new_key_and_what_they_send_appears(
    context: BrowserContext, tmp_path: Path
) -> None:
    page = context.new_page()
    page.goto("/settings/agents")
    page.get_by_role("link", name="Connect an agent").click()
    page.get_by_text("pydantic-ai", exact=True).click()
    expect(page).to_have_url("/settings/agents/connect?with=pydantic-ai")
    page.get_by_text("OpenTelemetry", exact=True).click()
    received = page.get_by_role("region", name="Received")
    expect(received).to_contain_text("Waiting for the first span…")
    page.get_by_role("button", name="New key").click()
    expect(page.get_by_text("Copy the lines now")).to_be_visible()

    page.get_by_role("button", name="Copy environment").click()
    expect(page.get_by_role("status").filter(has_text="Environment copied")).to_be_attached()
    environment = page.evaluate(COPIED)
    page.get_by_role("button", name="Copy program").click()
    expect(page.get_by_role("status").filter(has_text="Program copied")).to_be_attached()
    program = tmp_path / "my_agent.py"
    program.write_text(page.evaluate(COPIED))
    sent = subprocess.run(
        ["bash", "-euc", f'{environment}\nexec "$@"', "bash", sys.executable, str(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (sent.returncode, sent.stderr) == (0, "")

    expect(received).to_contain_text("First span received")
    expect(received).to_contain_text("my-agent: 2 spans of OpenTelemetry")
    received.get_by_role("link", name="Hello").click()
    expect(page.get_by_text("Good morning").first).to_be_visible()

    page.goto("/settings/agents/sources")
    expect(page.get_by_role("list", name="Sources")).to_contain_text("Nothing is missing")
    page.goto("/settings/agents/connect")
    expect(page.get_by_role("button", name="New key")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("x-api-key=gl_…")  # the key was shown once


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_pages_are_accessible(
    browser: Browser, server: Server, demo_state: StorageState, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    for chosen in ("vercel-ai", "mcp", "http"):
        page.goto(f"/settings/agents/connect?with={chosen}")
        expect(page.get_by_role("region", name="Lines to copy")).to_be_visible()
        check_page(page)
    page.goto("/settings/agents/sources")
    expect(page.get_by_text("No spans yet").or_(page.get_by_role("list", name="Sources"))).to_be_visible()
    check_page(page)
    context.close()
