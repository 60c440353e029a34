"""Every page, light and wide, dark and narrow: axe finds nothing and nothing overflows."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.conftest import Server

PAGES = [
    "/records",
    "/artifact-evals",
    "/artifact-evals/pf_knowledge",
    "/tasks",
    "/tasks/review",
    "/admin/agent-review/conversations",
    "/admin/agent-review/conversations/unclear",
    "/admin/agent-review/conversations/satisfaction?by=agent",
    "/admin/agent-review/conversations/Support/login-loop",
    "/settings/members",
    "/settings/keys",
    "/settings/agents",
    "/settings/jobs",
    "/settings/deleting",
    "/settings/limits",
    "/settings/account",
    "/settings/workspace",
    "/no/such/page",
]
LOOKS = [("light", 1280), ("dark", 390)]
CALM = 5  # frames in a row; what was put into the page begins to fade in one or two frames later
STILL = """(frames) => new Promise((done) => {
  let calm = 0;
  const look = () => {
    const still = document.getAnimations().every((one) => one.effect.getTiming().iterations === Infinity);
    calm = still ? calm + 1 : 0;
    if (calm === frames) done();
    else requestAnimationFrame(look);
  };
  look();
})"""


def check_page(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")  # what comes or goes meanwhile does so at once:
    page.evaluate(STILL, CALM)  # half-faded text has half the contrast
    found = Axe().run(page)
    page.emulate_media(reduced_motion="no-preference")
    assert found.violations_count == 0, found.generate_report()
    overflows = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not overflows, f"{page.url} is wider than its window"


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_signed_in_pages_are_accessible(
    browser: Browser, server: Server, demo_state: StorageState, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    for path in PAGES:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        check_page(page)
    context.close()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_signed_out_pages_are_accessible(browser: Browser, server: Server, scheme: str, width: int) -> None:
    context = browser.new_context(
        base_url=server.url,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    for path in ("/sign-in", "/join#token=none", "/join"):
        page.goto(path)
        expect(page.get_by_role("heading").first).to_be_visible()
        check_page(page)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dialogs_and_menus_are_accessible(
    browser: Browser, server: Server, demo_state: StorageState, scheme: str
) -> None:
    context = browser.new_context(base_url=server.url, storage_state=demo_state, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    for path, button in (
        ("/settings/keys", "New key"),
        ("/settings/members", "New member"),
        ("/settings/agents", "New agent"),
    ):
        page.goto(path)
        page.get_by_role("button", name=button).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        check_page(page)
    context.close()
