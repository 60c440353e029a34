"""What wraps every request: its id, its log line, its metrics and the security headers."""

import logging
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State
from prometheus_client.parser import text_string_to_metric_families

from goldloop.kit import web
from goldloop.kit.asgi import CONTENT_SECURITY_POLICY, RequestMiddleware
from goldloop.kit.http import render_error
from goldloop.tenants.model import Role
from tests.factories import Workspace, browser

SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": CONTENT_SECURITY_POLICY,
}


async def test_a_request_id_is_echoed(anonymous: httpx.AsyncClient) -> None:
    answer = await anonymous.get("/healthz", headers={"X-Request-Id": "a.Trace_id-1"})
    assert answer.headers["x-request-id"] == "a.Trace_id-1"


@pytest.mark.parametrize("given", ["", " ", "two words", "a" * 101, 'a"b', "a;b", "<script>", "a\n"])
async def test_a_request_id_that_would_spoil_a_log_is_replaced(app: Any, given: str) -> None:
    answer = await called(app, "/healthz", [(b"x-request-id", given.encode())])
    assert UUID(answer["x-request-id"]).version == 7


async def called(app: Any, path: str, headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Response headers of a raw call: no client in between that would refuse to send such a header."""
    sent: list[Any] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("goldloop.test", 80),
        "state": {},
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/healthz", 200),
        ("GET", "/readyz", 200),
        ("GET", "/metrics", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/api/agents", 401),
        ("GET", "/api/nothing", 404),
        ("PUT", "/api/agents", 405),
        ("POST", "/api/session", 422),
        ("GET", "/assets/none.js", 404),
        ("GET", "/records", None),  # the UI, or a page that says it is not built
        ("GET", "/", None),
    ],
)
async def test_every_response_has_the_security_headers_once(
    anonymous: httpx.AsyncClient, method: str, path: str, status: int | None
) -> None:
    answer = await anonymous.request(method, path)
    assert status is None or answer.status_code == status
    for name, value in SECURITY.items():
        assert answer.headers.get_list(name) == [value], name
    assert len(answer.headers.get_list("x-request-id")) == 1
    assert len(answer.headers.get_list("content-type")) == 1
    assert answer.headers["content-type"].count("charset") <= 1
    assert "server" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/api/workspace", "/api/nothing", "/conversations/a/b/c", "/healthz", "/openapi.json"]
)
async def test_what_depends_on_who_asks_is_kept_by_nobody(workspace: Workspace, path: str) -> None:
    owner = await workspace.client()
    answer = await owner.get(path)
    assert answer.headers.get_list("cache-control") == ["no-store"]
    assert answer.headers.get_list("vary") == ["Authorization, Cookie, X-Goldloop-Tenant"]


async def test_the_policy_lets_no_foreign_or_inline_script_run() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in CONTENT_SECURITY_POLICY.split(";"))
    assert rules["script-src"] == "'self'"
    assert rules["default-src"] == "'self'"
    assert rules["object-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"


@pytest.mark.parametrize(("scheme", "sent"), [("https", True), ("http", False)])
async def test_only_over_https_is_https_demanded_for_the_future(app: Any, scheme: str, sent: bool) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=f"{scheme}://t") as client:
        answer = await client.get("/healthz")
    assert ("strict-transport-security" in answer.headers) is sent


async def test_metrics_count_requests_by_route_and_name_no_tenant(
    workspace: Workspace, anonymous: httpx.AsyncClient
) -> None:
    admin = await workspace.client(Role.ADMIN)
    agent = (await admin.post("/api/agents", json={"slug": "a", "name": "a"})).json()
    await admin.get(f"/api/agents/{agent['id']}")
    await admin.get(f"/api/nothing/{workspace.slug}")
    answer = await anonymous.get("/metrics")

    assert answer.headers["content-type"].startswith("text/plain")
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    ours = {name: family for name, family in families.items() if name.startswith("goldloop_")}
    assert "goldloop_http_requests" in ours
    labels = {label for family in ours.values() for sample in family.samples for label in sample.labels}
    assert labels <= {"method", "route", "status", "name", "outcome", "kind", "le", "state", "queue"}
    for secret in (workspace.slug, str(workspace.id), workspace.owner_email, agent["id"]):
        assert secret not in answer.text
    counted = [
        s for s in ours["goldloop_http_requests"].samples if s.labels.get("route") == "/api/agents/{agent_id}"
    ]
    assert any(
        s.labels == {"method": "GET", "route": "/api/agents/{agent_id}", "status": "200"} for s in counted
    )


async def test_methods_nobody_knows_do_not_grow_the_metrics(anonymous: httpx.AsyncClient) -> None:
    await anonymous.request("BREW", "/healthz")
    text = (await anonymous.get("/metrics")).text
    assert "BREW" not in text
    assert re.search(r'goldloop_http_requests_total\{method="OTHER"', text)


async def test_each_request_leaves_one_line_without_its_query(
    anonymous: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "goldloop.access"):
        await anonymous.get("/healthz?token=secret")
    (line,) = [record for record in caplog.records if record.name == "goldloop.access"]
    assert line.getMessage() == "GET /healthz 200"
    assert (vars(line)["route"], vars(line)["status"]) == ("/healthz", 200)


def ui(folder: Path | None, allowed_origins: Collection[str] = ()) -> Any:
    return RequestMiddleware(
        Litestar(
            [web.web_script, web.web_ui],
            state=State({"web_dist": folder}),
            exception_handlers={Exception: render_error},
            openapi_config=None,
            logging_config=None,
        ),
        allowed_origins,
    )


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "dist" / "index.html").write_text("<p>page")
    (tmp_path / "dist" / "assets" / "index-1a2b.js").write_text("code()")
    (tmp_path / "dist" / "widget.js").write_text("widget()")
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path / "dist"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/", "<p>page"),
        ("/records/1?tab=x", "<p>page"),
        ("/index.html", "<p>page"),
        ("/assets/index-1a2b.js", "code()"),
        ("/../secret.txt", "<p>page"),
        ("/%2e%2e/secret.txt", "<p>page"),
        ("/assets%2f..%2f..%2fsecret.txt", None),
        ("/%00", "<p>page"),
        ("/%ff", "<p>page"),
        ("/" + "a" * 5000, "<p>page"),
        ("/assets/gone.js", None),
        ("/assets", "<p>page"),
    ],
)
async def test_an_address_is_a_built_file_or_a_page_and_never_a_file_outside(
    built: Path, path: str, body: str | None
) -> None:
    async with browser(ui(built)) as client:
        answer = await client.get(path)
    assert "secret" not in answer.text
    assert (answer.status_code, answer.text) == (200, body) if body else answer.status_code == 404


async def test_only_what_carries_a_hash_in_its_name_is_kept_by_browsers(built: Path) -> None:
    async with browser(ui(built)) as client:
        assert "immutable" in (await client.get("/assets/index-1a2b.js")).headers["cache-control"]
        assert (await client.get("/records")).headers["cache-control"] == "no-cache"


async def test_without_a_built_ui_the_page_says_what_to_do() -> None:
    async with browser(ui(None)) as client:
        answer = await client.get("/")
    assert (answer.status_code, answer.headers["content-type"]) == (503, "text/html; charset=utf-8")
    assert "make up" in answer.text


async def test_a_head_request_is_answered_like_a_get(anonymous: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz", "/"):
        assert (await anonymous.head(path)).status_code == (await anonymous.get(path)).status_code
    assert (await anonymous.head("/api/keys")).status_code == 401
    assert (await anonymous.head("/api/events")).status_code == 405


async def test_scripts_for_other_pages_are_loaded_from_anywhere_and_kept_for_a_while(built: Path) -> None:
    async with browser(ui(built)) as client:
        first = await client.get("/widget.js")
        again = await client.get("/widget.js", headers={"If-None-Match": first.headers["etag"]})
        (built / "widget.js").write_text("widget(2)")
        newer = await client.get("/widget.js", headers={"If-None-Match": first.headers["etag"]})
        gone = await client.get("/client.js")
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert first.headers["access-control-allow-origin"] == "*"
    assert first.headers["cross-origin-resource-policy"] == "cross-origin"
    assert first.headers["cache-control"].startswith("public, max-age=600")
    assert (again.status_code, again.content) == (304, b"")
    assert (newer.status_code, newer.text) == (200, "widget(2)")
    assert gone.status_code == 404, "and not a page of the UI"


CHAT = "https://chat.example.com"
ASKED = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [(CHAT, CHAT), ("https://evil.example.com", None), ("http://chat.example.com", None), ("null", None)],
)
async def test_pages_of_allowed_origins_may_ask_and_no_others(
    built: Path, origin: str, allowed: str | None
) -> None:
    async with browser(ui(built, [CHAT])) as client:
        answer = await client.get("/records", headers={"Origin": origin})
        before = await client.options("/api/entities", headers={"Origin": origin, **ASKED})
    assert answer.headers.get("access-control-allow-origin") == allowed
    assert "Origin" in answer.headers["vary"]
    assert before.headers.get("access-control-allow-origin") == allowed
    assert before.headers.get("access-control-allow-methods") == (
        "GET, POST, PUT, PATCH, DELETE" if allowed else None
    )
    for each in (answer, before):
        assert "access-control-allow-credentials" not in each.headers, "cookies stay at home"


async def test_without_allowed_origins_nothing_is_said_about_any(built: Path) -> None:
    async with browser(ui(built)) as client:
        answer = await client.get("/records", headers={"Origin": CHAT})
    assert not [name for name in answer.headers if name.startswith("access-control")]
