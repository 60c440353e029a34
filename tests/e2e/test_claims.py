"""Claims and connections as people see them: a promoted rating changes the claim's average in an open browser."""

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from goldloop.claims.demo import claim_id, rating_id, source_id
from goldloop.edges.demo import protocol_id, visit_id
from tests.e2e.conftest import Server
from tests.e2e.test_accessibility import LOOKS, check_page


def _open(browser: Browser, server: Server, state: StorageState, path: str) -> Page:
    page = browser.new_context(base_url=server.url, storage_state=state).new_page()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def test_promoting_a_rating_of_a_source_changes_the_claim_in_an_open_browser(
    browser: Browser, server: Server, demo_state: StorageState
) -> None:
    claim = _open(browser, server, demo_state, f"/records/{claim_id('bot-nights')}")
    panel = claim.get_by_role("region", name="What this rests on")
    expect(panel).to_contain_text("8.33 of 10")
    expect(panel).to_contain_text("1 of 2 rated")
    waiting = panel.get_by_role("listitem").filter(has_text="Night chats in the second quarter")
    expect(waiting).to_contain_text("Not rated")

    # Whoever follows the link finds the agent's rating, and accepts a part of it.
    source = _open(browser, server, demo_state, f"/records/{claim_id('bot-nights')}")
    source.get_by_role("link", name="Responses to Night chats in the second quarter").click()
    rating = source.get_by_role("article", name="Response by Evidence reader")
    rating.get_by_role("button", name="Promote Relevance").click()
    source.get_by_role("dialog").get_by_role("button", name="Promote", exact=True).click()
    expect(rating).to_contain_text("Partly promoted")

    expect(panel).to_contain_text("2 of 2 rated")
    expect(panel).to_contain_text("7 of 10")
    expect(panel.get_by_text("≈ 7", exact=False).or_(panel.get_by_text("= 7", exact=False))).to_be_visible()
    counts = panel.get_by_role("link", name="The response that counts for Night chats in the second quarter")
    expect(counts).to_have_attribute(
        "href", f'/records/{source_id("bot-nights-log")}?tab=responses&response={rating_id("bot-nights-log", "evidence-reader")}'
    )  # fmt: skip
    claim.get_by_role("button", name="History of Quality of sources").click()
    drawer = claim.get_by_role("dialog", name="History of Quality of sources")
    expect(drawer.get_by_text("Counted by Goldloop from 2 sources").first).to_be_visible()
    for page in (claim, source):
        page.context.close()


def test_a_protocol_shows_where_it_did_best_and_a_visit_which_did_best(
    browser: Browser, server: Server, demo_state: StorageState
) -> None:
    page = _open(browser, server, demo_state, f"/records/{protocol_id('splint')}")
    outcomes = page.get_by_role("list", name="Outcomes, best first").get_by_role("listitem")
    expect(outcomes).to_have_count(3)
    expect(outcomes.first).to_contain_text("OH-2047: numb fingers at night")
    expect(
        page.get_by_role("list", name="Referenced through Protocols").get_by_role("listitem")
    ).to_have_count(3)
    outcomes.nth(1).get_by_role("link").click()
    expect(page).to_have_url(f"{server.url}/records/{visit_id('2041')}")
    ranked = page.get_by_role("list", name="Protocols, best first").get_by_role("listitem")
    expect(ranked.first).to_contain_text("Night splint")
    expect(ranked.last).to_contain_text("Cold laser on the wrist")
    page.context.close()


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_pages_of_claims_and_connections_are_accessible(
    browser: Browser, server: Server, demo_state: StorageState, scheme: str, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url,
        storage_state=demo_state,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 844},
    )
    page = context.new_page()
    for record, panel in (
        (claim_id("two-hours"), "What this rests on"),
        (claim_id("first-name"), "What this rests on"),
        (source_id("vendor-paper"), "Claims that rest on this"),
        (visit_id("2041"), "Ranked connections"),
        (protocol_id("desk"), "Outcomes"),
    ):
        page.goto(f"/records/{record}")
        expect(page.get_by_role("region", name=panel)).to_be_visible()
        check_page(page)
    page.goto("/settings/workspace")
    expect(page.get_by_label("They lead to claims through")).to_be_visible()
    check_page(page)
    context.close()
