"""The first flow as people see it: two people and an agent propose, a reviewer accepts one and rejects another."""

import json
import re
import subprocess
import sys
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Server


def _key(server: Server, *holder: str) -> httpx.Client:
    """A program's client in the first workspace, with a key from the command line."""
    command = [
        sys.executable,
        "-m",
        "goldloop.cli.main",
        "key",
        "create",
        "--tenant",
        "main",
        "--name",
        "story",
    ]
    command += ["--data-dir", str(server.data_dir), "--json", *holder]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    secret = json.loads(made.stdout)["key"]
    return httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}, timeout=30)


def _made(answer: httpx.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def record(server: Server) -> dict[str, Any]:
    """A supplier with three proposals: two people's ratings and an agent's values."""
    admin = _key(server, "--role", "admin")
    agent = _key(server, "--role", "contributor", "--agent", "reader")
    schema = {
        "type": "object",
        "properties": {"country": {"type": "string"}, "employees": {"type": "integer"}},
    }
    _made(
        admin.post("/api/entity-types", json={"slug": "supplier", "name": "Supplier", "json_schema": schema})
    )
    rated = {"key": "trust", "label": "Trust", "type": "rating", "scale": [1, 5], "weight": 1}
    _made(
        admin.post(
            "/api/criteria-sets",
            json={
                "slug": "trust",
                "name": "Trust",
                "kind": "assessment",
                "entity_type_slugs": ["supplier"],
                "dimensions": [rated],
            },
        )
    )
    made = _made(
        admin.post(
            "/api/entities",
            json={"type": "supplier", "title": "Halden Works", "content": {"country": "Sweden"}},
        )
    )
    address = f"/api/entities/{made['id']}/responses"
    for value in (2, 5):
        _made(admin.post(address, json={"criteria_set_slug": "trust", "values": {"trust": value}}))
    values = {"country": "Norway", "employees": 40}
    _made(agent.post(address, json={"source": "extraction", "values": values}))
    wrong = {"country": "Denmark"}
    _made(_key(server, "--role", "contributor", "--agent", "guesser").post(address, json={"values": wrong}))
    result: dict[str, Any] = made
    return result


def _row(page: Page, who: str) -> Any:
    return page.get_by_label(f"Response by {who}")


def test_a_reviewer_accepts_a_value_rejects_another_and_takes_it_back(
    browser: Browser, server: Server, owner_state: object, record: dict[str, Any]
) -> None:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    page = context.new_page()
    page.goto("/records?type=supplier")
    page.get_by_role("link", name="Halden Works").click()
    expect(page.get_by_role("heading", name="Halden Works", level=1)).to_be_visible()
    expect(page.get_by_text("Sweden")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("100")  # the newest rating is 5 of 5

    page.get_by_role("link", name="Responses").click()
    _row(page, "reader").get_by_role("button", name="Promote Country").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Sweden")
    expect(dialog).to_contain_text("Norway")
    dialog.get_by_role("button", name=re.compile("^Promote")).click()
    expect(dialog).to_have_count(0)
    expect(_row(page, "reader")).to_contain_text("Partly promoted")

    _row(page, "guesser").get_by_role("button", name="Reject the response of guesser").click()
    page.get_by_role("dialog").get_by_label("Notes").fill(
        "The register says Norway, see the extract of 2026."
    )
    page.get_by_role("dialog").get_by_role("button", name="Reject").click()
    expect(_row(page, "guesser")).to_contain_text("Rejected")

    page.get_by_role("link", name="Record", exact=True).click()
    expect(page.get_by_text("Norway")).to_be_visible()
    expect(page.get_by_text(re.compile("Promoted from reader"))).to_be_visible()

    page.get_by_role("button", name="History of Country").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("button", name="Undo", exact=True).click()
    expect(drawer).to_contain_text("Undone")
    page.goto(f"/records/{record['id']}")
    expect(page.get_by_text("Sweden")).to_be_visible()
    expect(page.get_by_text(re.compile("Promoted from reader"))).to_have_count(0)
    context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_pages_of_the_first_flow_are_accessible(
    browser: Browser, server: Server, demo_state: object, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    page.goto("/records")
    page.get_by_role("link").filter(has_text=re.compile("Kestrel|Orchard|Quill")).first.click()
    expect(page.get_by_role("link", name="Responses")).to_be_visible()
    addresses = [page.url, f"{page.url.split('?')[0]}?tab=responses"]
    for address in [*addresses, "/settings/types", "/settings/criteria-sets", "/settings/views"]:
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_timeout(700)  # what fades in has its final colours
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert not page.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
    context.close()
