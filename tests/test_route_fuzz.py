"""Every route, called by whoever should not: no row of a workspace gets out, and none in it changes."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import pytest_asyncio
from litestar.routes import HTTPRoute

from goldloop.app import build_litestar
from goldloop.kit.clock import now
from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.routes import OPERATIONS, PUBLIC, SESSION_ONLY, TOOL, Target, bearer, everything_of, make_target

PUBLIC_OUTSIDE_OPENAPI = {
    ("GET", "/metrics"),  # names no tenant
    ("GET", "/openapi.json"),
    ("GET", "/.well-known/oauth-protected-resource/mcp"),  # the address of the server, as it was asked
    ("GET", "/"),  # the web UI's files
    ("GET", "/client.js"),
    ("GET", "/widget.js"),
    ("GET", "/{_path}"),
}
# For every member, however narrow their key.
ANY_MEMBER = {
    ("GET", "/api/workspace"),
    ("GET", "/api/permissions"),
    ("GET", "/api/events"),
    ("GET", "/api/inbox"),  # shows the kinds that the key may read: here none
    ("GET", "/api/tools"),  # shows those that the key may call: here none
}
# Suites and starter sets are the server's; what is said of one is about the caller's own workspace.
OF_THE_SERVER = ("/api/artifact-evals/suites/{suite}", "/api/admin/evals/starters/{starter}")


@pytest_asyncio.fixture
async def superuser(data_dir: Path, database_url: str) -> AsyncIterator[Any]:
    connection = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def target(workspace: Workspace, superuser: Any) -> AsyncIterator[Target]:
    yield await make_target(workspace)
    await superuser.execute("DELETE FROM marks WHERE kind = 'of-route-fuzz'")


async def call(app: Any, method: str, path: str, headers: dict[str, str], body: Any) -> tuple[int, str]:
    """Status and text of a response; of a stream its beginning, after which the client goes away."""
    content = msgspec.json.encode(body) if body is not None else b""
    path, _, query = path.partition("?")
    sent = [{"type": "http.request", "body": content, "more_body": False}]
    got: list[Any] = []
    begun, ended = asyncio.Event(), asyncio.Event()
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(content)).encode()),
            *((name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()),
        ],
        "client": ("2001:db8::f", 1),
        "server": ("goldloop.test", 80),
        "state": {},
    }

    async def receive() -> Any:
        if sent:
            return sent.pop()
        await ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        got.append(message)
        if message["type"] == "http.response.body" and message.get("body"):
            begun.set()
        if message["type"] == "http.response.body" and not message.get("more_body"):
            ended.set()

    running = asyncio.create_task(app(scope, receive, send))
    first = asyncio.create_task(begun.wait())
    await asyncio.wait({running, first}, timeout=10, return_when=asyncio.FIRST_COMPLETED)
    is_stream = any(b"text/event-stream" in value for m in got[:1] for _, value in m["headers"])
    if is_stream:
        running.cancel()
    await asyncio.gather(running, return_exceptions=is_stream)
    first.cancel()
    text = b"".join(m.get("body", b"") for m in got[1:]).decode()
    return got[0]["status"], text


async def settled(auth: Authenticator) -> None:
    while auth._background:
        await asyncio.gather(*auth._background)


def test_there_are_routes_to_try() -> None:
    assert len(OPERATIONS) > 25
    assert set(OPERATIONS) >= PUBLIC | SESSION_ONLY | ANY_MEMBER


def test_the_routes_that_anybody_may_call_are_those_listed() -> None:
    public = {
        (method, route.path_format)
        for route in build_litestar().routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if handler.opt.get("public") and method != "OPTIONS"
    }
    assert public == PUBLIC | PUBLIC_OUTSIDE_OPENAPI


async def test_without_a_valid_key_every_route_answers_401_and_nothing_changes(
    target: Target, app: Any, auth: Authenticator, superuser: Any
) -> None:
    workspace = target.workspace
    owner = await workspace.client()
    revoked, revoked_secret = await workspace.make_key()
    assert (await owner.post(f"/api/keys/{revoked.id}/revoke")).status_code == 200
    expired, expired_secret = await workspace.make_key(expires_at=now() + timedelta(hours=1))
    await superuser.execute(
        "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", expired.id
    )
    credentials = {
        "none": {},
        "garbage": bearer("gl_garbage"),
        "another scheme": {"Authorization": f"Basic {expired_secret}"},
        "revoked": bearer(revoked_secret),
        "expired": bearer(expired_secret),
        "no session": {"Cookie": "goldloop_session=garbage", "X-Goldloop-Tenant": workspace.slug},
    }
    await settled(auth)
    before = await everything_of(superuser, workspace)
    for (name, headers), (method, path) in some(itertools.product(credentials.items(), OPERATIONS)):
        if (method, path) in PUBLIC or (method == "HEAD" and ("GET", path) in PUBLIC):
            continue  # a HEAD is answered as a GET is
        status, text = await call(app, method, target.path(path), headers, target.body(method, path))
        assert status == 401, (name, method, path, text)
        assert target.canary not in text, (name, method, path)
    await settled(auth)
    assert await everything_of(superuser, workspace) == before


async def test_methods_that_no_route_documents_answer_nothing_to_a_stranger(target: Target, app: Any) -> None:
    for method, (_, path) in some(
        itertools.product(["PUT", "OPTIONS", "HEAD", "TRACE", "PATCH", "DELETE"], OPERATIONS)
    ):
        if (method, path) in PUBLIC or (method == "HEAD" and ("GET", path) in PUBLIC):
            continue  # a HEAD is answered as a GET is
        status, text = await call(app, method, target.path(path), {}, None)
        public = method == "OPTIONS" and (
            path.endswith("/feedback") or any((m, path) in PUBLIC for m in ("GET", "POST"))
        )  # a page of any site may ask whether it may react
        assert status in ({204, 401} if public else {401, 404, 405}), (method, path)
        assert target.canary not in text


async def test_a_key_scoped_to_something_else_is_refused_everywhere_and_nothing_changes(
    target: Target, app: Any, auth: Authenticator, superuser: Any
) -> None:
    _, secret = await target.workspace.make_key(Role.VIEWER, scopes=["feedback.own.create"])
    before = await everything_of(superuser, target.workspace)
    for method, path in OPERATIONS:
        if (method, path) in PUBLIC or (method == "HEAD" and ("GET", path) in PUBLIC):
            continue  # a HEAD is answered as a GET is
        status, text = await call(app, method, target.path(path), bearer(secret), target.body(method, path))
        expected = 401 if (method, path) in SESSION_ONLY else 200 if (method, path) in ANY_MEMBER else 403
        assert status == expected, (method, path, text)
        assert target.canary not in text or (method, path) == ("GET", "/api/workspace"), (method, path)
    await settled(auth)
    assert await everything_of(superuser, target.workspace) == before


@pytest.mark.parametrize("role", [Role.OWNER, Role.VIEWER])
@pytest.mark.parametrize("named", [False, True])
async def test_the_key_of_another_workspace_finds_nothing_here_and_changes_nothing(
    target: Target,
    other_workspace: Workspace,
    app: Any,
    auth: Authenticator,
    superuser: Any,
    role: Role,
    named: bool,
) -> None:
    """With ids that exist here; `named`: also with this workspace's slug in the header."""
    _, secret = await other_workspace.make_key(role)
    headers = bearer(secret) | ({"X-Goldloop-Tenant": target.workspace.slug} if named else {})
    before = await everything_of(superuser, target.workspace)
    by_id_first = sorted(OPERATIONS, key=lambda operation: "{" not in operation[1])
    for method, path in by_id_first:  # before it makes rows of its own under the same ids
        if (method, path) in PUBLIC or (method == "HEAD" and ("GET", path) in PUBLIC):
            continue  # a HEAD is answered as a GET is
        status, text = await call(app, method, target.path(path), headers, target.body(method, path))
        if (method, path) in SESSION_ONLY:
            assert status == 401, (method, path)
        elif named:
            assert status == 404, (method, path, text)
        elif (method, path) == TOOL:
            assert (status, "error" in text) == ((200, True) if role is Role.OWNER else (403, False)), text
        elif "{" in path and not path.startswith(OF_THE_SERVER):
            assert status in ({404} if role is Role.OWNER else {403, 404}), (method, path, text)
        else:
            assert status < 500, (method, path, text)  # it acts in its own workspace, if at all
        assert target.canary not in text, (method, path)
    await settled(auth)
    assert await everything_of(superuser, target.workspace) == before


async def test_a_person_of_another_workspace_finds_nothing_here_and_changes_nothing(
    target: Target, other_workspace: Workspace, app: Any, auth: Authenticator, superuser: Any
) -> None:
    browser = await other_workspace.signed_in()
    headers = {
        "Cookie": f"goldloop_session={browser.cookies['goldloop_session']}",
        "X-Goldloop-CSRF": browser.headers["X-Goldloop-CSRF"],
        "X-Goldloop-Tenant": target.workspace.slug,
    }
    before = await everything_of(superuser, target.workspace)
    for method, path in OPERATIONS:
        if (method, path) in PUBLIC | SESSION_ONLY:
            continue
        status, text = await call(app, method, target.path(path), headers, target.body(method, path))
        assert status == 404, (method, path, text)
        assert target.canary not in text, (method, path)
    await settled(auth)
    assert await everything_of(superuser, target.workspace) == before


async def test_the_owner_of_the_workspace_does_find_what_the_others_did_not(target: Target, app: Any) -> None:
    """The control of the tests above: the ids and bodies they use are good ones."""
    _, secret = await target.workspace.make_key(Role.OWNER)
    found = set()
    for method, path in OPERATIONS:
        if (method, path) in PUBLIC | SESSION_ONLY or method == "DELETE":
            continue
        status, text = await call(app, method, target.path(path), bearer(secret), target.body(method, path))
        assert status in (200, 201, 202, 204, 409), (method, path, text)
        if target.canary in text:
            found.add((method, path))
    shown = (
        "/api/agents",
        "/api/jobs",
        "/api/entit",
        "/api/criteria-sets",
        "/api/views",
        "/api/saved-lists",
        "/api/tasks",
        "/api/artifact-evals/runs/{run_id}/results",
    )
    # Numbers, no text of anybody's; and what the key's holder chose, which is nothing.
    counted = {
        ("GET", "/api/entities/count"),
        ("GET", "/api/entities/{entity_id}/responses/scores"),
        ("GET", "/api/entity-types/{slug}/columns"),
        ("GET", "/api/agents/{agent_id}/secrets"),
        ("GET", "/api/agents/defaults"),  # the installation's
    }
    assert found >= {(m, p) for m, p in OPERATIONS if m == "GET" and p.startswith(shown)} - counted
