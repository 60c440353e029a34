"""What a new user sees: the printed sign-in works, pages are there, a signed-out visitor comes back."""

import re

from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.conftest import Server, sign_in


def test_the_printed_password_opens_the_workspace(page: Page, server: Server) -> None:
    sign_in(page, server.email, server.password)
    expect(page).to_have_url(re.compile(r"/records$"))
    expect(page.get_by_role("banner")).to_contain_text("My workspace")
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()


def test_a_wrong_password_is_refused_with_words(page: Page, server: Server) -> None:
    page.goto("/sign-in")
    page.get_by_label("Email").fill("nobody@goldloop.local")
    page.get_by_label("Password", exact=True).fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not right")
    expect(page).to_have_url(re.compile("/sign-in"))


def test_a_signed_out_visitor_returns_to_where_they_wanted_to_go(page: Page, server: Server) -> None:
    page.goto("/settings/keys")
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))
    page.get_by_label("Email").fill(server.demo_email)
    page.get_by_label("Password", exact=True).fill(server.demo_password)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile(r"/settings/keys"))
    expect(page.get_by_role("heading", name="API keys")).to_be_visible()


def test_an_unknown_address_is_a_page_that_says_so(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    page = context.new_page()
    page.goto("/no/such/page")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.get_by_role("link", name="Go to records").click()
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()
    context.close()


def test_the_navigation_works_by_keyboard_alone(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    page = context.new_page()
    page.goto("/records")
    expect(page.get_by_role("heading", name="Records", level=1)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    tasks = page.get_by_role("link", name="Tasks")
    for _ in range(15):
        page.keyboard.press("Tab")
        if tasks.evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tasks", level=1)).to_be_visible()
    context.close()


def test_signing_out_ends_the_session_everywhere_in_this_browser(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    context = browser.new_context(base_url=server.url)
    page, other_tab = context.new_page(), context.new_page()
    sign_in(page, server.demo_email, server.demo_password)
    other_tab.goto("/settings/members")
    expect(other_tab.get_by_role("heading", name="Members")).to_be_visible()
    page.get_by_role("button", name=re.compile("account", re.IGNORECASE)).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in"))
    expect(other_tab).to_have_url(re.compile("/sign-in"))  # told by the live stream, not by a reload
    context.close()
