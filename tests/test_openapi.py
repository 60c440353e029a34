"""The OpenAPI document is kept, complete, and what the server does."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from uuid import UUID
from zlib import crc32

import httpx
import msgspec
import pytest
import pytest_asyncio
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from goldloop.app import build_litestar
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.kit.db import Database
from goldloop.kit.ids import new_id
from goldloop.kit.openapi import openapi_document
from goldloop.kit.queue import enqueue
from goldloop.kit.tools import TOOLS
from goldloop.tenants.model import Role
from tests.artifact_runs.library import BAD, Library
from tests.conversations.chats import make_chats
from tests.factories import Workspace, make_workspace
from tests.feedback.signals import grouped, make_signals
from tests.goldens.judges.bench import make_bench
from tests.goldens.shelf import Shelf
from tests.loops import some
from tests.outside import embedded_outside
from tests.records import Desk, make_desk, ok
from tests.routes import make_retraction, make_webhook
from tests.runtimes.scripted import configured
from tests.sessions.recordings import begin
from tests.tasks.duty import make_task

KEPT = Path(__file__).parents[1] / "web" / "openapi.json"
DOCUMENT = json.loads(
    KEPT.read_text()
)  # what the app says takes a second to make, in every process that collects
OPERATIONS = [
    pytest.param(path, method, operation, id=f"{method.upper()} {path}")
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
]


def test_the_kept_document_is_what_the_app_generates_now() -> None:
    assert openapi_document(build_litestar()) == DOCUMENT, "web/openapi.json is stale: run `make generate`"


def test_the_server_shows_the_same_document(served: "Served") -> None:
    assert served.send(method="GET", url="/openapi.json").json() == DOCUMENT


def patterns(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(pattern := node.get("pattern"), str):
            yield pattern
        for inner in node.values():
            yield from patterns(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from patterns(inner)


def test_no_pattern_lets_a_line_break_through_at_its_end() -> None:
    found = set(patterns(DOCUMENT))
    assert len(found) > 3
    assert not [pattern for pattern in found if not pattern.endswith(r"$(?!\n)")], "use kit/text.whole"


def test_operation_ids_are_unique() -> None:
    ids = [operation["operationId"] for item in DOCUMENT["paths"].values() for operation in item.values()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_an_operation_says_what_it_does_and_each_way_it_fails(
    path: str, method: str, operation: dict[str, Any]
) -> None:
    assert operation["summary"]
    assert operation["tags"]
    public = operation.get("security") == []
    for status, response in some(operation["responses"].items()):
        if int(status) >= 400:
            assert list(response["content"]) == ["application/problem+json"], status
            schema = response["content"]["application/problem+json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}
            assert "`" in response["description"], "names the codes"
    if path.startswith("/api") and not public:
        assert {"401", "403"} <= set(operation["responses"])
    if "requestBody" in operation:
        assert {"400", "413", "415", "422"} <= set(operation["responses"])
        assert list(operation["requestBody"]["content"]) == ["application/json"]


def test_what_needs_no_credentials_says_so() -> None:
    public = {
        (method, path)
        for path, item in DOCUMENT["paths"].items()
        for method, operation in item.items()
        if operation.get("security") == []
    }
    assert public == {
        ("post", "/api/session"),
        ("post", "/api/session/join"),
        ("post", "/api/session/reset"),
        ("get", "/api/sign-in"),
        ("post", "/api/sign-in/{provider}"),
        ("post", "/api/sign-in/{provider}/finish"),
        ("get", "/healthz"),
        ("get", "/readyz"),
    }
    assert DOCUMENT["security"] == [{"key": []}, {"session": []}]


# Strings in requests that no maximum in the document bounds, and what bounds them.
UNBOUNDED: dict[str, str] = {}
_BOUNDS = {"maxLength", "pattern", "format", "enum", "const"}


def _unbounded(schema: dict[str, Any], at: str, inherited: frozenset[str] = frozenset()) -> Iterator[str]:
    """Where a request may hold a list, an object of any keys or a text without a maximum. What is said beside a choice
    holds for each of it."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        schema, at = DOCUMENT["components"]["schemas"][name], name
    bounds = inherited | schema.keys()
    if "*" in (pattern := schema.get("pattern", "")) or "+" in pattern:
        bounds -= {"pattern"}  # it repeats without end
    for choice in [*schema.get("oneOf", []), *schema.get("anyOf", []), *schema.get("allOf", [])]:
        yield from _unbounded(choice, at, bounds & (_BOUNDS | {"maxItems", "maxProperties"}))
    kinds = schema.get("type", [])
    if "array" in kinds and not bounds & {"maxItems"}:
        yield f"{at}: array"
    if "string" in kinds and not bounds & _BOUNDS:
        yield f"{at}: string"
    if "object" in kinds and "properties" not in schema and not bounds & {"maxProperties"}:
        yield f"{at}: object"
    for part in ("items", "additionalProperties"):
        if schema.get(part):
            yield from _unbounded(schema[part], f"{at}/{part}")
    for name, part in schema.get("properties", {}).items():
        yield from _unbounded(part, f"{at}.{name}")


def test_everything_that_a_request_may_hold_has_a_maximum() -> None:
    found = set()
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            at = f"{method.upper()} {path}"
            for media in operation.get("requestBody", {}).get("content", {}).values():
                found |= set(_unbounded(media["schema"], at))
            for parameter in operation.get("parameters", []):
                if parameter["in"] != "path":  # the server bounds addresses
                    found |= set(_unbounded(parameter["schema"], f"{at} {parameter['name']}"))
    for tool in TOOLS.values():
        _, parts = msgspec.json.schema_components([tool.arguments])
        for name, schema in parts.items():
            found |= set(_unbounded(schema, name))
    assert found == UNBOUNDED.keys(), (
        "give it a maximum: msgspec.Meta(max_length=…), QueryParameter(max_length=…)"
    )


def test_a_maximum_is_told_wherever_it_stands() -> None:
    """In a list, beside null, and beside what is left out."""
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["NewApiKey"]["properties"]["scopes"]["oneOf"][0]["maxItems"] == 50
    assert schemas["Promotion"]["properties"]["fields"]["items"]["maxLength"] == 100
    assert schemas["CriteriaSetChange"]["properties"]["entity_type_slugs"]["oneOf"][0]["maxItems"] == 100


NAMES = {"slug", "field", "tool_name", "suite", "tenant", "project", "conversation_id", "turn_id"}  # no ids


class Served:
    """The app in this process, for tests that are not coroutines themselves: Hypothesis runs those."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, client: httpx.AsyncClient, ids: dict[str, list[str]]
    ) -> None:
        self.loop = loop
        self.client = client
        self.ids = ids

    def known_id(self, name: str, generated: str) -> str:
        """For half of the ids and names that could exist, one that does; the same for the same."""
        try:
            number = UUID(generated).int
        except (ValueError, AttributeError):  # no text: a number
            if name not in NAMES:
                return generated
            number = crc32(str(generated).encode())
        return generated if number % 2 else self.ids[name][number // 2 % len(self.ids[name])]

    def send(self, **request: Any) -> httpx.Response:
        return self.loop.run_until_complete(self.client.request(**request))


@pytest_asyncio.fixture(scope="module")
async def served(worker_db: Database, app: Any) -> AsyncIterator[Served]:
    async with make_workspace(worker_db, app) as workspace:
        yield Served(asyncio.get_running_loop(), await workspace.client(Role.OWNER), await _ids(workspace))


async def _erasure_id(workspace: Workspace) -> str:
    """Of a conversation that nobody else asks for."""
    client = await workspace.client()
    turn = {"turn_id": "t", "user": {"text": "hello"}}
    await client.post(f"/conversations/{workspace.slug}/P/erased/turns", json=turn, params={"gate": "false"})
    subject = {"kind": "conversation", "project": "P", "conversation_id": "erased"}
    erasure = (await client.post("/api/erasures", json=subject)).json()
    return str(erasure["id"])


async def _ids(workspace: Workspace) -> dict[str, list[str]]:
    """Ids that exist, so that routes do more than not find what they are asked for."""
    async with workspace.db.tx(workspace.system) as tx:
        jobs = [
            await enqueue(tx, "tenants.record_key_use", {"key_id": str(new_id()), "at": "2026-01-01"})
            for _ in range(3)
        ]
        entries = await tx.fetch("SELECT id FROM events WHERE tenant_id = $1 LIMIT 3", workspace.id)
    return {
        "entry_id": [str(entry["id"]) for entry in entries],
        "agent_id": [str((await workspace.make_agent()).id) for _ in range(3)],
        "key_id": [str((await workspace.make_key())[0].id) for _ in range(3)],
        "user_id": [str(await workspace.make_member(role)) for role in (Role.OWNER, Role.ADMIN, Role.VIEWER)],
        "identity_id": [str(new_id())],
        "job_id": [str(job) for job in jobs],
        **await _record_ids(await make_desk(workspace)),
        **await _conversation_ids(workspace),
        "task_id": [(await make_task(workspace, await workspace.client()))["id"] for _ in range(3)],
        **await _feedback_ids(await make_desk(workspace)),
        "session_id": [(await begin(await workspace.client()))["id"] for _ in range(3)],
        **await _golden_ids(workspace),
        **await _webhook_ids(workspace),
        "erasure_id": [await _erasure_id(workspace)],
        "version": ["1"],
        "seq": ["1"],
        "name": ["model_key"],
        "starter": ["pe-analyst", "sales-ops"],
    }


async def _webhook_ids(workspace: Workspace) -> dict[str, list[str]]:
    made = [await make_webhook(workspace, "A receiver") for _ in range(3)]
    return {name: [each[name] for each in made] for name in ("webhook_id", "delivery_id")}


async def _golden_ids(workspace: Workspace) -> dict[str, list[str]]:
    shelf = Shelf(workspace, await workspace.client())
    goldens = [await shelf.promoted(set=name) for name in ("a", "b", "c")]
    agent = await configured(workspace, "replayed")
    runs = [await shelf.start_run(golden, agent) for golden in goldens]
    experiments = [await shelf.start_experiment(golden, agent) for golden in goldens]
    archives = [ok(await shelf.admin.post("/api/archives", json={}))["id"]]
    retracted = await make_retraction(shelf.admin, "wrong", goldens[0]["sessionId"])
    return {
        "golden_id": [golden["sessionId"] for golden in goldens],
        "golden_set_id": [golden["setId"] for golden in goldens],
        "eval_run_id": [run["eval_run_id"] for run in runs],
        **{name: [value] for name, value in (await (await make_bench(workspace)).to_label()).items()},
        "replay_id": [run["replay_id"] for run in runs],
        "experiment_id": [begun["experiment_id"] for begun in experiments],
        "archive_id": archives,
        **{name: [value] for name, value in retracted.items()},
    }


async def _feedback_ids(desk: Desk) -> dict[str, list[str]]:
    outside = embedded_outside(Path(gettempdir()) / "goldloop-openapi")
    signals = await make_signals(desk, await make_chats(desk.workspace, outside))
    groups = await grouped(signals, 4)
    path = f"/api/feedback/groups/{groups[0]['id']}"
    decided = ok(await signals.admin.post(f"{path}/review", json={"status": "reviewed"}))
    rows = [
        ok(
            await desk.admin.post(
                "/api/admin/shared-context", json={"type": "lesson", "content": f"Rule {n}"}
            )
        )
        for n in range(3)
    ]
    held = ok(await desk.admin.get("/api/shared-context/prompt"))
    memory = ok(await desk.admin.post("/api/memories", json={"content": "Likes tables"}))
    return {
        "decision_id": [decided["decision_id"]],
        "row_id": [row["id"] for row in rows],
        "manifest": [held["manifest"]],
        "memory_id": [memory["id"]],
        "feedback_id": [row["id"] for row in await signals.listed()],
        "group_id": [group["id"] for group in groups],
    }


async def _conversation_ids(workspace: Workspace) -> dict[str, list[str]]:
    client = await workspace.client()
    for turn in ("t1", "t2"):
        path = f"/conversations/{workspace.slug}/P/c/turns"
        new_turn = {"turn_id": turn, "user": {"text": "hello"}, "turn_log": {"n": 1}}
        ok(await client.post(path, json=new_turn, params={"gate": "false"}))
        ok(await client.post(f"{path}/{turn}/feedback", json={"reaction": "ok"}))
    return {
        "tenant": [workspace.slug],
        "project": ["P"],
        "conversation_id": ["c"],
        "turn_id": ["t1", "t2"],
        "reaction_id": [str(new_id())],
    }


async def _record_ids(desk: Desk) -> dict[str, list[str]]:
    await desk.make_type(field_configs={"parent": {"relation": {"target_type": "company"}}})
    await desk.make_type("person")
    made = await desk.make_set()
    record, other = await desk.make_record({"name": "Acme"}), await desk.make_record()
    responses = [await desk.submit(record, {"name": f"Name {n}", "employees": n}) for n in range(3)]
    await desk.submit(record, {"team": 4}, criteria_set_id=made["id"])
    await desk.promote(responses[0], "name")
    edge = {"field_key": "parent", "target_id": other["id"]}
    relation = ok(await desk.contributor.post(f"/api/entities/{record['id']}/relations", json=edge))
    view = ok(await desk.admin.post("/api/views", json={"slug": "v", "name": "V", "blocks": []}))
    saved = ok(await desk.admin.post("/api/saved-lists", json={"name": "L", "query": {}, "shared": True}))
    library = Library(desk=desk)
    await library.make_type()
    await library.add({**BAD[KnowledgeDimension.TENANT_ISOLATION], "title": "Bad"})
    run = await library.score()
    return {
        "entity_id": [record["id"], record["id"], other["id"]],
        "response_id": [response["id"] for response in responses],
        "set_id": [made["id"], responses[0]["criteria_set_id"]],
        "relation_id": [relation["id"]],
        "view_id": [view["id"]],
        "list_id": [saved["id"]],
        "run_id": [run["id"]],
        "suite": [run["suite"]],
        "slug": ["company", "person"],
        "field": ["name", "employees", "gone"],
        "tool_name": ["submitResponse"],
    }


EXAMPLES = 5  # drawn; the bounds of every schema are tried one by one before them
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
# A stream has no end at which a response could be validated; tests/live has tests of its own for it, and
# tests/test_route_fuzz.py asks who may open one.
NOT_FUZZED = {"GET /api/events"}


FUZZING = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def one_operation(path: str, method: str) -> Any:
    only = {path: {method: DOCUMENT["paths"][path][method]}}
    described = schemathesis.openapi.from_dict(
        {**DOCUMENT, "paths": only}, config=schemathesis.Config(seed=1)
    )
    described.config.generation.update(with_security_parameters=False)  # the tests send a key of their own
    return described


@pytest.mark.parametrize(("path", "method", "operation"), [o for o in OPERATIONS if o.id not in NOT_FUZZED])
def test_the_server_does_what_the_document_says(
    path: str, method: str, operation: dict[str, Any], served: Served
) -> None:
    """What to try is worked out here, by the process that runs it: it takes seconds for all of them, and Schemathesis's
    own way of asking for tests does so in every process that collects."""
    tried = []

    def ask(case: schemathesis.Case[Any]) -> None:
        tried.append(case)
        for name, value in (case.path_parameters or {}).items():
            case.path_parameters[name] = served.known_id(name, value)
        request = case.as_transport_kwargs(base_url=str(served.client.base_url))
        headers = {k: v.encode("latin-1") for k, v in dict(request.pop("headers")).items()}
        assert not request.pop("cookies", None), "no operation takes a cookie but the session's"
        content = request.pop("data", None)
        response = served.send(**request, headers=headers, content=content)
        too_large = response.status_code == 413  # refused before anybody reads what is in it
        checks = [check for check in CHECKS if not (too_large and check is negative_data_rejection)]
        case.validate_response(response, checks=checks)

    load_all_checks()
    described = one_operation(path, method)
    build_operation_test(
        config=described.config,
        operation=described[path][method.upper()],
        test_func=ask,
        given_kwargs={},
        feedback=NO_FEEDBACK,
        explicit_settings=FUZZING,
    )()
    assert tried


def test_one_operation_is_not_fuzzed_and_no_other() -> None:
    assert {operation.id for operation in OPERATIONS} > NOT_FUZZED
    assert len(NOT_FUZZED) == 1
