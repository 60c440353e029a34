"""Numbers one can trust: one score wherever it is shown, who gave it beside it, and points by rater."""

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Server, sign_in


def test_a_score_says_who_gave_it_and_that_they_disagree(page: Page, server: Server) -> None:
    sign_in(page, server.demo_email, server.demo_password)
    page.goto("/records?type=vendor&q=nimbus")
    row = page.get_by_role("row").filter(has_text="Nimbus Voice AI")
    expect(row).to_contain_text("73.75")
    expect(row).to_contain_text("4 raters, 20–73.75")
    row.get_by_role("link", name="Nimbus Voice AI").click()
    expect(page.get_by_text("4 raters · median 35 · 20 to 73.75")).to_be_visible()
    expect(page.get_by_text("· they disagree", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Responses").or_(page.get_by_role("link", name="Responses")).first.click()
    risk = page.get_by_role("group", name="Vendor risk")
    expect(risk.get_by_role("table", name="Statistics per dimension")).to_contain_text("Security")
    risk.get_by_text("Side by side").click()
    beside = risk.get_by_role("table", name="Raters side by side")
    expect(beside.get_by_role("columnheader")).to_have_count(5)
    expect(beside.get_by_role("row").nth(1)).to_contain_text("73.75")
    risk.get_by_text("Agreement", exact=True).click()
    expect(risk.get_by_role("table", name="Agreement")).to_contain_text("Security")
    expect(risk.get_by_text("4 raters, median 35, from 20 to 73.75")).to_be_visible()
    expect(risk.get_by_role("list", name="Raters").get_by_role("listitem")).to_have_count(5)
