"""Exporting the workspace and importing records from a table, in a browser."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import LOOKS, check_page


@pytest.fixture
def demo_page(browser: Browser, server: Server, demo_state: StorageState) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, storage_state=demo_state)
    yield context.new_page()
    context.close()


def test_an_admin_exports_the_workspace_and_downloads_it(demo_page: Page, tmp_path: Path) -> None:
    page = demo_page
    page.goto("/settings/export")
    page.get_by_role("button", name="Export the workspace").click()
    link = page.get_by_role("link", name="Download the archive").first
    expect(link).to_be_visible()
    expect(page.get_by_text("Ready").first).to_be_visible()
    with page.expect_download() as started:
        link.click()
    started.value.save_as(tmp_path / "archive.zip")
    with zipfile.ZipFile(tmp_path / "archive.zip") as archive:
        assert archive.testzip() is None
        assert archive.read("tables/entities.jsonl").count(b"\n") > 10
    page.get_by_text("What is in it").first.click()
    expect(page.get_by_text("hashes of API keys").first).to_be_visible()
    page.get_by_role("button", name="Delete the archive").first.click()
    expect(link).to_have_count(0)


def test_records_are_imported_after_a_look(demo_page: Page, tmp_path: Path) -> None:
    page = demo_page
    page.goto("/records")
    page.get_by_role("link", name="Import").click()
    page.get_by_label("Type of the records").select_option("vendor")
    wrong, right = tmp_path / "wrong.csv", tmp_path / "right.csv"
    wrong.write_text("title,nobody\nNew vendor,1\n")
    right.write_text(
        "title,category,country\nVendor of a table,software,DE\nAnother of a table,software,FR\n"
    )
    page.locator("input[type=file]").set_input_files(wrong)
    page.get_by_role("button", name="Preview").click()
    errors = page.get_by_role("table", name="Errors")
    expect(errors).to_contain_text("The type has no such field")
    expect(page.get_by_role("button", name=re.compile("^Import"))).to_have_count(0)
    page.locator("input[type=file]").set_input_files(right)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("table", name="Preview")).to_contain_text("Vendor of a table")
    page.get_by_role("button", name="Import 2 records").click()
    expect(page.get_by_role("heading", name="What was imported")).to_be_visible()
    page.get_by_role("link", name="Look at them").click()
    expect(page.get_by_text("Vendor of a table").first).to_be_visible()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_pages_are_accessible(
    browser: Browser, server: Server, demo_state: StorageState, scheme: Literal["light", "dark"], width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    for path, heading in (("/settings/export", "Export"), ("/records/import", "Import records")):
        page.goto(path)
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        check_page(page)
    context.close()
