"""Conversations as people see them: a turn appears while one looks, thumbs, what a machine read, the queue, satisfaction."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from goldloop.tenants.auth.api import CSRF_COOKIE, CSRF_HEADER
from tests.e2e.conftest import Server, client_with_key
from tests.e2e.test_accessibility import check_page

READ_WITHIN = 30_000  # messages are read in the background; the machine may be busy
REVIEW = "/admin/agent-review"
HOTELS = [
    ("Write a SQL query for orders per customer", "SELECT customer_id, count(*) FROM orders GROUP BY 1"),
    ("Find hotels in Lisbon for three nights", "Hotel Avenida, Hotel Tejo and Casa Alfama have rooms."),
    ("Draft a mail to the board about revenue", "Dear board, revenue grew again this year."),
]


@pytest.fixture(scope="module")
def chat(server: Server) -> Iterator[httpx.Client]:
    """A chat's own server, with a contributor's key of the first workspace."""
    with client_with_key(server, "chat", "--role", "contributor") as client:
        yield client


def say(
    chat: httpx.Client, conversation: str, turn: str, asked: str, answered: str | None = None, **more: Any
) -> None:
    said = {"turn_id": turn, "user": {"text": asked}, "user_id": "cust-ada", "agent": "guide", **more}
    if answered is not None:
        said["assistant"] = {"text": answered}
    answer = chat.post(f"/conversations/main/Travel/{conversation}/turns", json=said)
    assert answer.status_code == 201, answer.text


def react(chat: httpx.Client, conversation: str, turn: str, reaction: str, text: str) -> None:
    said = {"reaction": reaction, "text": text}
    answer = chat.post(f"/conversations/main/Travel/{conversation}/turns/{turn}/feedback", json=said)
    assert answer.status_code == 200, answer.text


@pytest.fixture
def owner(browser: Browser, server: Server, owner_state: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    yield context
    context.close()


@pytest.fixture
def demo(browser: Browser, server: Server, demo_state: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=server.url, storage_state=demo_state, accept_downloads=True)
    yield context
    context.close()


def turn_of(page: Page, turn: str) -> Locator:
    return page.locator(f'article[data-turn="{turn}"]')


def thumb(turn: Locator, name: str, *, pressed: bool) -> Locator:
    return turn.get_by_role("button", name=name, exact=True, pressed=pressed)


def counts(chat: httpx.Client, conversation: str) -> dict[str, int]:
    found = chat.get(f"/api/conversations/Travel/{conversation}").json()["conversation"]["feedback_counts"]
    return {name: count for name, count in found.items() if count}


def test_a_turn_appears_while_one_looks_and_a_thumb_is_set_replaced_and_cleared(
    chat: httpx.Client, owner: BrowserContext
) -> None:
    page = owner.new_page()
    page.goto(f"{REVIEW}/conversations?project=Travel&user=cust-ada&agent=guide")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    say(
        chat,
        "lisbon",
        "t1",
        "What is the weather in Lisbon?",
        "Sunny, 24 degrees.",
        turn_log={"tool": "weather"},
    )
    row = page.get_by_role("row").filter(has_text="What is the weather in Lisbon?")
    expect(row).to_contain_text("None")
    row.get_by_role("link").click()

    first = turn_of(page, "t1")
    expect(first).to_contain_text("Sunny, 24 degrees.")
    say(chat, "lisbon", "t2", "And tomorrow?", "Rain from noon.")
    expect(turn_of(page, "t2")).to_contain_text("Rain from noon.")

    first.get_by_role("button", name="OK", exact=True).click()
    expect(thumb(first, "OK", pressed=True)).to_be_visible()
    expect(page.get_by_text("1 OK")).to_be_attached()
    assert counts(chat, "lisbon") == {"total": 1, "user": 1, "ok": 1}
    first.get_by_role("button", name="Not OK").click()
    expect(thumb(first, "Not OK", pressed=True)).to_be_visible()
    expect(thumb(first, "OK", pressed=False)).to_be_visible()
    first.get_by_role("button", name="New comment").click()
    first.get_by_role("textbox", name="Comment").fill("It rained.")
    with page.expect_response(lambda answer: "It rained." in (answer.request.post_data or "")):
        first.get_by_role("button", name="Save comment").click()
    expect(first.get_by_text("It rained.")).to_be_visible()  # it is drawn before it is saved
    expect(page.get_by_text("1 Not OK")).to_be_attached()

    page.reload()
    expect(thumb(first, "Not OK", pressed=True)).to_be_visible()
    expect(first.get_by_text("It rained.")).to_be_visible()
    first.get_by_role("button", name="Not OK").click()
    expect(thumb(first, "Not OK", pressed=False)).to_be_visible()
    expect(page.get_by_text("No reactions")).to_be_visible()
    assert counts(chat, "lisbon") == {}

    react(chat, "lisbon", "t1", "neutral", "Too short")  # by the end user, who stands beside one's own
    said = first.get_by_role("list", name="Reactions").get_by_role("listitem")
    expect(said).to_contain_text("Too short")
    expect(said).to_contain_text("cust-ada")
    expect(thumb(first, "Neutral", pressed=False)).to_be_visible()
    first.get_by_role("button", name="Show log").click()
    expect(first.get_by_role("region", name="Log of t1")).to_contain_text('"tool": "weather"')
    check_page(page)


def test_a_click_that_the_server_refuses_is_taken_back(chat: httpx.Client, owner: BrowserContext) -> None:
    say(chat, "refused", "t1", "Which gate?", "Gate 12.")
    page = owner.new_page()
    page.goto(f"{REVIEW}/conversations/Travel/refused")
    turn = turn_of(page, "t1")

    sent: list[Route] = []
    page.route("**/feedback", lambda route: sent.append(route))
    with page.expect_request("**/feedback"):
        turn.get_by_role("button", name="OK", exact=True).click()
    expect(thumb(turn, "OK", pressed=True)).to_be_visible()  # drawn at once
    sent[0].continue_(post_data='{"reaction": "great"}')
    refused = page.get_by_role("alert").filter(has_text="Your reaction was not saved")
    expect(refused).to_contain_text("ok, not_ok, neutral")
    expect(thumb(turn, "OK", pressed=False)).to_be_visible()
    assert counts(chat, "refused") == {}


def test_what_a_machine_read_is_marked_and_leads_to_the_message(
    chat: httpx.Client, owner: BrowserContext
) -> None:
    for number, (asked, answered) in enumerate(HOTELS):
        say(chat, "hotels", f"t{number}", asked, answered, ts=f"2026-01-01T00:0{number}:00Z")
    page = owner.new_page()
    page.goto(f"{REVIEW}/conversations/Travel/hotels?turn=t1")
    meant = turn_of(page, "t1")
    expect(meant).to_be_focused()
    say(
        chat,
        "hotels",
        "t9",
        "Those Lisbon hotels don't exist, your answer is wrong.",
        ts="2026-01-01T00:09:00Z",
    )
    read = meant.get_by_role("list", name="Reactions").get_by_role("listitem")
    expect(read).to_contain_text("Read by machine", timeout=READ_WITHIN)
    expect(read).to_contain_text("Not OK")
    expect(read).to_contain_text(re.compile(r"Fairly sure|Quite sure|Almost certain"))
    expect(read).to_contain_text("Those Lisbon hotels don't exist")
    read.get_by_role("button", name="Why this turn?").click()
    expect(read.get_by_role("table", name="Candidates").get_by_role("row")).to_have_count(4)
    expect(read).to_contain_text(re.compile(r"\d\d\s% sure"))  # figures on demand
    read.get_by_role("link", name="Said in a later message").click()
    expect(page).to_have_url(re.compile(r"turn=t9$"))
    message = turn_of(page, "t9")
    expect(message).to_be_focused()
    expect(message).to_contain_text("Read by machine as Not OK for “Hotel Avenida")
    check_page(page)


def test_a_close_call_is_settled_by_keyboard(chat: httpx.Client, owner: BrowserContext) -> None:
    page = owner.new_page()
    page.goto(f"{REVIEW}/conversations/unclear")
    expect(page.get_by_text("Nothing is unclear")).to_be_visible()
    for second, turn in enumerate("ab"):
        asked, answered = "Write a query for refunds", "SELECT sum(amount) FROM refunds"
        say(chat, "refunds", turn, asked, answered, ts=f"2026-01-01T00:00:0{second}Z")
    say(chat, "refunds", "c", "Hi", "Hello!", ts="2026-01-01T00:08:00Z")
    say(chat, "refunds", "d", "Your query for refunds is wrong.", ts="2026-01-01T00:09:00Z")
    unclear = page.get_by_role("listitem", name="Message: Your query for refunds is wrong.")
    expect(unclear).to_be_visible(timeout=READ_WITHIN)
    tab = page.get_by_role("link", name="Unclear reactions")
    expect(tab).to_contain_text("1")
    expect(unclear).to_contain_text("Which answer did the customer mean?")
    expect(unclear).not_to_contain_text("%")
    check_page(page)

    page.keyboard.press("j")
    expect(unclear).to_be_focused()
    page.keyboard.press("1")
    chosen = unclear.get_by_role("button", name=re.compile("^This one")).first
    expect(chosen).to_be_focused()
    meant = str(chosen.get_attribute("data-turn"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing is unclear")).to_be_visible()
    expect(tab).not_to_contain_text("1")
    expect(
        page.get_by_role("status").filter(has_text="Settled: ")
    ).to_be_attached()  # before that it is still being saved
    page.keyboard.press("u")  # also with nothing left in the queue
    expect(unclear).to_be_focused()
    expect(tab).to_contain_text("1")
    assert counts(chat, "refunds") == {}
    page.keyboard.press("0")
    expect(unclear.get_by_role("button", name="None of these")).to_be_focused()
    page.keyboard.press("Enter")
    settled = page.get_by_role("alert").filter(has_text="none of them was meant")
    settled.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").filter(has_text="Taken back.")).to_be_attached()
    unclear.locator(f'button[data-turn="{meant}"]').click()
    expect(page.get_by_text("Nothing is unclear")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Settled: ")).to_be_attached()

    page.goto(f"{REVIEW}/conversations/Travel/refunds?turn={meant}")
    read = turn_of(page, meant).get_by_role("list", name="Reactions").get_by_role("listitem")
    read.get_by_role("button", name="Why this turn?").click()
    expect(read).to_contain_text("A person said which turn is meant.")


def test_satisfaction_is_the_servers_and_can_be_taken_along(demo: BrowserContext) -> None:
    headers = {"X-Goldloop-Tenant": demo.request.get("/api/session").json()["workspaces"][0]["slug"]}
    told = demo.request.get("/api/conversations/satisfaction", headers=headers).json()["overall"][0]
    page = demo.new_page()
    page.goto(f"{REVIEW}/conversations/satisfaction")
    whole = page.get_by_role("region", name="All together")
    expect(whole).to_contain_text(f"{round(told['rate'] * 100)} %")
    expect(whole).to_contain_text(f"of {told['total']} reactions of end users are OK; 95 % Wilson interval")
    expect(page.locator("svg .recharts-line").first).to_be_attached()

    page.get_by_label("Compare").select_option("agent")
    page.get_by_label("In steps of").select_option("month")
    expect(page).to_have_url(re.compile("by=agent"))
    expect(page).to_have_url(re.compile("bucket=month"))
    groups = page.get_by_role("table", name="By agent")
    expect(groups).to_contain_text("answer-bot")
    expect(groups).to_contain_text("coder")
    with page.expect_download() as started:
        page.get_by_role("button", name="CSV").click()
    table = started.value.path().read_text().splitlines()
    assert started.value.suggested_filename == "satisfaction.csv"
    assert table[0] == "month,agent,ok,not_ok,neutral,total,rate,low,high"
    assert sum(int(row.split(",")[5]) for row in table[1:]) == told["total"]


def test_members_are_no_customers_and_a_week_leads_to_its_conversations(
    chat: httpx.Client, owner: BrowserContext
) -> None:
    weeks = {"first": "2024-01-03", "second": "2024-01-10", "later": "2024-01-31"}
    for conversation, day in weeks.items():
        say(chat, conversation, "t", f"Question of the {conversation} week", "Answer", ts=f"{day}T00:00:00Z")
        url = f"/conversations/main/Travel/{conversation}/turns/t/feedback"
        assert chat.post(url, json={"reaction": "ok", "ts": f"{day}T00:01:00Z"}).status_code == 200
    (token,) = [cookie["value"] for cookie in owner.cookies() if cookie["name"] == CSRF_COOKIE]
    headers = {"X-Goldloop-Tenant": "main", CSRF_HEADER.decode(): token}
    by_member = {"reaction": "not_ok", "ts": "2024-01-03T00:02:00Z"}
    feedback = "/conversations/main/Travel/first/turns/t/feedback"
    assert owner.request.post(feedback, data=by_member, headers=headers).ok
    page = owner.new_page()
    page.goto(f"{REVIEW}/conversations/satisfaction?project=Travel&start=2024-01-01&end=2024-02-29")
    whole = page.get_by_role("region", name="All together")
    expect(whole).to_contain_text("of 3 reactions of end users are OK")
    page.get_by_label("Reactions of").select_option("all")
    expect(whole).to_contain_text("of 4 reactions are OK")
    page.get_by_label("Reactions of").select_option("member")
    expect(whole).to_contain_text("of 1 reaction of members are OK")
    page.get_by_label("Reactions of").select_option("end_user")

    chart = page.get_by_role("group", name="Satisfaction over time, as a chart")
    points = chart.get_by_role("link")
    expect(points).to_have_count(3)
    two_parts = re.compile("^M[^M]+M[^M]+$")  # nothing is drawn through the weeks between
    expect(chart.locator("path.recharts-line-curve")).to_have_attribute("d", two_parts)
    expect(chart.locator("path.recharts-area-area")).to_have_attribute("d", two_parts)
    check_page(page)

    points.last.focus()
    page.keyboard.press("ArrowLeft")
    week = chart.get_by_role("link", name=re.compile("Week of 8 Jan 2024: 100 %.*1 reaction"))
    expect(week).to_be_focused()
    week.evaluate("link => { link.dataset.before = 'yes' }")
    page.set_viewport_size({"width": 1100, "height": 800})
    expect(chart.locator("[data-before]")).to_have_count(0)
    expect(week).to_be_focused()  # though all points were drawn anew
    week.press("Enter")
    rows = page.get_by_role("table", name="Conversations").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text("Question of the second week")
    expect(page).to_have_url(re.compile("reacted_start=2024-01-08.*reacted_end=2024-01-14"))
    expect(page.get_by_role("button", name="Filter, 2 active")).to_be_visible()
    page.go_back()
    expect(points).to_have_count(3)
    chart.hover(position={"x": 60, "y": 60})  # below the first point, where its week is
    expect(chart.get_by_text("Click for its conversations")).to_be_visible()
    page.mouse.down()
    page.mouse.up()
    expect(rows.last).to_contain_text("Question of the first week")


def test_an_answer_is_read_by_keyboard_and_whatever_it_holds_is_only_shown(
    chat: httpx.Client, owner: BrowserContext
) -> None:
    hostile = (
        "## Plan\n\n1. **First**\n   - nested\n\n| step | cost |\n|---|--:|\n| a | 1 |\n\n```python\nprint('<b>')\n```\n\n"
        "<script>document.title = 'hacked'</script><img src=x onerror=\"document.title='hacked'\">\n\n"
        "[a](javascript:document.title='hacked') ![pixel](https://spy.invalid/p.png) see https://goldloop.invalid/docs."
    )
    say(chat, "markdown", "t1", "What is the plan?", hostile)
    say(chat, "markdown", "t2", "اكتب بالعربية من فضلك", "مرحبا **بكم**\n\n" + "كلمة " * 50)
    say(chat, "markdown", "t3", "x" * 5000, "word " * 30_000)
    page = owner.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{REVIEW}/conversations/Travel/markdown")
    first = turn_of(page, "t1")
    expect(first.get_by_role("cell", name="1", exact=True)).to_be_visible()
    expect(first.get_by_text("print('<b>')")).to_be_visible()
    expect(first.get_by_text("<script>")).to_be_visible()
    links = [link.get_attribute("href") for link in first.locator("a[target=_blank]").all()]
    assert links == ["https://spy.invalid/p.png", "https://goldloop.invalid/docs"]
    assert "hacked" not in page.title()
    assert [url for url in asked if "invalid" in url] == []
    expect(page.locator("main")).not_to_contain_text(re.compile(r"\bt[123]\b"))
    assert turn_of(page, "t2").locator("p").last.evaluate("p => getComputedStyle(p).direction") == "rtl"
    check_page(page)

    for turn in ("t1", "t2", "t3"):
        page.keyboard.press("j")
        expect(turn_of(page, turn)).to_be_focused()
    page.keyboard.press("k")
    expect(turn_of(page, "t2")).to_be_focused()
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    first.get_by_role("button", name="About this turn").click()
    expect(first.get_by_role("menu")).to_contain_text("Turn t1")
    first.get_by_role("menuitem", name="Show as written").click()
    expect(first.get_by_text("## Plan")).to_be_visible()
    turn_of(page, "t3").get_by_role("button", name="Show all").last.click()
    expect(turn_of(page, "t3").get_by_role("button", name="Show less")).to_be_visible()


def test_a_sent_address_shows_the_same_to_a_colleague(
    demo: BrowserContext, browser: Browser, server: Server, demo_state: Any
) -> None:
    page = demo.new_page()
    page.goto(REVIEW)
    rows = page.get_by_role("table", name="Conversations").get_by_role("row")
    expect(rows).to_have_count(12)
    page.get_by_label("Project").select_option("Support")
    page.get_by_label("Reaction", exact=True).select_option("not_ok")
    page.get_by_role("button", name="Filter").click()
    page.get_by_label("How it was given").select_option("machine")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Filter, 1 active")).to_be_visible()
    page.get_by_label("Search what was said").fill("cookie")
    expect(rows).to_have_count(2)
    expect(page).to_have_url(re.compile("q=cookie"))

    other = browser.new_context(base_url=server.url, storage_state=demo_state)
    sent = other.new_page()
    sent.goto(page.url)
    expect(sent.get_by_role("table", name="Conversations").get_by_role("row")).to_have_count(2)
    expect(sent.get_by_role("link", name="The app logs me out every few minutes.")).to_be_visible()
    expect(sent.get_by_label("Project")).to_have_value("Support")
    expect(sent.get_by_label("Search what was said")).to_have_value("cookie")
    other.close()
