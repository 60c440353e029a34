"""Many tabs of one browser: all load, all stay true, and together they hold one live stream."""

from playwright.sync_api import Browser, BrowserContext, Request, StorageState, expect

from tests.e2e.conftest import Server

TABS = 8  # a browser opens six connections to a server


def _make_key(context: BrowserContext, name: str) -> None:
    session = context.request.get("/api/session").json()
    answer = context.request.post(
        "/api/keys",
        data={"name": name, "role": "viewer"},
        headers={
            "X-Goldloop-CSRF": session["csrf_token"],
            "X-Goldloop-Tenant": session["workspaces"][0]["slug"],
        },
    )
    assert answer.status == 201, answer.text()


def test_eight_tabs_share_one_stream(browser: Browser, server: Server, owner_state: StorageState) -> None:
    context = browser.new_context(base_url=server.url, storage_state=owner_state)
    streams: list[Request] = []
    context.on("request", lambda request: streams.append(request) if "/api/events" in request.url else None)
    tabs = [context.new_page() for _ in range(TABS)]
    for tab in tabs:
        tab.goto("/settings/keys")
        expect(tab.get_by_role("heading", name="API keys", exact=True)).to_be_visible()

    _make_key(context, "Seen in every tab")
    for tab in tabs:
        expect(tab.get_by_role("row").filter(has_text="Seen in every tab")).to_be_visible()  # no reload
    assert len(streams) == 1

    tabs.pop(0).close()  # it held the stream
    _make_key(context, "Seen after the first tab went")
    for tab in tabs:
        expect(tab.get_by_role("row").filter(has_text="Seen after the first tab went")).to_be_visible()
    assert len(streams) == 2
    context.close()
