"""The client has a method for each operation of the API that it covers, and says the same as the API does."""

import inspect
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast, get_args, get_origin

import msgspec
import pytest

from goldloop.client import AsyncClient, Client, event_body, turn_body
from goldloop.client.calls import Call, Listing, Operation, Page, Polling, Resource
from tests.loops import some

DOCUMENT = json.loads((Path(__file__).parents[2] / "web" / "openapi.json").read_text())
COVERED = {
    "claims", "workspace", "agents", "keys", "entity types", "records", "saved lists", "criteria sets", "responses", "promotion", "views", "tools", "artifact evals", "conversations", "sessions", "tasks", "population", "feedback", "knowledge", "evals", "inbox", "webhooks", "audit", "chain", "erasures", "archives", "limits"}  # fmt: skip
READ_ONLY = {"members", "jobs"}  # managing people and jobs is for the web UI and the command line
PAGING = {"limit", "cursor"}
ONE_PAGE = {
    "conversations.show",
    "evals.candidates",
    "evals.export",
}  # a page of what is more than a list, or has no next one
Method = Operation[..., Any] | Listing[..., Any] | Polling[Any]
UNSAID = {
    "promotion.preview": {"expected_version"},  # a preview has no use for it
    "sessions.start": {"source", "at", "external_id", "manifest"},  # of sessions that run elsewhere
    "experiments.start": {"dryRun"},
    "experiments.foresee": {"maxCost", "name", "id"},  # what it would use does not depend on these
    "eval_runs.start": {"dryRun"},
    "eval_runs.start_set": {"dryRun"},
    "eval_runs.estimate": {
        "baseline",
        "mode",
        "context",
        "margin",
        "maxCost",
        "trigger",
        "name",
        "commitSha",
        "id",
    },  # what it would use does not depend on these
}
ANSWERED = {
    "eval_runs.start": "202",
    "eval_runs.start_set": "202",
    "experiments.start": "202",
}  # where nothing is only foreseen
TURN = [name for name in inspect.signature(turn_body).parameters if name != "turn_id"]
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def resources(client: Client | AsyncClient) -> dict[str, Resource[Any]]:
    return {name: value for name, value in vars(client).items() if isinstance(value, Resource)}


def methods() -> Iterator[tuple[str, Method]]:
    with Client("http://goldloop.test", "gl_x") as client:
        for group, resource in resources(client).items():
            for name, method in vars(type(resource)).items():
                if isinstance(method, Operation | Listing | Polling):
                    yield f"{group}.{name}", method


METHODS = dict(methods())
OPERATIONS: dict[tuple[str, str], dict[str, Any]] = {
    (method.upper(), path): operation
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}


def address(method: Method) -> tuple[str, str]:
    return method.route.method, method.route.path.replace("@tenant", "{tenant}")


def test_every_covered_operation_has_a_method_and_every_method_an_operation() -> None:
    offered = {
        route
        for route, operation in OPERATIONS.items()
        for tag in operation["tags"]
        if tag in COVERED or (tag in READ_ONLY and route[0] == "GET")
    }
    offered -= {
        ("GET", "/api/conversations/satisfaction.csv"),
        ("GET", "/api/audit/export"),
        ("GET", "/api/audit/events"),
        ("GET", "/api/entities/records.csv"),
        ("GET", "/api/responses/responses.csv"),
        ("GET", "/api/feedback/feedback.csv"),
        ("GET", "/api/admin/shared-context/knowledge.csv"),
        ("GET", "/api/archives/{archive_id}/file"),
    }  # files for people
    assert {address(method) for method in METHODS.values()} == offered


def test_both_clients_have_the_same_methods() -> None:
    blocking = resources(Client("http://goldloop.test", "gl_x"))
    awaiting = resources(AsyncClient("http://goldloop.test", "gl_x"))
    assert {name: type(found) for name, found in blocking.items()} == {
        name: type(found) for name, found in awaiting.items()
    }


SAID = {
    "arguments": {},
    "input": {},
    "events": [event_body("x", {}, at=NOW)],
    "turns": turn_body("x", **{name: cast("Any", "x") for name in TURN}),
    "start": NOW,
    "end": NOW,
    "reacted_start": NOW,
    "reacted_end": NOW,
    "ts": NOW,
    "since": NOW,
    "until": NOW,
}


def described(method: Method) -> Call[Any]:
    """The call with something for every argument."""
    parameters = list(inspect.signature(method.describe).parameters)[1:]
    describe: Any = method.describe
    called: Call[Any] = describe(None, **{name: SAID.get(name, "x") for name in parameters})
    return called


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return dict(DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]])
    if schema.get("type") == "array":
        return resolve(schema["items"])
    choices = [resolve(choice) for choice in schema.get("oneOf", schema.get("anyOf", []))]
    return next((choice for choice in choices if "properties" in choice), schema)


NOT_TOOLS = {
    name: method for name, method in METHODS.items() if method.route.path != "/api/tools/{tool_name}"
}


@pytest.mark.parametrize("name", NOT_TOOLS)
def test_a_method_sends_every_parameter_of_its_operation(name: str) -> None:
    method = NOT_TOOLS[name]
    operation = OPERATIONS[address(method)]
    request = method.route.request(described(method))
    known = {p["name"] for p in operation.get("parameters", []) if p["in"] == "query"}
    assert set(request.query) == known - (set() if name in ONE_PAGE else PAGING)
    assert isinstance(method, Listing) == (known >= PAGING and name not in ONE_PAGE)
    body = request.body[0] if isinstance(request.body, list) else request.body
    sent = set(body) if body is not None else set()
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    assert sent == set(resolve(schema).get("properties", {})) - UNSAID.get(name, set())


@pytest.mark.parametrize("name", NOT_TOOLS)
def test_an_answer_has_every_field_of_its_schema(name: str) -> None:
    method = NOT_TOOLS[name]
    operation = OPERATIONS[address(method)]
    answer = described(method).answer
    status = ANSWERED.get(name) or next(s for s in operation["responses"] if s.startswith("2"))
    content = operation["responses"][status].get("content", {})
    if answer is None:
        assert status == "204"
        return
    schema = resolve(content["application/json"]["schema"])
    if get_origin(answer) is Page:
        (answer,) = get_args(answer)
        schema = resolve(schema["properties"]["data"]["items"])
    for kind in some(get_args(answer) or (answer,)):
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            fields = {field.encode_name for field in msgspec.structs.fields(kind)}
            assert fields == set(schema["properties"])


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("entities.show", True),
        ("entities.list", True),
        ("entities.create", True),
        ("entities.connect", True),
        ("responses.submit", True),
        ("keys.revoke", True),
        ("promotion.preview", True),
        ("keys.create", False),  # its secret is in the first answer only
        ("entities.edit", False),
        ("entities.remove", False),
        ("responses.review", False),
        ("promotion.promote", False),
        ("promotion.undo", False),  # twice would take back two
        ("promotion.undo_response", False),
        ("tools.submit_response", False),
        ("tools.call", False),
        ("sessions.start", True),
        ("sessions.run_again", True),
        ("sessions.answer", False),  # twice would be refused: it waits no more
    ],
)
def test_only_what_does_no_harm_is_sent_twice(name: str, safe: bool) -> None:
    assert METHODS[name].route.safe is safe


def test_the_tool_arguments_are_those_of_the_server() -> None:
    from goldloop.promotion.tools import SubmitResponse

    body = described(METHODS["tools.submit_response"]).body
    assert set(body) == {field.encode_name for field in msgspec.structs.fields(SubmitResponse)}


def test_an_id_in_a_path_cannot_leave_its_place() -> None:
    method: Any = METHODS["entities.history"]
    request = method.route.request(method.describe(None, "../keys", "a/b?c#d"))
    assert request.path == "/api/entities/..%2Fkeys/fields/a%2Fb%3Fc%23d/history"


def test_the_documentation_names_every_method() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "client.md").read_text()
    section = page.partition("## Methods")[2].partition("\n## ")[0]
    table = re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE)
    documented = {f"{group}.{name}" for group, names in table for name in re.findall(r"`(\w+)`", names)}
    assert documented == set(METHODS)
