"""Signing in: at a provider and out again, with a second factor, by a link to a new password, and seeing where."""

import re

from playwright.sync_api import Browser, Page, StorageState, expect

from goldloop.kit.clock import now
from goldloop.tenants.second_factors import totp
from tests.e2e.conftest import Server, sign_in
from tests.e2e.test_members import invite_viewer

PASSWORD = "a long enough one"


def at_provider(page: Page, email: str) -> None:
    expect(page.get_by_role("heading", name="Corp")).to_be_visible()
    page.get_by_label("Address").fill(email)
    page.get_by_role("button", name="Continue").click()


def join(browser: Browser, server: Server, admin: Page, email: str, name: str) -> Page:
    """Somebody who was invited as a viewer and has joined with PASSWORD."""
    link = invite_viewer(admin, email)
    page = browser.new_context(base_url=server.url).new_page()
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name=re.compile("Join")).click()
    expect(page.get_by_role("navigation").first).to_be_visible()
    return page


def test_somebody_comes_in_from_a_provider_with_the_role_of_their_groups_and_leaves(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    page.goto("/settings/account")
    expect(page).to_have_url(re.compile("/sign-in"))
    page.get_by_role("button", name="Continue with Corp").click()
    at_provider(page, "ada+staff@corp.test")
    expect(page.get_by_role("heading", name="Account", level=2)).to_be_visible()  # where they wanted to go
    expect(page.get_by_text("Ada of the provider").first).to_be_visible()
    expect(page.get_by_role("heading", name="Linked accounts")).to_be_visible()
    expect(page.get_by_role("heading", name="Password", exact=True)).to_have_count(0)
    listed = page.get_by_role("list", name="Where you are signed in")
    expect(listed).to_contain_text("This browser")
    expect(listed).to_contain_text("with corp")

    page.goto("/settings/members")
    row = page.get_by_role("row").filter(has_text="ada+staff@corp.test")
    expect(row).to_contain_text("Reviewer")
    expect(row).to_contain_text("Role from corp")

    page.goto("/settings/account")
    page.get_by_role("button", name="Sign out of this browser").click()
    page.get_by_role("button", name=re.compile("yes", re.IGNORECASE)).click()  # the provider asks
    expect(page.get_by_role("button", name="Continue with Corp")).to_be_visible()
    page.goto("/records")
    expect(page).to_have_url(re.compile("/sign-in"))
    context.close()


def test_who_is_not_let_in_is_told_why(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    for email, reason in (
        ("nobody@corp.test", "access to no workspace"),
        ("unverified+staff@corp.test", "not verified"),
    ):
        page.goto("/sign-in")
        page.get_by_role("button", name="Continue with Corp").click()
        at_provider(page, email)
        expect(page.get_by_role("alert")).to_contain_text(reason)
        page.get_by_role("link", name="Back to sign-in").click()
        expect(page.get_by_label("Email")).to_be_visible()
        context.clear_cookies()
    context.close()


def test_a_second_factor_is_turned_on_and_asked_for(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    admin = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    page = join(browser, server, admin, "second@example.org", "Secunda")
    page.goto("/settings/account")
    page.get_by_role("button", name="Turn on").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_role("img", name="QR code for an authenticator app")).to_be_visible()
    secret = totp.secret_bytes(dialog.locator("[data-secret]").inner_text().strip())
    step = totp.step_at(now())
    dialog.get_by_label("Code", exact=True).fill("000000")
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog).to_contain_text("not right")
    dialog.get_by_label("Code", exact=True).fill(totp.code_of(secret, step))
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog.get_by_role("button", name="I have kept them")).to_be_visible()
    codes = dialog.locator("pre").inner_text().split()
    assert len(codes) == 10
    dialog.get_by_role("button", name="I have kept them").click()
    expect(page.get_by_text("10 recovery codes are left")).to_be_visible()
    page.context.close()

    page = browser.new_context(base_url=server.url).new_page()
    page.goto("/sign-in")
    page.get_by_label("Email").fill("second@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Code", exact=True)).to_be_focused()
    page.keyboard.type(codes[0])
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation").first).to_be_visible()

    admin.goto("/settings/members")
    row = admin.get_by_role("row").filter(has_text="second@example.org")
    expect(row).to_contain_text("Password and code")
    row.get_by_role("button", name="Actions for Secunda").click()
    admin.get_by_role("menuitem", name="Link to a new password").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Take their second factor away as well").check()
    dialog.get_by_role("button", name="New link").click()
    link = dialog.locator("pre").inner_text().strip()
    dialog.get_by_role("button", name="Done").click()

    other = browser.new_context(base_url=server.url).new_page()
    other.goto(link)
    other.get_by_label("New password", exact=True).fill("another long enough one")
    other.get_by_label("New password, once more").fill("another long enough one")
    other.get_by_role("button", name="Set password and sign in").click()
    expect(other.get_by_role("navigation").first).to_be_visible()
    page.goto("/settings/account")
    expect(page).to_have_url(re.compile("/sign-in"))  # the session from before has ended
    for each in (admin, page, other):
        each.context.close()


def test_sessions_elsewhere_are_seen_and_ended(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    admin = browser.new_context(base_url=server.url, storage_state=owner_state).new_page()
    page = join(browser, server, admin, "twice@example.org", "Bis")
    there = browser.new_context(
        base_url=server.url,
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile Safari/604.1",
    ).new_page()
    sign_in(there, "twice@example.org", PASSWORD)
    page.goto("/settings/account")
    page.get_by_role("button", name="Sign out Safari on iPhone").click()
    expect(page.get_by_role("button", name="Sign out Safari on iPhone")).to_have_count(0)
    there.goto("/records")
    expect(there).to_have_url(re.compile("/sign-in"))

    row = admin.get_by_role("row").filter(has_text="twice@example.org")
    row.get_by_role("button", name="Actions for Bis").click()
    admin.get_by_role("menuitem", name="Sign out everywhere").click()
    admin.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(admin.get_by_text("Bis is signed out.")).to_be_visible()
    page.goto("/records")
    expect(page).to_have_url(re.compile("/sign-in"))
    for each in (admin, page, there):
        each.context.close()
