"""Every route, called by whoever should not: no row of a workspace gets out, and none in it changes."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import pytest
import pytest_asyncio
from litestar.routes import HTTPRoute

from goldloop.app import build_litestar
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.conversations.gate.model import Detection
from goldloop.conversations.reactions import machine
from goldloop.conversations.targeting import Target as TurnTarget
from goldloop.kit.clock import now
from goldloop.kit.db import Database, connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.kit.openapi import openapi_document
from goldloop.kit.queue import enqueue
from goldloop.tenants.agents import service as agents
from goldloop.tenants.auth import Authenticator
from goldloop.tenants.members import service as members
from goldloop.tenants.model import Role
from tests.artifact_evals.server.library import BAD, Library
from tests.factories import PASSWORD, Workspace
from tests.records import COMPANY, RUBRIC, make_desk, ok

# Answered without any credentials. Each has a reason; a new one needs one too.
PUBLIC = {
    ("POST", "/api/session"),  # signing in
    ("POST", "/api/session/join"),  # with the secret of an invitation
    ("GET", "/healthz"),
    ("GET", "/readyz"),
}
PUBLIC_OUTSIDE_OPENAPI = {
    ("GET", "/metrics"),  # names no tenant
    ("GET", "/openapi.json"),
    ("GET", "/"),  # the web UI's files
    ("GET", "/{_path}"),
}
# Only for a browser's session; a key is nobody there.
SESSION_ONLY = {
    ("GET", "/api/session"),
    ("DELETE", "/api/session"),
    ("POST", "/api/session/password"),
    ("POST", "/api/session/accept"),
}
# For every member, however narrow their key.
ANY_MEMBER = {
    ("GET", "/api/workspace"),
    ("GET", "/api/permissions"),
    ("GET", "/api/events"),
    ("GET", "/api/tools"),  # shows those that the key may call: here none
}
# The suites are the server's; what is said of one is about the caller's own workspace.
OF_THE_SERVER = "/api/knowledge-suites/{suite}"
# The address is the same in every workspace; what is not there is the tool's own answer.
TOOL = ("POST", "/api/tools/{tool_name}")

DOCUMENT = openapi_document(build_litestar(None, None, None))
OPERATIONS = [
    (method.upper(), path)
    for path, item in DOCUMENT["paths"].items()
    for method in item
    if method in {"get", "post", "put", "patch", "delete"}
]


@dataclass(frozen=True)
class Target:
    """A workspace full of rows that carry `canary` in their text, and the ids of some of them."""

    workspace: Workspace
    canary: str
    ids: dict[str, str]

    def path(self, template: str) -> str:
        for name in [part[1:-1] for part in template.split("/") if part.startswith("{")]:
            assert name in self.ids, f"give Target an id for {{{name}}}"
            template = template.replace(f"{{{name}}}", self.ids[name])
        if template.endswith(("/aggregate", "/ranked")):
            template += f"?criteria_set_id={self.ids['set_id']}&field_key=parent"
        if template.endswith("/outcomes"):
            template += f"?criteria_set_id={self.ids['edge_set_id']}"
        return template

    def body(self, method: str, path: str) -> dict[str, Any] | None:
        """A body that would be accepted, naming what exists in the target where it can."""
        if "requestBody" not in DOCUMENT["paths"][path][method.lower()]:
            return None
        bodies: dict[tuple[str, str], dict[str, Any]] = {
            ("POST", "/api/session"): {"email": "nobody@goldloop.test", "password": PASSWORD},
            ("POST", "/api/session/join"): {"token": "none", "name": "N", "password": PASSWORD},
            ("POST", "/api/session/accept"): {"token": "none"},
            ("POST", "/api/session/password"): {"current_password": PASSWORD, "new_password": PASSWORD},
            ("PATCH", "/api/workspace"): {"name": "Changed"},
            ("POST", "/api/members"): {"email": f"{new_id().hex}@goldloop.test", "role": "viewer"},
            ("PATCH", "/api/members/{user_id}"): {"role": "admin"},
            ("POST", "/api/agents"): {"id": self.ids["agent_id"], "slug": "the-target", "name": "Changed"},
            ("PATCH", "/api/agents/{agent_id}"): {"name": "Changed", "active": False},
            ("POST", "/api/keys"): {"id": self.ids["key_id"], "name": "Changed", "role": "viewer"},
            ("POST", "/api/marks/retry"): {"kind": "of-route-fuzz", "key": self.canary},
            **self.record_bodies(),
            **self.conversation_bodies(),
        }
        assert (method, path) in bodies, f"give Target a body for {method} {path}"
        return bodies[method, path]

    def conversation_bodies(self) -> dict[tuple[str, str], dict[str, Any]]:
        project = "/conversations/{tenant}/{project}"
        conversation = f"{project}/{{conversation_id}}"
        turn = f"{conversation}/turns/{{turn_id}}"
        period = {"start": "2000-01-01T00:00:00Z", "end": "2100-01-01T00:00:00Z", "include_turns": True}
        return {
            ("POST", f"{conversation}/turns"): {"turn_id": "another", "user": {"text": "Changed"}},
            ("POST", f"{turn}/feedback"): {"reaction": "neutral"},
            ("POST", f"{turn}/feedback-token"): {},
            ("POST", f"{conversation}/turns-with-feedbacks"): {},
            ("POST", f"{project}/feedback/conversations-in-period"): period,
            ("POST", "/api/reactions/{reaction_id}/settle"): {"turn_id": self.ids["turn_id"]},
        }

    def record_bodies(self) -> dict[tuple[str, str], dict[str, Any]]:
        ids, entity = self.ids, "/api/entities/{entity_id}"
        response = f"{entity}/responses/{{response_id}}"
        values = {"name": "Changed"}
        edge = {"id": ids["relation_id"], "field_key": "parent", "target_id": ids["entity_id"]}
        return {
            ("POST", "/api/entity-types"): {"slug": ids["slug"], "name": "Changed", "json_schema": COMPANY},
            ("PATCH", "/api/entity-types/{slug}"): {"version": 1, "name": "Changed"},
            ("POST", "/api/entities"): {"id": ids["entity_id"], "type": ids["slug"], "title": "Changed"},
            ("PATCH", entity): {"version": 2, "title": "Changed"},
            ("POST", f"{entity}/relations"): edge,
            ("POST", f"{entity}/fields/{{field}}/undo"): {},
            ("POST", "/api/criteria-sets"): {
                "id": ids["set_id"],
                "slug": "of-route-fuzz",
                "name": "Changed",
                "kind": "assessment",
                "dimensions": RUBRIC,
            },
            ("PATCH", "/api/criteria-sets/{set_id}"): {"version": 1, "name": "Changed"},
            ("POST", f"{entity}/responses"): {"values": values},
            ("PATCH", response): {"status": "rejected", "review_notes": "Changed"},
            ("POST", f"{response}/promote"): {"fields": ["name"]},
            ("POST", f"{response}/promote/preview"): {"fields": ["name"]},
            ("PUT", "/api/claims/settings"): {
                "source_type": ids["slug"],
                "criteria_set": "of-route-fuzz",
                "relation_field": "parent",
            },
            ("POST", "/api/views"): {"id": ids["view_id"], "slug": "v", "name": "Changed", "blocks": []},
            ("PATCH", "/api/views/{view_id}"): {"version": 1, "name": "Changed"},
            ("POST", "/api/knowledge-suites/{suite}/runs"): {"id": ids["run_id"]},
            TOOL: {"entityId": ids["entity_id"], "values": values, "promoteFields": ["name"]},
        }


async def make_records(workspace: Workspace, canary: str) -> dict[str, str]:
    """A record that has all that a record can have, under a type with a slug of its own."""
    desk = await make_desk(workspace)
    slug = f"t{canary[::-1]}"  # strangers say it themselves
    await desk.make_type(slug, name=canary, field_configs={"parent": {"relation": {"target_type": slug}}})
    dimensions = [{"key": "name", "label": canary, "type": "text"}, *RUBRIC]
    made = await desk.make_set("of-route-fuzz", name=canary, dimensions=dimensions)
    record = await desk.make_record({"summary": canary}, type=slug, title=canary)
    values = {"name": canary, "team": 3}
    response = await desk.submit(record, values, criteria_set_id=made["id"])
    await desk.promote(response, "name")
    edge = {"field_key": "parent", "target_id": (await desk.make_record(type=slug, title=canary))["id"]}
    relation = ok(await desk.contributor.post(f"/api/entities/{record['id']}/relations", json=edge))
    child = await desk.make_record(type=slug, title=canary)
    edge = {"field_key": "parent", "target_id": record["id"]}
    ok(await desk.contributor.post(f"/api/entities/{child['id']}/relations", json=edge))
    scope = {"type": "relation", "fieldKey": "parent"}
    edges = await desk.make_set("edges-of-route-fuzz", name=canary, entity_type_slugs=[slug], scope=scope)
    await desk.submit(child, {record["id"]: {"team": 3}}, criteria_set_id=edges["id"])
    words = {"source_type": slug, "criteria_set": "of-route-fuzz", "relation_field": "parent"}
    ok(await desk.admin.put("/api/claims/settings", json=words))
    new_view = {"slug": "v", "name": canary, "blocks": [{"type": "text", "text": canary}]}
    view = ok(await desk.admin.post("/api/views", json=new_view))
    library = Library(desk=desk)
    await library.make_type()
    await library.add({**BAD[KnowledgeDimension.TENANT_ISOLATION], "title": canary})
    run = await library.score()
    return {
        "suite": run["suite"],
        "run_id": run["id"],
        "entity_id": record["id"],
        "response_id": response["id"],
        "relation_id": relation["id"],
        "set_id": made["id"],
        "edge_set_id": edges["id"],
        "view_id": view["id"],
        "slug": slug,
        "field": "name",
        "tool_name": "submitResponse",
    }


async def make_conversation(workspace: Workspace, canary: str) -> dict[str, str]:
    """A turn with a reaction to it, and a machine reaction that nobody has settled. Strangers say the ids themselves."""
    client = await workspace.client()
    ids = {"tenant": workspace.slug, "project": "P", "conversation_id": "c", "turn_id": "t"}
    path = f"/conversations/{workspace.slug}/P/c/turns"
    turn = {"turn_id": "t", "user": {"text": canary}, "user_id": "u", "turn_log": {"said": canary}}
    message = {"turn_id": "m", "user": {"text": canary}, "user_id": "u"}
    ok(await client.post(path, json=[turn, message], params={"gate": "false"}))
    ok(await client.post(f"{path}/t/feedback", json={"reaction": "ok", "text": canary}))
    ids["reaction_id"] = str(await make_unsettled(workspace, canary))
    return ids


async def make_unsettled(workspace: Workspace, text: str) -> UUID:
    """Read from the message of turn `m` of the conversation `c` of the project `P`."""
    async with workspace.db.tx(workspace.system) as tx:
        scene = await machine.find_scene(tx, "P", "c", "m")
        assert scene is not None
        found = Detection(reaction="not_ok", confidence=0.9, evidence=text)
        target = TurnTarget(turn_id=None, conversation_id=None, decision="undecided", candidates=[])
        assert await machine.write(tx, scene, found, target)
        made: UUID = await tx.fetchval("SELECT id FROM conv_messages WHERE state = 'unsettled' LIMIT 1")
        return made


@pytest_asyncio.fixture
async def superuser(data_dir: Path, database_url: str) -> AsyncIterator[Any]:
    connection = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def target(workspace: Workspace, db: Database, superuser: Any) -> AsyncIterator[Target]:
    canary = workspace.slug.removeprefix("t-")  # also in the workspace's name and its owner's address
    async with workspace.db.tx(workspace.system) as tx:
        agent = await agents.create(tx, None, "the-target", f"agent {canary}", canary)
        invited = await members.invite(tx, f"{canary}@goldloop.test", f"member {canary}", Role.VIEWER)
        job = await enqueue(tx, "tenants.record_key_use", {"key_id": str(new_id()), "at": canary})
        await tx.execute("SELECT set_marks('of-route-fuzz', ARRAY[$1])", canary)
    key, _ = await workspace.make_key(name=f"key {canary}")
    yield Target(
        workspace=workspace,
        canary=canary,
        ids={
            "agent_id": str(agent.id),
            "user_id": str(invited.member.user_id),
            "job_id": str(job),
            "key_id": str(key.id),
            **await make_records(workspace, canary),
            **await make_conversation(workspace, canary),
        },
    )
    await superuser.execute("DELETE FROM marks WHERE kind = 'of-route-fuzz'")


async def call(
    app: Any, method: str, path: str, headers: dict[str, str], body: dict[str, Any] | None
) -> tuple[int, str]:
    """Status and text of a response; of a stream its beginning, after which the client goes away."""
    content = msgspec.json.encode(body) if body is not None else b""
    path, _, query = path.partition("?")
    sent = [{"type": "http.request", "body": content, "more_body": False}]
    got: list[Any] = []
    begun = asyncio.Event()
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
        await asyncio.Event().wait()
        return None

    async def send(message: Any) -> None:
        got.append(message)
        if message["type"] == "http.response.body" and message.get("body"):
            begun.set()

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


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def everything_of(superuser: Any, workspace: Workspace) -> dict[str, list[str]]:
    """All rows of a workspace as text. That a key was used is recorded, so its jobs do not count as a change."""
    names = [
        row["name"]
        for row in await superuser.fetch(
            """
            SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant_id'
            """
        )
    ]
    queries = {name: f"SELECT t::text FROM {name} t WHERE tenant_id = $1 ORDER BY 1" for name in names}
    queries["tenants"] = "SELECT t::text FROM tenants t WHERE id = $1"
    queries["users"] = (
        "SELECT u::text FROM users u JOIN memberships m ON m.account_id = u.id WHERE m.tenant_id = $1 ORDER BY 1"
    )
    queries["jobs"] = """
        SELECT j::text FROM procrastinate.procrastinate_jobs j
        WHERE args ->> 'tenant_id' = $1::uuid::text
          AND NOT (task_name = 'tenants.record_key_use' AND args ->> 'actor' NOT LIKE 'system:%') ORDER BY 1
    """
    del queries["live_watchers"]  # that somebody looks is noted; it says nothing of the workspace
    return {
        name: [row[0] for row in await superuser.fetch(sql, workspace.id)] for name, sql in queries.items()
    }


async def settled(auth: Authenticator) -> None:
    while auth._background:
        await asyncio.gather(*auth._background)


def test_there_are_routes_to_try() -> None:
    assert len(OPERATIONS) > 25
    assert set(OPERATIONS) >= PUBLIC | SESSION_ONLY | ANY_MEMBER


def test_the_routes_that_anybody_may_call_are_those_listed() -> None:
    public = {
        (method, route.path_format)
        for route in build_litestar(None, None, None).routes
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
    for (name, headers), (method, path) in itertools.product(credentials.items(), OPERATIONS):
        if (method, path) in PUBLIC or (method == "HEAD" and ("GET", path) in PUBLIC):
            continue  # a HEAD is answered as a GET is
        status, text = await call(app, method, target.path(path), headers, target.body(method, path))
        assert status == 401, (name, method, path, text)
        assert target.canary not in text, (name, method, path)
    await settled(auth)
    assert await everything_of(superuser, workspace) == before


async def test_methods_that_no_route_documents_answer_nothing_to_a_stranger(target: Target, app: Any) -> None:
    for method, (_, path) in itertools.product(
        ["PUT", "OPTIONS", "HEAD", "TRACE", "PATCH", "DELETE"], OPERATIONS
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
        assert status in (200, 201, 204, 409), (method, path, text)
        if target.canary in text:
            found.add((method, path))
    shown = (
        "/api/agents",
        "/api/jobs",
        "/api/entit",
        "/api/criteria-sets",
        "/api/views",
        "/api/knowledge-runs/{run_id}/results",
    )
    assert found >= {(m, p) for m, p in OPERATIONS if m == "GET" and p.startswith(shown)}
