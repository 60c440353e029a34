"""From nothing to the first promoted value, led by the page, without an error in the browser; and without a network."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import check_page

PASSWORD = "a long enough one"
PAGES = [
    "/artifact-evals",
    "/tasks",
    "/admin/agent-review/conversations",
    "/admin/agent-review/conversations/unclear",
    "/admin/agent-review/conversations/satisfaction",
    "/build/types",
    "/build/criteria-sets",
    "/build/views",
    "/settings/members",
    "/settings/keys",
    "/settings/agents",
    "/settings/jobs",
    "/settings/deleting",
    "/settings/limits",
    "/settings/account",
]


@pytest.fixture
def newcomer(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The owner of a workspace in which there is nothing."""
    command = [sys.executable, "-m", "goldloop.cli.main", "tenant", "create", "blank", "--name", "Blank"]
    command += ["--owner", "nora@example.org", "--json", "--data-dir", str(server.data_dir)]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    page.goto(f"/join#token={json.loads(made.stdout)['invite_token']}")
    page.get_by_label("Your name").fill("Nora Vind")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name=re.compile("Join")).click()
    expect(page.get_by_role("heading", name="First steps")).to_be_visible()
    page.close()
    yield context
    context.close()


def _define_a_type(page: Page) -> None:
    page.get_by_role("region", name="First steps").get_by_role("link", name="New type").click()
    expect(page).to_have_url(re.compile("/build/types$"))
    page.get_by_role("button", name="New entity type").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Supplier")
    dialog.get_by_role("button", name="Save type").click()
    fields = page.get_by_role("region", name="Fields")
    fields.get_by_role("button", name="New field").click()
    fields.get_by_label("Label").fill("Country")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Everything is saved")).to_be_visible()


def _begin_a_set(page: Page) -> None:
    """A new set says that nothing of it is saved, offers fields by label, and waits where one would look for it."""
    page.goto("/settings/criteria-sets/new")  # where it was
    expect(page).to_have_url(re.compile("/build/criteria-sets/new$"))
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    expect(page.get_by_text("Everything is saved")).to_have_count(0)
    page.get_by_role("region", name="Basics").get_by_label("Name").fill("Trust")
    page.get_by_role("group", name="New dimension").get_by_role("button", name="Text", exact=True).click()
    page.get_by_role("combobox", name="Field").click()
    page.get_by_role("option", name="Country", exact=True).click()
    expect(page.get_by_text("Draft, kept in this browser")).to_be_visible()
    page.get_by_role("link", name="Criteria sets").first.click()
    expect(page.get_by_text("Draft", exact=True)).to_be_visible()
    page.get_by_role("link", name="Trust").click()
    expect(page.get_by_role("region", name="Basics").get_by_label("Name")).to_have_value("Trust")
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("link", name="Criteria sets").first.click()
    expect(page.get_by_role("link", name="Supplier fields")).to_be_visible()
    expect(page.get_by_text("Draft", exact=True)).to_have_count(0)


def _enter_a_record(page: Page) -> None:
    page.goto("/records")
    steps = page.get_by_role("region", name="First steps")
    expect(steps).to_contain_text("1 of 4 done")
    steps.get_by_role("button", name="New record").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Title").fill("Halden Works")
    dialog.get_by_role("button", name="Save record").click()
    expect(page.get_by_role("heading", name="Halden Works", level=1)).to_be_visible()


def _propose(page: Page) -> None:
    page.goto("/records")
    steps = page.get_by_role("region", name="First steps")
    expect(steps).to_contain_text("2 of 4 done")
    expect(steps.get_by_role("link", name="New agent")).to_be_visible()
    steps.get_by_role("link", name="Propose a value").click()
    page.get_by_role("button", name="New response").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Country").fill("Sweden")
    dialog.get_by_role("button", name="Close").or_(dialog.get_by_role("button", name="Cancel")).first.click()
    # What was begun is seen from the record's other tab, too.
    tabs = page.get_by_role("navigation", name="Parts of the record")
    expect(tabs.get_by_role("link", name="Responses")).to_contain_text("Draft")
    page.get_by_role("button", name="New response").click()
    expect(dialog.get_by_label("Country")).to_have_value("Sweden")
    dialog.get_by_role("button", name="Submit response").click()
    expect(dialog).to_have_count(0)
    expect(tabs.get_by_role("link", name="Responses")).not_to_contain_text("Draft")


def _review(page: Page) -> None:
    page.goto("/records")
    page.get_by_role("region", name="First steps").get_by_role("link", name="Review").click()
    page.get_by_role("article", name="Response by Nora Vind").wait_for()
    page.get_by_role("button", name=re.compile("^Promote")).first.click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Promote")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto("/records")
    expect(page.get_by_role("link", name="Halden Works")).to_be_visible()
    expect(page.get_by_role("region", name="First steps")).to_have_count(0)


def test_nothing_leads_to_the_first_promoted_value_without_an_error(newcomer: BrowserContext) -> None:
    page = newcomer.new_page()
    errors: list[str] = []
    page.on(
        "console", lambda line: errors.append(f"{page.url}: {line.text}") if line.type == "error" else None
    )
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    page.goto("/records")
    expect(page.get_by_role("heading", name="First steps")).to_be_visible()
    check_page(page)
    for path in PAGES:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)

    # Claims, where the type that is meant by default is not there.
    page.goto("/settings/workspace")
    expect(page.get_by_label("Sources are records of type")).to_be_visible()
    expect(page.get_by_text("could not")).to_have_count(0)

    # A suite is shown where somebody wants it.
    page.goto("/artifact-evals")
    expect(page.get_by_role("heading", name="No suite fits this workspace yet")).to_be_visible()
    page.get_by_role("button", name="Show suite").click()
    page.get_by_role("menuitem", name="Product ideas").click()
    expect(page.get_by_role("article", name="Product ideas")).to_contain_text("nothing to score")
    page.get_by_role("button", name="Hide Product ideas").click()
    expect(page.get_by_role("article")).to_have_count(0)

    page.goto("/records")
    _define_a_type(page)
    _begin_a_set(page)
    _enter_a_record(page)
    _propose(page)
    _review(page)
    assert errors == []


def test_offline_is_said_and_recovers_by_itself(browser: Browser, server: Server, demo_state: object) -> None:
    context = browser.new_context(base_url=server.url, storage_state=demo_state)  # type: ignore[arg-type]
    page, other = context.new_page(), browser.new_context(base_url=server.url, storage_state=demo_state)  # type: ignore[arg-type]
    page.goto("/settings/agents")
    expect(page.get_by_role("heading", name="Agents", exact=True)).to_be_visible()
    context.set_offline(True)
    expect(page.get_by_role("status").filter(has_text="Offline")).to_be_visible()
    session = other.request.get("/api/session").json()
    answer = other.request.post(
        "/api/agents",
        data={"slug": "made-while-away", "name": "Made while away"},
        headers={
            "X-Goldloop-CSRF": session["csrf_token"],
            "X-Goldloop-Tenant": session["workspaces"][0]["slug"],
        },
    )
    assert answer.status == 201, answer.text()
    expect(page.get_by_text("Made while away")).to_have_count(0)
    context.set_offline(False)
    expect(page.get_by_text("Offline")).to_have_count(0)
    expect(page.get_by_text("Made while away")).to_be_visible()  # nobody reloaded
    other.close()
    context.close()
