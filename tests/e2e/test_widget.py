"""`<goldloop-feedback>` on a page of another origin that forbids inline styles, HTML as text, and cookies of anybody."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

import httpx
import msgspec
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from goldloop.client.conversation_types import ReactionToken
from tests.e2e.conftest import SECONDS, Server, client_with_key
from tests.e2e.host_pages import HostPages
from tests.e2e.test_accessibility import check_page

PAGE = """<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Elsewhere</title>
<meta name="viewport" content="width=device-width"><script src="{server}/widget.js" defer></script>
<main><h1>Elsewhere</h1><p>It arrives on Monday.</p>
<goldloop-feedback token="{token}" {attributes}></goldloop-feedback></main></html>"""
DARK_SURFACE = "rgb(28, 25, 23)"
LIGHT_SURFACE = "rgb(255, 255, 255)"


@dataclass(frozen=True)
class Desk:
    """A page of another origin with the element for one turn, and what the server has of it."""

    page: Page
    elsewhere: HostPages
    api: httpx.Client
    address: str

    def token(self, seconds: int = 600) -> str:
        made = self.api.post(f"{self.address}/feedback-token", json={"expires_in": seconds})
        return str(made.json()["token"])

    def show(self, token: str | None = None, lang: str = "en", attributes: str = "") -> None:
        self.elsewhere.pages["/chat"] = PAGE.format(
            server=self.elsewhere.server, token=token or self.token(), lang=lang, attributes=attributes
        )
        self.page.goto(f"{self.elsewhere.url}/chat")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def said(self) -> tuple[str, str | None] | None:
        """The reaction that the server has, and its comment."""
        element = self.page.locator("goldloop-feedback")
        expect(element).not_to_have_attribute(
            "data-state", "sending"
        )  # a thumb is shown before it has arrived
        project, conversation = self.address.split("/")[3:5]
        shown = self.api.get(f"/api/conversations/{project}/{conversation}").json()
        rows = [row["plain"] for row in shown["turns"][0]["reactions"]]
        return (rows[0]["reaction"], rows[0]["text"]) if rows else None


@pytest.fixture(scope="module")
def api(server: Server) -> Iterator[httpx.Client]:
    with client_with_key(server, "chat", "--role", "contributor") as client:
        yield client


def make_turn(api: httpx.Client) -> str:
    """The address of a turn of its own conversation."""
    address = f"/conversations/main/Widgets/{uuid4()}/turns"
    turn = {"turn_id": "t 1", "user": {"text": "When?"}, "assistant": {"text": "On Monday."}, "user_id": "u1"}
    assert api.post(address, json=turn).status_code == 201
    return f"{address}/t%201"


@pytest.fixture(scope="module")
def short(api: httpx.Client) -> ReactionToken:
    """A token for as short a time as there is, made when the first of these tests begins."""
    made = api.post(f"{make_turn(api)}/feedback-token", json={"expires_in": 10})
    return msgspec.json.decode(made.content, type=ReactionToken)


@pytest.fixture
def desk(short: ReactionToken, api: httpx.Client, page: Page, elsewhere: HostPages) -> Desk:
    return Desk(page, elsewhere, api, make_turn(api))


def test_a_thumb_a_comment_and_a_change_of_mind_by_mouse(desk: Desk) -> None:
    desk.show()
    desk.button("Helpful").click()
    expect(desk.button("Helpful")).to_have_attribute("aria-pressed", "true")
    expect(desk.page.get_by_role("status")).to_have_text("Thank you for your feedback.")
    assert desk.said() == ("ok", None)
    desk.button("Not helpful").click()
    expect(desk.button("Not helpful")).to_have_attribute("aria-pressed", "true")
    expect(desk.button("Helpful")).to_have_attribute("aria-pressed", "false")
    desk.page.get_by_label("What could be better?").fill("It is <b>Tuesday</b> 😀")
    desk.button("Send").click()
    expect(desk.page.get_by_role("status")).to_have_text("Thank you, your comment was sent.")
    assert desk.said() == ("not_ok", "It is <b>Tuesday</b> 😀")
    desk.button("Not helpful").click()
    expect(desk.page.get_by_role("status")).to_have_text("Your feedback was taken back.")
    assert desk.said() is None
    assert desk.page.context.cookies() == []


def test_everything_is_done_by_keyboard(desk: Desk) -> None:
    desk.show()
    press = desk.page.keyboard.press
    press("Tab")
    expect(desk.button("Helpful")).to_be_focused()
    press("Tab")
    press("Enter")
    expect(desk.button("Not helpful")).to_have_attribute("aria-pressed", "true")
    expect(desk.button("Not helpful")).to_be_focused()
    expect(desk.page.get_by_label("What could be better?")).to_be_visible()
    press("Tab")
    desk.page.keyboard.type("Wrong day")
    press("Control+Enter")
    expect(desk.page.get_by_role("status")).to_have_text("Thank you, your comment was sent.")
    expect(desk.button("Not helpful")).to_be_focused()
    assert desk.said() == ("not_ok", "Wrong day")
    press("Shift+Tab")
    press("Space")
    expect(desk.page.get_by_label("What did you like?")).to_be_visible()
    press("Tab")
    press("Tab")
    press("Escape")
    expect(desk.page.get_by_label("What did you like?")).to_be_hidden()
    expect(desk.button("Helpful")).to_be_focused()
    assert desk.said() == ("ok", None)


def test_what_could_not_be_sent_is_sent_by_trying_again(desk: Desk) -> None:
    desk.show()
    desk.page.route("**/feedback", lambda route: route.abort())
    desk.button("Not helpful").click()
    expect(desk.page.get_by_role("alert")).to_contain_text("Your feedback could not be sent.")
    expect(desk.button("Not helpful")).to_have_attribute("aria-pressed", "false")
    check_page(desk.page)
    assert desk.said() is None
    desk.page.unroute("**/feedback")
    desk.button("Try again").click()
    expect(desk.button("Not helpful")).to_have_attribute("aria-pressed", "true")
    expect(desk.page.get_by_role("alert")).to_be_hidden()
    assert desk.said() == ("not_ok", None)


def test_while_it_is_sent_it_says_so_and_takes_nothing_else(desk: Desk) -> None:
    held: list[Route] = []
    desk.show()
    desk.page.route("**/feedback", lambda route: held.append(route))
    with desk.page.expect_request("**/feedback"):
        desk.button("Helpful").click()
    expect(desk.page.get_by_role("status")).to_have_text("Sending…")
    expect(desk.page.locator("goldloop-feedback")).to_have_attribute("data-state", "sending")
    desk.button("Not helpful").click(force=True)  # which says that it is disabled
    held[0].continue_()
    expect(desk.page.get_by_role("status")).to_have_text("Thank you for your feedback.")
    assert (len(held), desk.said()) == (1, ("ok", None))


def test_it_speaks_the_language_of_the_page_and_words_of_its_own(desk: Desk) -> None:
    desk.show(lang="de-AT", attributes='comment="negative" reaction="ok"')
    expect(desk.page.get_by_role("group", name="War das hilfreich?")).to_be_visible()
    expect(desk.button("Hilfreich")).to_have_attribute("aria-pressed", "true")
    desk.button("Nicht hilfreich").click()
    expect(desk.page.get_by_label("Was könnte besser sein?")).to_be_visible()
    desk.page.locator("goldloop-feedback").evaluate(
        "(element) => { element.labels = { question: 'Gut so?', helpful: 'Ja', notHelpful: 'Nein' }; }"
    )
    expect(desk.page.get_by_role("group", name="Gut so?")).to_be_visible()
    desk.button("Ja").click()
    expect(desk.page.get_by_role("status")).to_have_text("Vielen Dank für Ihre Rückmeldung.")
    expect(desk.page.get_by_label("Was hat Ihnen gefallen?")).to_be_hidden()


@pytest.mark.parametrize(
    ("scheme", "attributes", "surface"),
    [
        ("light", "", LIGHT_SURFACE),
        ("dark", "", DARK_SURFACE),
        ("dark", 'theme="light"', LIGHT_SURFACE),
        ("light", 'theme="dark"', DARK_SURFACE),
    ],
)
def test_it_is_light_or_dark_as_the_reader_or_the_page_wants_and_accessible(
    desk: Desk, scheme: str, attributes: str, surface: str
) -> None:
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    desk.show(attributes=attributes)
    desk.button("Not helpful").click()
    expect(desk.page.get_by_label("What could be better?")).to_be_visible()
    panel = desk.page.locator("goldloop-feedback [part=panel]")
    expect(panel).to_have_css("background-color", surface)
    check_page(desk.page)


def test_a_page_that_is_strict_has_nothing_to_forbid(desk: Desk) -> None:
    said: list[str] = []
    desk.page.on("console", lambda message: said.append(message.text))
    desk.page.on("pageerror", lambda error: said.append(str(error)))
    desk.show()
    desk.button("Helpful").click()
    expect(desk.page.get_by_role("status")).to_have_text("Thank you for your feedback.")
    assert [line for line in said if "favicon" not in line and "404" not in line] == []


def test_the_script_is_kept_for_a_while_and_asked_for_by_what_it_holds(server: Server) -> None:
    with httpx.Client(base_url=server.url) as anybody:
        first = anybody.get("/widget.js")
        again = anybody.get("/widget.js", headers={"If-None-Match": first.headers["etag"]})
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert first.headers["access-control-allow-origin"] == "*"
    assert "max-age=600" in first.headers["cache-control"]
    assert "set-cookie" not in first.headers
    assert (again.status_code, again.content) == (304, b"")


def test_a_token_that_has_expired_says_so_and_a_new_one_goes_on(desk: Desk, short: ReactionToken) -> None:
    """Last in this file: by now its time is over, or nearly."""
    left = short.expires_at - datetime.now(UTC)
    desk.page.wait_for_timeout(max(0, left.total_seconds() + 1) * SECONDS)
    desk.show(token=short.token)
    desk.page.evaluate(
        "addEventListener('goldloop-error', (event) => { window.failed = { ...event.detail }; })"
    )
    desk.button("Helpful").click()
    expect(desk.page.get_by_role("alert")).to_have_text(
        "Feedback is no longer possible here. Reload the page to give it."
    )
    expect(desk.button("Helpful")).to_have_attribute("aria-disabled", "true")
    expect(desk.button("Helpful")).to_have_attribute("aria-pressed", "false")
    expect(desk.button("Try again")).to_be_hidden()
    failed = desk.page.evaluate("window.failed")
    assert (failed["code"], failed["status"]) == ("unauthenticated", 401)
    desk.page.locator("goldloop-feedback").evaluate(
        "(element, token) => element.setAttribute('token', token)", desk.token()
    )
    desk.button("Helpful").click()
    expect(desk.button("Helpful")).to_have_attribute("aria-pressed", "true")
    assert desk.said() == ("ok", None)
