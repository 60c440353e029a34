"""Inviting a colleague: the link, joining, what a viewer sees, and losing the right while looking."""

import re

from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.conftest import Server, sign_in


def invite_viewer(admin: Page, email: str) -> str:
    """The link that the dialog shows."""
    admin.goto("/settings/members")
    admin.get_by_role("button", name="New member").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Email").fill(email)
    dialog.get_by_role("combobox", name="Role").click()
    admin.get_by_role("option", name=re.compile("^Viewer")).click()
    dialog.get_by_role("button", name="Invite").click()
    link = dialog.locator("pre").inner_text().strip()
    assert "/join#token=" in link
    dialog.get_by_role("button", name="Done").click()
    return link


def test_an_invited_person_joins_and_sees_what_a_viewer_may(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    admin_context = browser.new_context(base_url=server.url, storage_state=owner_state)
    admin = admin_context.new_page()
    link = invite_viewer(admin, "rosa@example.org")

    rosa_context = browser.new_context(base_url=server.url)
    rosa = rosa_context.new_page()
    rosa.goto(link)
    rosa.get_by_label("Your name").fill("Rosa Luz")
    rosa.get_by_label("Password", exact=True).fill("a long enough one")
    rosa.get_by_role("button", name=re.compile("Join")).click()
    expect(rosa.get_by_role("heading", name="Records", level=1)).to_be_visible()
    row = admin.get_by_role("row").filter(has_text="rosa@example.org")
    expect(row).to_contain_text("Rosa Luz")
    expect(row).to_contain_text("Active")

    rosa.goto("/settings/keys")
    expect(rosa.get_by_role("button", name="New key")).to_have_count(0)
    expect(rosa.get_by_text(re.compile("admin", re.IGNORECASE)).first).to_be_visible()

    row.get_by_role("combobox").click()
    admin.get_by_role("option", name=re.compile("^Admin")).click()
    expect(rosa.get_by_role("button", name="New key").first).to_be_visible()  # the right arrives live

    row.get_by_role("button", name="Actions for Rosa Luz").click()
    admin.get_by_role("menuitem", name=re.compile("Remove")).click()
    admin.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    expect(
        rosa.get_by_text(re.compile("no workspace|not in any workspace", re.IGNORECASE)).first
    ).to_be_visible()
    admin_context.close()
    rosa_context.close()


def test_somebody_with_an_account_joins_signed_in(
    browser: Browser, server: Server, owner_state: StorageState
) -> None:
    admin_context = browser.new_context(base_url=server.url, storage_state=owner_state)
    admin = admin_context.new_page()
    link = invite_viewer(admin, server.demo_email)
    row = admin.get_by_role("row").filter(has_text=server.demo_email)
    expect(row).to_contain_text("Invited")

    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    sign_in(page, server.email, server.password)
    page.goto(link)  # as the wrong person
    page.get_by_role("button", name=f"Join as {server.email}").click()
    expect(page.get_by_role("alert")).to_contain_text("another address")
    page.get_by_role("button", name="Sign out").click()

    page.get_by_role("link", name="sign in first").click()
    assert "token" not in page.url
    page.get_by_label("Email").fill(server.demo_email)
    page.get_by_label("Password", exact=True).fill(server.demo_password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=f"Join as {server.demo_email}").click()
    expect(page.get_by_role("banner")).to_contain_text("My workspace")
    expect(row).to_contain_text("Active")

    page.goto(link)
    page.get_by_role("button", name=f"Join as {server.demo_email}").click()
    expect(page.get_by_role("alert")).to_contain_text("not valid any more")

    row.get_by_role("button", name=re.compile("^Actions for")).click()
    admin.get_by_role("menuitem", name=re.compile("Remove")).click()
    admin.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    admin_context.close()
    context.close()
