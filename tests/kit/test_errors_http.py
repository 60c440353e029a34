"""Whatever goes wrong with a request is a problem response that says what and where."""

from typing import Annotated, Any
from uuid import UUID

import asyncpg
import httpx
import msgspec
import pytest
from litestar import Litestar, Request, get
from litestar.exceptions import HTTPException
from litestar.params import FromQuery, QueryParameter

from goldloop.app import build_app
from goldloop.kit.db import Database
from goldloop.kit.errors import (
    Conflict,
    GoldloopError,
    InvalidInput,
    MalformedRequest,
    NotFound,
    Unavailable,
)
from goldloop.kit.http import Wire, as_goldloop_error, decode_body, problem_specs, render_error
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import KeyExists, Role
from tests.factories import Workspace

PROBLEM = "application/problem+json"


class Part(Wire, frozen=True):
    name: Annotated[str, msgspec.Meta(max_length=5)]
    size: int = 0


class Whole(Wire, frozen=True):
    part: Part
    id: UUID | None = None
    parts: list[Part] = msgspec.field(default_factory=list)
    by_name: dict[str, Part] = msgspec.field(default_factory=dict)
    grid: list[list[int]] = msgspec.field(default_factory=list)
    anything: Any = None


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [
        ("null", "", "invalid_value"),
        ("[]", "", "invalid_value"),
        ('"text"', "", "invalid_value"),
        ("{}", "/part", "missing"),
        ('{"part": null}', "/part", "invalid_value"),
        ('{"part": {}}', "/part/name", "missing"),
        ('{"part": {"name": 1}}', "/part/name", "invalid_value"),
        ('{"part": {"name": "too long"}}', "/part/name", "invalid_value"),
        ('{"part": {"name": "a", "size": "1"}}', "/part/size", "invalid_value"),  # text is no number
        ('{"part": {"name": "a", "size": 1.5}}', "/part/size", "invalid_value"),
        ('{"part": {"name": "a", "size": true}}', "/part/size", "invalid_value"),
        ('{"part": {"name": "a"}, "id": "not-an-id"}', "/id", "invalid_value"),
        ('{"part": {"name": "a"}, "parts": {}}', "/parts", "invalid_value"),
        ('{"part": {"name": "a"}, "parts": [{"name": "a"}, {"name": 2}]}', "/parts/1/name", "invalid_value"),
        ('{"part": {"name": "a"}, "parts": [{"name": "a"}, {}]}', "/parts/1/name", "missing"),
        ('{"part": {"name": "a"}, "parts": [{"name": "a", "x": 1}]}', "/parts/0/x", "unknown_field"),
        ('{"part": {"name": "a"}, "grid": [[1], [2, "3"]]}', "/grid/1/1", "invalid_value"),
        # The key of a mapping is not told, so the fault is at the mapping.
        ('{"part": {"name": "a"}, "by_name": {"k": {"name": 1}}}', "/by_name", "invalid_value"),
        ('{"part": {"name": "a"}, "extra": 1}', "/extra", "unknown_field"),
        ('{"part": {"name": "a"}, "a/b~c": 1}', "/a~1b~0c", "unknown_field"),
        ('{"part": {"name": "a"}, "tick`s": 1}', "/tick`s", "unknown_field"),
        ('{"part": {"name": "a"}, "": 1}', "/", "unknown_field"),
    ],
)
def test_a_fault_in_a_body_is_found_by_its_json_pointer(body: str, path: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode_body(body.encode(), Whole)
    assert [(f.path, f.code) for f in refused.value.errors] == [(path, code)]
    assert " - at " not in refused.value.errors[0].message


NUMBERS = {
    b"1e50": True,
    b"-1e50": True,
    b"1e-50": True,
    b"-1e-50": True,
    b"0": True,
    b"-0.0": True,
    b"0e99": True,
    b"1" + b"0" * 50: True,  # as PostgreSQL writes 1e50
    b"0." + b"0" * 49 + b"1": True,
    b"0." + b"3" * 400: True,
    b"9" * 51: False,
    b"-" + b"9" * 51: False,
    b"9" * 4000: False,
    b"1.1e50": False,
    b"1E+51": False,
    b"1e-51": False,
    b"-1e-308": False,
    b"1e308": False,
    b"5e-324": False,
    b"1234567890123456789012345678901234567890123456e9": False,
    b"0." + b"0" * 60 + b"1": False,
}


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:25].decode())
def test_a_number_out_of_range_is_refused_by_place(number: bytes) -> None:
    body = b'{"part": {"name": "a"}, "anything": {"a/b": [1, [%s], "1e99"]}}' % number
    if NUMBERS[number]:
        assert decode_body(body, Whole).anything["a/b"][1] == [msgspec.json.decode(number)]
        return
    with pytest.raises(InvalidInput) as refused:
        decode_body(body, Whole)
    assert [(f.path, f.code) for f in refused.value.errors] == [("/anything/a~1b/1/0", "number_out_of_range")]
    with pytest.raises(InvalidInput):
        decode_body(number, Any)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{'part': 1}",
        b'{"part": {"name": "a"}} x',
        b'{"part": {"name": "\xff"}}',
        b'{"part": {"name": "\\ud800"}}',  # half of a surrogate pair is no character
        b"\x00",
    ],
)
def test_what_is_no_json_is_malformed(body: bytes) -> None:
    with pytest.raises(MalformedRequest):
        decode_body(body, Whole)


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (NotFound("gone"), 404, "not_found"),
        (KeyExists(), 409, "key_exists"),
        (HTTPException(status_code=404), 404, "not_found"),
        (HTTPException(status_code=405), 405, "method_not_allowed"),
        (HTTPException(status_code=413), 413, "request_too_large"),
        (HTTPException(status_code=415), 415, "unsupported_media_type"),
        (HTTPException(status_code=400), 400, "malformed_request"),
        (HTTPException(status_code=418), 500, "internal_error"),
        (asyncpg.UntranslatableCharacterError("u+0000"), 422, "invalid_input"),
        (asyncpg.CharacterNotInRepertoireError("u+0000"), 422, "invalid_input"),
        (asyncpg.ConnectionDoesNotExistError("gone"), 503, "unavailable"),
        (asyncpg.CannotConnectNowError("starting"), 503, "unavailable"),
        (asyncpg.DeadlockDetectedError("each other"), 503, "unavailable"),
        (asyncpg.InterfaceError("connection is closed"), 503, "unavailable"),
        (asyncpg.InterfaceError("wrong arguments"), 500, "internal_error"),
        (ConnectionRefusedError(), 503, "unavailable"),
        (TimeoutError(), 503, "unavailable"),
        (ValueError("a secret detail"), 500, "internal_error"),
    ],
)
def test_every_exception_has_a_status_and_a_code(raised: Exception, status: int, code: str) -> None:
    known = as_goldloop_error(raised)
    assert (known.status, known.code) == (status, code)


@pytest.mark.parametrize(
    ("raised", "status"), [(ValueError("a secret detail"), 500), (OSError("a secret detail"), 503)]
)
async def test_an_unexpected_failure_tells_nothing_of_its_inside(raised: Exception, status: int) -> None:
    @get("/")
    async def fails() -> None:
        raise raised

    app: Any = Litestar(
        [fails], exception_handlers={Exception: render_error}, openapi_config=None, logging_config=None
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:
        answer = await client.get("/")
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
    assert "secret" not in answer.text


async def test_a_problem_has_all_its_members_and_its_headers() -> None:
    @get("/")
    async def fails(request: Request[Any, Any, Any]) -> None:
        raise Conflict("Two of them", conflict={"id": "1"}, headers={"Retry-After": "3"})

    app: Any = Litestar(
        [fails], exception_handlers={Exception: render_error}, openapi_config=None, logging_config=None
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:
        answer = await client.get("/")
    assert answer.headers["retry-after"] == "3"
    assert answer.json() == {
        "type": "urn:goldloop:problem:conflict",
        "title": Conflict.title,
        "status": 409,
        "detail": "Two of them",
        "code": "conflict",
        "conflict": {"id": "1"},
    }


async def test_a_parameter_is_named_as_it_is_asked() -> None:
    @get("/")
    async def find(
        start: Annotated[str, QueryParameter(name="from", min_length=1)],
        row_id: Annotated[UUID | None, QueryParameter(name="rowId")] = None,
        most: FromQuery[int] = 1,
    ) -> None: ...

    app: Any = Litestar(
        [find], exception_handlers={HTTPException: render_error}, openapi_config=None, logging_config=None
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:
        for query, path in (
            ("", "/from"),
            ("from=", "/from"),
            ("from=a&rowId=b", "/rowId"),
            ("from=a&most=b", "/most"),
        ):
            assert _first(await client.get(f"/?{query}"))[0] == path, query


def test_errors_of_one_status_share_one_entry_in_the_description() -> None:
    specs = problem_specs(Unavailable, KeyExists, Conflict, Conflict)
    assert list(specs) == [409, 503]
    assert specs[409].description.split("; ") == [
        f"`key_exists`: {KeyExists.title}",
        f"`conflict`: {Conflict.title}",
    ]


def test_an_error_without_words_of_its_own_says_its_title() -> None:
    assert GoldloopError().problem().detail == GoldloopError.title


def _first(answer: httpx.Response) -> tuple[str, str]:
    (fault,) = answer.json()["errors"]
    return fault["path"], fault["code"]


async def test_a_wrong_body_answers_422_with_the_place(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    cases: list[tuple[str, dict[str, Any], tuple[str, str]]] = [
        ("/api/agents", {"slug": 1, "name": "a"}, ("/slug", "invalid_value")),
        ("/api/agents", {"slug": "a"}, ("/name", "missing")),
        ("/api/agents", {"slug": "a", "name": "a", "nmae": "b"}, ("/nmae", "unknown_field")),
        ("/api/agents", {"slug": "a\n", "name": "a"}, ("/slug", "invalid_value")),
        ("/api/agents", {"slug": "A", "name": "a"}, ("/slug", "invalid_value")),
        ("/api/agents", {"slug": "a", "name": " "}, ("/name", "invalid_value")),
        ("/api/keys", {"name": "a", "role": "king"}, ("/role", "invalid_value")),
        ("/api/keys", {"name": "a", "role": "viewer", "scopes": ["*.team.read", 5]}, ("/scopes/1", "invalid_value")),
        ("/api/keys", {"name": "a", "role": "viewer", "expires_at": "2999-01-01T00:00:00"}, ("/expires_at", "invalid_value")),
    ]  # fmt: skip
    for address, body, fault in cases:
        answer = await admin.post(address, json=body)
        assert (answer.status_code, answer.headers["content-type"]) == (422, PROBLEM), body
        assert _first(answer) == fault, body


@pytest.mark.parametrize("content", [b"{", b'{"slug":"\xff"}', b"not json"])
async def test_a_body_that_is_no_json_answers_400(workspace: Workspace, content: bytes) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post("/api/agents", content=content, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")


async def test_a_missing_body_answers_422_and_says_so(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post("/api/agents")
    assert (answer.status_code, _first(answer)) == (422, ("", "missing"))


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 201),
        ("application/json; charset=utf-8", 201),
        ("Application/JSON", 201),
        ("application/vnd.api+json", 201),
        ("text/plain", 415),  # what a form of another site can send without asking first
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/msgpack", 415),
    ],
)
async def test_bodies_are_json_and_say_so(workspace: Workspace, content_type: str, status: int) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post(
        "/api/agents", content=b'{"slug":"a","name":"a"}', headers={"Content-Type": content_type}
    )
    assert answer.status_code == status
    if status == 415:
        assert (answer.json()["code"], answer.headers["content-type"]) == ("unsupported_media_type", PROBLEM)


async def test_a_body_over_the_limit_answers_413_sent_whole_or_in_pieces(
    db: Database, auth: Authenticator, database_url: str, outside: Outside, workspace: Workspace
) -> None:
    small = build_app(db, auth, Feed(db=db, url=database_url, auth=auth), outside, max_body_bytes=1024)
    _, secret = await workspace.make_key(Role.ADMIN)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    async def pieces() -> Any:
        for _ in range(20):
            yield b" " * 100

    async with httpx.AsyncClient(transport=httpx.ASGITransport(small), base_url="http://t") as client:
        for content in (b" " * 1025, pieces()):
            answer = await client.post("/api/agents", content=content, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")
        body = msgspec.json.encode({"slug": "a", "name": "a"})
        fits = await client.post("/api/agents", content=body.ljust(1024), headers=headers)
    assert fits.status_code == 201


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/api", "/api/nothing", f"/api/agents/{UUID(int=7)}/nothing"])
async def test_an_unknown_address_under_api_is_a_problem_and_not_a_page(
    workspace: Workspace, method: str, path: str
) -> None:
    owner = await workspace.client()
    answer = await owner.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)
    assert answer.json()["code"] == "not_found"


async def test_an_id_that_is_none_is_an_unknown_address(workspace: Workspace) -> None:
    owner = await workspace.client()
    answer = await owner.get("/api/agents/not-an-id")
    assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)


async def test_a_method_that_an_address_does_not_take_is_405_with_those_it_does(workspace: Workspace) -> None:
    owner = await workspace.client()
    answer = await owner.put("/api/agents", json={})
    assert (answer.status_code, answer.headers["content-type"]) == (405, PROBLEM)
    assert {"GET", "POST"} <= {m.strip() for m in answer.headers["allow"].split(",")}


@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("POST", "/api/agents", {"slug": "a", "name": "a\x00"}),
        ("POST", "/api/agents", {"slug": "a", "name": "a", "description": "\x00"}),
        ("POST", "/api/keys", {"name": "\x00", "role": "viewer"}),
        ("POST", "/api/members", {"email": "a\x00@goldloop.test", "role": "viewer"}),
        ("POST", "/api/members", {"email": "b@goldloop.test", "role": "viewer", "name": "\x00"}),
        ("PATCH", "/api/workspace", {"name": "\x00"}),
        ("POST", "/api/marks/retry", {"kind": "\x00", "key": "a"}),
        ("POST", "/api/session", {"email": "a\x00@goldloop.test", "password": "a"}),
        ("POST", "/api/session/join", {"token": "\x00", "name": "\x00", "password": "long enough \x00"}),
    ],
)
async def test_a_nul_character_in_text_is_the_clients_mistake(
    workspace: Workspace, method: str, address: str, body: dict[str, Any]
) -> None:
    owner = await workspace.client()
    answer = await owner.request(method, address, json=body)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == PROBLEM
    places = {f"/{name}" for name, value in body.items() if "\x00" in value}
    assert {(fault["path"], fault["code"]) for fault in answer.json()["errors"]} == {
        (place, "nul_character") for place in places
    }


async def test_a_nul_character_is_refused_by_place_however_deep_it_is_and_in_keys_too(
    workspace: Workspace,
) -> None:
    owner = await workspace.client()
    schema = {
        "type": "object",
        "properties": {"a": {"title": "\x00", "enum": ["b", "c\x00"]}, "d~/\x00": {}},
    }
    answer = await owner.post("/api/entity-types", json={"slug": "thing", "name": "T", "json_schema": schema})
    assert answer.status_code == 422
    assert [(fault["path"], fault["code"]) for fault in answer.json()["errors"]] == [
        ("/json_schema/properties/d~0~1\x00", "nul_character"),
        ("/json_schema/properties/a/title", "nul_character"),
        ("/json_schema/properties/a/enum/1", "nul_character"),
    ]
    assert (await owner.get("/api/entity-types/thing")).status_code == 404


async def test_text_that_only_spells_the_escape_is_kept(workspace: Workspace) -> None:
    owner = await workspace.client()
    answer = await owner.post(
        "/api/agents", json={"slug": "a", "name": "a", "description": "write \\u0000 for it"}
    )
    assert answer.json()["description"] == "write \\u0000 for it"


@pytest.mark.parametrize(
    ("method", "address", "path"),
    [
        ("GET", "/api/entities?q=a%00b", "/q"),
        ("GET", "/api/entities?q=b&q=%00", "/q"),
        ("GET", "/api/entity-types/a%00", "/slug"),
        ("GET", "/api/conversations/P%00/c", "/project"),
        ("GET", "/api/events?tenant=%00", "/tenant"),
        ("POST", "/conversations/%00/P/c/turns/t/feedback-token", "/tenant"),
        ("GET", "/assets/%00", "/_path"),
    ],
)
async def test_a_nul_character_in_an_address_is_refused_by_place(
    workspace: Workspace, method: str, address: str, path: str
) -> None:
    owner = await workspace.client()
    answer = await owner.request(method, address)
    assert (answer.status_code, _first(answer)) == (422, (path, "nul_character"))


async def test_a_nul_character_in_a_header_is_refused_by_place(workspace: Workspace) -> None:
    person = await workspace.signed_in()
    answer = await person.get("/api/workspace", headers={"X-Goldloop-Tenant": "a\x00"})
    assert (answer.status_code, _first(answer)) == (422, ("/x-goldloop-tenant", "nul_character"))


@pytest.mark.parametrize(
    "content", [rb'{"slug":"a","name":"\ud800"}', rb'{"slug":"a","name":"\udc00\ud800 b"}']
)
async def test_half_of_a_surrogate_pair_is_no_text(workspace: Workspace, content: bytes) -> None:
    owner = await workspace.client()
    answer = await owner.post("/api/agents", content=content, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")


@pytest.mark.parametrize("levels", [101, 973, 979, 1000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b'["]",', b"]")])
async def test_a_body_nested_too_deeply_is_refused(
    workspace: Workspace, levels: int, opening: bytes, closing: bytes
) -> None:
    owner = await workspace.client()
    deep = opening * levels + b"1" + closing * levels
    body = b'{"type":"t","title":"t","content":{"a":' + deep + b"}}"
    answer = await owner.post("/api/entities", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, _first(answer)) == (422, ("", "too_deep"))


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("limit=0", "/limit"),
        ("limit=201", "/limit"),
        ("limit=many", "/limit"),
        ("limit=", "/limit"),
        ("cursor=x", "/cursor"),
        (f"cursor={'a' * 1001}", "/cursor"),
        ("cursor=%00", "/cursor"),
    ],
)
async def test_a_bad_query_parameter_answers_422_with_its_name(
    workspace: Workspace, query: str, path: str
) -> None:
    owner = await workspace.client()
    answer = await owner.get(f"/api/agents?{query}")
    assert answer.status_code == 422, answer.text
    assert _first(answer)[0] == path


SLUGGED: list[tuple[str, dict[str, Any]]] = [
    ("/api/agents", {"name": "a"}),
    ("/api/entity-types", {"name": "a", "json_schema": {"type": "object"}}),
    ("/api/views", {"name": "a", "blocks": []}),
    ("/api/criteria-sets", {"name": "a", "kind": "assessment", "dimensions": []}),
]


@pytest.mark.parametrize(
    ("address", "body"), SLUGGED, ids=lambda value: value if isinstance(value, str) else ""
)
async def test_a_slug_does_not_end_in_a_line_break(
    workspace: Workspace, address: str, body: dict[str, Any]
) -> None:
    owner = await workspace.client()
    answer = await owner.post(address, json={**body, "slug": "x\n"})
    assert answer.status_code == 422
    assert "/slug" in [fault["path"] for fault in answer.json()["errors"]]


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2Jb", "a\x85", "a\u2028b", "a\u202eb", " "])
async def test_a_name_is_one_line_that_reads_in_one_direction(workspace: Workspace, name: str) -> None:
    owner = await workspace.client()
    answers = [
        *[await owner.post(address, json={**body, "slug": "x", "name": name}) for address, body in SLUGGED],
        await owner.post("/api/keys", json={"name": name, "role": "viewer"}),
        await owner.patch("/api/workspace", json={"name": name}),
        await owner.post("/api/members", json={"email": "a@goldloop.test", "role": "viewer", "name": name}),
    ]
    for answer in answers:
        assert answer.status_code == 422, answer.request.url
        assert "/name" in [fault["path"] for fault in answer.json()["errors"]], answer.request.url


async def test_a_description_keeps_its_lines(workspace: Workspace) -> None:
    owner = await workspace.client()
    agent = {"slug": "x", "name": "x", "description": "two\n\tlines"}
    assert (await owner.post("/api/agents", json=agent)).json()["description"] == "two\n\tlines"


async def test_an_idempotency_key_does_not_end_in_a_line_break(workspace: Workspace) -> None:
    owner = await workspace.client()
    answer = await owner.post(f"/api/jobs/{UUID(int=7)}/retry", headers={"Idempotency-Key": "a\n"})
    assert (answer.status_code, _first(answer)) == (422, ("/idempotency_key", "invalid_value"))
