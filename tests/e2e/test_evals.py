"""A session becomes golden, worse instructions are a regression with its interval, the difference shows the missing write, and
the instructions as they were are no worse: in a browser, on a model that follows its instructions."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from goldloop.kit.ids import new_id
from tests.e2e.conftest import SECONDS, Server, client_with_key
from tests.e2e.model_server import model_server, says
from tests.e2e.test_accessibility import LOOKS, check_page
from tests.records import ok

EVALS = "/admin/agent-review/evals"
API = "/api/admin/evals"
CAREFUL = "Look the ferry up, then propose its decks."
HASTY = "Look the ferry up, then answer."
GOLDENS = 4
REPEATS = 3
MANY = 180 * SECONDS  # twenty sessions, four at a time, on a busy machine
SCHEMA = {"type": "object", "properties": {"decks": {"type": "integer"}, "length": {"type": "string"}}}


@dataclass
class Harbour:
    """A workspace with ferries, and an agent that does what it is told."""

    client: httpx.Client
    name: str
    agent: Any
    model: str

    def configure(self, instructions: str) -> None:
        config = {"model": "openai:scripted", "base_url": self.model, "instructions": instructions}
        groups = {"tool_groups": ["entities-read", "responses"]}
        ok(self.client.put(f"/api/agents/{self.agent['id']}/config", json={**config, **groups}))

    def ask(self, number: int) -> str:
        """The id of a session that sets the decks of a new ferry."""
        body = {"type": self.name, "title": f"Ferry {number}", "content": {"length": f"{180 + number} m"}}
        ferry = ok(self.client.post("/api/entities", json=body))
        asked = {"message": f"Set the decks of {ferry['id']} {number + 10}"}
        session = ok(self.client.post("/api/sessions", json={"agent": self.agent["slug"], "input": asked}))
        return str(session["id"])


def _calls(number: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{number}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _follow(request: dict[str, Any]) -> dict[str, Any]:
    """Reads the record that the message names and proposes what it is told; in a hurry it only says so."""
    messages = request["messages"]
    question = next(str(each["content"]) for each in messages if each["role"] == "user")
    entity, decks = question.split()[-2:]
    results = [str(each["content"]) for each in messages if each["role"] == "tool"]
    if not results:
        return _calls(1, "getEntity", {"entityId": entity})
    if len(results) == 1 and CAREFUL in json.dumps(messages):
        return _calls(2, "submitResponse", {"entityId": entity, "values": {"decks": int(decks)}})
    length = re.search(r"\d+ m\b", results[0])
    return says(f"The ferry of {length.group() if length else 'no length'} has {decks} decks.")


@pytest.fixture(scope="module")
def harbour(server: Server) -> Iterator[Harbour]:
    name = f"ferry-{new_id().hex[-8:]}"
    with model_server(_follow) as url, client_with_key(server, name, "--role", "owner") as client:
        ok(client.post("/api/entity-types", json={"slug": name, "name": name, "json_schema": SCHEMA}))
        agent = ok(client.post("/api/agents", json={"slug": f"{name}-clerk", "name": f"Clerk of {name}"}))
        made = Harbour(client, name, agent, url)
        made.configure(CAREFUL)
        yield made


@pytest.fixture
def page(browser: Browser, server: Server, owner_state: StorageState) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context.new_page()
    context.close()


def _promote(page: Page, harbour: Harbour, number: int) -> None:
    """Through the dialog, with the length of the ferry as what must be said."""
    page.goto(f"/sessions/{harbour.ask(number)}")
    page.get_by_role("button", name="Promote to golden").click(timeout=MANY)
    dialog = page.get_by_role("dialog", name="Promote to golden")
    dialog.get_by_label("Set", exact=True).fill(harbour.name)
    dialog.get_by_role("checkbox", name=str(180 + number)).check()
    dialog.get_by_role("button", name="Promote", exact=True).click()
    expect(page.get_by_role("link", name=f"Golden in {harbour.name}")).to_be_visible()


def _replay_set(page: Page, harbour: Harbour, margin: str) -> None:
    """Until it is over."""
    page.goto(f"{EVALS}?set={harbour.name}")
    page.get_by_role("button", name="Replay set…").click()
    dialog = page.get_by_role("dialog", name="Replay set")
    dialog.get_by_label("Margin").fill(margin)
    expect(dialog.get_by_text(f"{REPEATS * GOLDENS} replays, about")).to_be_visible()
    expect(dialog.get_by_text("Against the replays of")).to_contain_text("version 1")
    dialog.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(f"{EVALS}/runs/"))
    expect(page.get_by_role("table", name="Difference to the baseline in points")).to_be_attached(
        timeout=MANY
    )


def _reports(harbour: Harbour, page: Page) -> Any:
    """As the API has what the page of a run shows."""
    run = ok(harbour.client.get(f"{API}/runs/{page.url.rsplit('/', 1)[-1]}"))
    return run["reports"][0]


def test_worse_instructions_are_a_regression_and_those_before_are_no_worse(
    page: Page, harbour: Harbour
) -> None:
    for number in range(GOLDENS):
        _promote(page, harbour, number)
    page.goto(f"{EVALS}?set={harbour.name}")
    goldens = page.get_by_role("table", name="Goldens", exact=True)
    expect(goldens.get_by_text("Stable 5 of 5")).to_have_count(GOLDENS, timeout=MANY)
    check_page(page)

    harbour.configure(HASTY)
    _replay_set(page, harbour, "5")
    report = _reports(harbour, page)
    verdict = page.get_by_role("heading", level=2, name="Regression")
    low, high = (f"−{abs(report[end]) * 100:.1f}".removesuffix(".0") for end in ("low", "high"))
    expect(verdict).to_contain_text(f"−100 points, 90% interval {low} to {high}")
    expect(page.get_by_text("The smallest change this run could see is")).to_contain_text(
        f"{report['smallestDetectable'] * 100:.1f}".removesuffix(".0")
    )
    run = page.url
    check_page(page)

    page.get_by_role("link", name="Repeat 1 of").first.click()
    divergences = page.get_by_role("region", name="Divergences")
    expect(divergences).to_contain_text("The golden's submitResponse was not done")
    expect(page.get_by_text("Tape", exact=True).first).to_be_visible()
    check_page(page)
    page.get_by_role("link", name="Feedback about it").click()
    expect(page).to_have_url(re.compile("/feedback/all"))
    expect(page.get_by_text("The golden's submitResponse was not done").first).to_be_visible()

    ok(harbour.client.post(f"/api/agents/{harbour.agent['id']}/versions/1/restore"))
    _replay_set(page, harbour, "15")
    expect(page.get_by_role("heading", level=2, name="No worse")).to_contain_text("0 points, 90% interval")
    expect(page.get_by_role("link", name="Repeat 1 of").first).to_have_accessible_name(re.compile("passed$"))
    assert page.url != run


def test_a_regression_is_read_by_keyboard_and_its_address_keeps_what_was_chosen(
    page: Page, harbour: Harbour
) -> None:
    page.goto(f"{EVALS}?tab=runs&set={harbour.name}&verdict=regression")
    runs = page.get_by_role("table", name="Runs")
    expect(runs.get_by_role("row")).to_have_count(2)
    expect(runs).to_contain_text("−100 (−")
    runs.get_by_role("link", name=harbour.name).first.click()

    broken = page.get_by_role("button", name="Hard break")
    broken.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("change=hard_break"))
    page.reload()
    expect(broken).to_have_attribute("aria-pressed", "true")
    lines = page.get_by_role("table", name="Goldens of the run")
    expect(lines.get_by_role("row")).to_have_count(GOLDENS + 1)

    lines.get_by_role("link", name="Repeat 2 of").first.focus()
    page.keyboard.press("Enter")
    repeats = page.get_by_role("navigation", name="Repeats")
    expect(repeats.get_by_role("link", name="Repeat 2")).to_have_attribute("aria-current", "page")
    expect(repeats.get_by_role("link")).to_have_count(REPEATS)
    expect(page.get_by_text("steps differ")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator("li:focus")).to_contain_text("submitResponse")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Next divergence")
    page.keyboard.press("Escape")
    page.reload()
    expect(repeats.get_by_role("link", name="Repeat 2")).to_have_attribute("aria-current", "page")


def test_the_matrix_and_the_trend_say_what_changed(page: Page, harbour: Harbour) -> None:
    page.goto(f"{EVALS}?tab=matrix&set={harbour.name}")
    matrix = page.get_by_role("table", name="Matrix")
    expect(matrix.get_by_role("columnheader")).to_have_text(
        ["Golden", "Noise floor", *[f"{harbour.agent['slug']} v{version}" for version in (3, 2, 1)]]
    )
    matrix.get_by_role("link", name="Repeat 1 of").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("a:focus")).to_have_accessible_name(re.compile("^Repeat 2 of"))
    page.keyboard.press("ArrowDown")
    expect(matrix.get_by_role("row").nth(2).locator("a:focus")).to_have_accessible_name(
        re.compile("^Repeat 2 of")
    )
    page.get_by_role("combobox", name="Order").select_option("listed")
    expect(page).to_have_url(re.compile("order=listed"))
    page.reload()
    expect(page.get_by_role("combobox", name="Order")).to_have_value("listed")
    check_page(page)
    page.get_by_role("link", name="Trend", exact=True).click()
    points = page.get_by_role("table", name="Runs over time")
    expect(points.get_by_role("row")).to_contain_text(["Run", "No worse", "Regression"])
    expect(points).to_contain_text("agent version 3")
    expect(page.get_by_text("unchanged replays pass in 100%")).to_be_visible()
    check_page(page)


def test_another_session_is_accepted_as_good_and_no_more(page: Page, harbour: Harbour) -> None:
    page.goto(f"{EVALS}?set={harbour.name}")
    page.get_by_role("table", name="Goldens", exact=True).get_by_role(
        "link", name="Set the decks"
    ).first.click()
    expect(page.get_by_role("region", name="Noise floor")).to_contain_text("Stable 5 of 5")
    good = page.get_by_role("region", name="As good as it")
    good.get_by_role("textbox").fill(page.url)
    good.get_by_role("button", name="Accept").click()
    expect(good).to_contain_text("another session of the same type")
    golden = page.url.rsplit("/", 1)[-1]
    others = ok(harbour.client.get(f"{API}/golden", params={"set": harbour.name}))["data"]
    other = next(each["sessionId"] for each in others if each["sessionId"] != golden)
    good.get_by_role("textbox").fill(f"{page.url.split('/admin')[0]}/sessions/{other}")
    good.get_by_role("button", name="Accept").click()
    accepted = good.get_by_role("list", name="Accepted alternatives")
    expect(accepted.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("region", name="Noise floor")).to_contain_text("Not measured")
    check_page(page)
    accepted.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(good).to_contain_text("No other session is accepted.")


@pytest.mark.parametrize("part", ["golden", "runs", "replays"])
def test_an_address_of_nothing_says_so(page: Page, part: str) -> None:
    page.goto(f"{EVALS}/{part}/{new_id()}")
    expect(page.get_by_role("heading", name="There is no such thing here")).to_be_visible()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_pages_are_accessible_and_fit(
    browser: Browser, server: Server, owner_state: StorageState, harbour: Harbour, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=owner_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    of_set = f"set={harbour.name}"
    run = ok(harbour.client.get(f"{API}/runs", params={"set": harbour.name, "verdict": "regression"}))[
        "data"
    ][0]
    replay = ok(harbour.client.get(f"{API}/runs/{run['id']}/replays"))["data"][0]
    for address, table in (
        (f"?{of_set}", "Goldens"),
        (f"?tab=runs&{of_set}", "Runs"),
        (f"?tab=matrix&{of_set}", "Matrix"),
        (f"?tab=trend&{of_set}", "Runs over time"),
        (f"/runs/{run['id']}", "Goldens of the run"),
        (f"/replays/{replay['id']}", None),
        (f"/golden/{replay['goldenId']}", None),
    ):
        page.goto(f"{EVALS}{address}")
        if table:
            expect(page.get_by_role("table", name=table, exact=True)).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        check_page(page)
    context.close()
