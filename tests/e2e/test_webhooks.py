"""Webhooks in a browser, with a receiver on this machine."""

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import LOOKS, check_page


@dataclass
class Receiver:
    url: str = ""
    status: int = 200
    bodies: list[bytes] = field(default_factory=list)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    taken = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            with suppress(OSError):
                self.send_response(taken.status)
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", "5")
                self.end_headers()
                self.wfile.write(b"Noted")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    taken.url = f"http://127.0.0.1:{server.server_port}/hook"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield taken
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[Page]:
    context: BrowserContext = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context.new_page()
    context.close()


def test_a_webhook_is_made_tested_failing_mended_rotated_and_deleted(page: Page, receiver: Receiver) -> None:
    page.goto("/settings/webhooks")
    page.get_by_role("button", name="New webhook").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save webhook").click()
    expect(dialog.get_by_text("An address begins with https://")).to_be_visible()
    dialog.get_by_label("Address").fill("http://10.0.0.1/hook")
    dialog.get_by_label("Only some").check()
    dialog.get_by_label("Find events").fill("agent registered")
    dialog.get_by_role("checkbox", name="agent.created").check()
    dialog.get_by_role("button", name="Save webhook").click()
    expect(dialog.get_by_text("10.0.0.1 is in a private network")).to_be_visible()
    dialog.get_by_label("Address").fill(receiver.url)
    dialog.get_by_label("Description").fill("CRM")
    dialog.get_by_role("button", name="Save webhook").click()
    expect(dialog.get_by_text(re.compile("^whsec_"))).to_be_visible()
    page.keyboard.press("Escape")  # it is shown once: leaving is a decision
    expect(dialog.get_by_text(re.compile("^whsec_"))).to_be_visible()
    dialog.get_by_role("button", name="I have stored it").click()

    row = page.get_by_role("row").filter(has_text=receiver.url)
    expect(row.get_by_text("agent.created")).to_be_visible()
    page.get_by_role("link", name=receiver.url).click()
    expect(page.get_by_text("Nothing was sent yet")).to_be_visible()

    receiver.status = 500
    page.get_by_role("button", name=f"Send a test to {receiver.url}").click()
    table = page.get_by_role("table", name="Deliveries")
    expect(table.get_by_text("It answered 500")).to_be_visible()  # by itself: the page is live
    expect(page.get_by_text("It takes nothing at the moment")).to_be_visible()
    receiver.status = 200
    table.get_by_role("button", name="webhook.pinged").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("webhook-signature: v1,").first).to_be_visible()
    expect(drawer.get_by_text("Noted").first).to_be_visible()
    drawer.get_by_role("button", name="Send again").click()
    expect(drawer.get_by_text("Delivered")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("It takes nothing at the moment")).to_be_hidden()
    assert len(set(receiver.bodies)) == 1

    page.get_by_text("Failed", exact=True).click()
    expect(page.get_by_text("No such deliveries")).to_be_visible()
    assert "status=failed" in page.url

    page.get_by_role("button", name=f"Actions for {receiver.url}").click()
    page.get_by_role("menuitem", name="Rotate secret").click()
    dialog.get_by_role("button", name="Rotate secret").click()
    expect(dialog.get_by_text(re.compile("^whsec_"))).to_be_visible()
    dialog.get_by_role("button", name="I have stored it").click()
    expect(page.get_by_text("Two secrets are valid until")).to_be_visible()

    page.get_by_role("switch", name=f"{receiver.url} is switched on").press("Space")
    expect(page.get_by_text("Off", exact=True)).to_be_visible()
    page.get_by_role("button", name=f"Actions for {receiver.url}").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete webhook").click()
    page.wait_for_url("**/settings/webhooks")
    expect(page.get_by_text("No webhooks yet")).to_be_visible()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_pages_of_webhooks_are_accessible(
    browser: Browser, server: Server, owner_state: StorageState, receiver: Receiver, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=owner_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    page.goto("/settings/webhooks?new=1")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Address").fill(receiver.url)
    dialog.get_by_label("Only some").check()
    expect(dialog.get_by_role("checkbox", name="response.submitted")).to_be_visible()
    check_page(page)
    dialog.get_by_label("All, also those to come").check()
    dialog.get_by_role("button", name="Save webhook").click()
    expect(dialog.get_by_text(re.compile("^whsec_"))).to_be_visible()
    check_page(page)
    dialog.get_by_role("button", name="I have stored it").click()
    expect(page.get_by_role("link", name=receiver.url)).to_be_visible()
    check_page(page)
    page.get_by_role("link", name=receiver.url).click()
    receiver.status = 500
    page.get_by_role("button", name=f"Send a test to {receiver.url}").click()
    page.get_by_role("table", name="Deliveries").get_by_role("button", name="webhook.pinged").click()
    expect(page.get_by_role("dialog").get_by_text("Noted").first).to_be_visible()
    check_page(page)
    page.keyboard.press("Escape")
    check_page(page)
    page.get_by_role("button", name=f"Actions for {receiver.url}").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete webhook").click()
    page.wait_for_url("**/settings/webhooks")
    context.close()
