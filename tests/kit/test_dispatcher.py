"""A request reaches its handler, or is refused, as Litestar itself would have it: the two are asked the same."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

import httpx
import msgspec
import pytest
from litestar import Litestar, Response, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter, SkipValidation

from goldloop.kit.asgi import RequestMiddleware
from goldloop.kit.dispatcher import Dispatcher
from goldloop.kit.errors import Conflict
from goldloop.kit.http import JsonRequest, PathId, Wire, render_error

ID = "01a1ef17-c2db-7584-a85b-938b3c861b5c"


class Thing(Wire, frozen=True):
    name: Annotated[str, msgspec.Meta(max_length=5)]
    size: int = 0


class Shown(msgspec.Struct, frozen=True):
    given: Any


@get("/things/{thing_id:uuid}")
async def show(thing_id: PathId) -> Shown:
    return Shown([str(thing_id), type(thing_id).__name__])


@get("/things/named")
async def named() -> Shown:
    return Shown("the static one")


@get("/things/{thing_id:uuid}/parts/{part:str}")
async def part(thing_id: PathId, part: FromPath[str]) -> Shown:
    return Shown([str(thing_id), part])


@get("/asked")
async def asked(
    needed: FromQuery[int],
    limit: Annotated[int, QueryParameter(ge=1, le=200)] = 50,
    tags: FromQuery[list[str] | None] = None,
    since: Annotated[str | None, QueryParameter(name="from")] = None,
) -> Shown:
    return Shown([needed, limit, tags, since])


@post("/things")
async def make(
    data: JSONBody[Thing],
    idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
) -> Shown:
    return Shown([data.name, data.size, idempotency_key])


@delete("/things/{thing_id:uuid}")
async def remove(thing_id: PathId) -> None: ...


@get("/own")
async def own() -> Response[bytes]:
    return Response(b"bytes", media_type="text/plain", headers={"X-Own": "1"}, status_code=203)


@post("/made")
async def made(again: FromQuery[bool] = False) -> Response[Shown]:
    return Response(Shown("made"), status_code=200 if again else None)


@post("/made/{how:str}")
async def made_with(how: FromPath[str]) -> Response[Any]:
    how_to_say: dict[str, dict[str, Any]] = {
        "headers": {"headers": {"X-Own": "1"}},
        "cookies": {"cookies": {"own": "1"}},
        "encoder": {"type_encoders": {Shown: lambda shown: ["encoded", shown.given]}},
        "json": {"media_type": "application/json"},
        "text": {"media_type": "text/plain"},
        "bodiless": {"status_code": 204},
    }
    content = {"text": "a text", "json": "a text", "bodiless": None}.get(how, Shown(how))
    return Response(content, **how_to_say[how])


@get("/raw")
async def raw() -> Shown:
    return b'{"given": "written elsewhere"}'  # type: ignore[return-value]


@get("/fails")
async def fails() -> Shown:
    raise ZeroDivisionError


@get("/conflicts")
async def conflicts() -> Shown:
    raise Conflict("It is taken")


HANDLERS = [show, named, part, asked, make, remove, own, made, made_with, raw, fails, conflicts]


def _litestar() -> Litestar:
    return Litestar(
        route_handlers=HANDLERS,
        request_class=JsonRequest,
        exception_handlers={Exception: render_error, HTTPException: render_error},
        request_max_body_size=1000,
        openapi_config=None,
        logging_config=None,
        pdb_on_exception=False,
    )


async def _let_in(*_: Any) -> None: ...


async def _ask(app: Any, method: str, address: str, **how: Any) -> httpx.Response:
    transport = httpx.ASGITransport(app=RequestMiddleware(app), raise_app_exceptions=False)
    same = {"X-Request-Id": "asked"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://goldloop.test", headers=same
    ) as client:
        return await client.request(method, address, **how)


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "address", "how", "status"),
    [
        ("GET", f"/things/{ID}", {}, 200),
        ("GET", f"/things/{ID}/", {}, 200),
        ("GET", f"/things//{ID}", {}, 200),
        ("GET", "/things/named", {}, 200),
        ("GET", "/things/no-uuid", {}, 404),
        ("GET", f"/things/{ID}/parts/a%2Fb", {}, 404),
        ("GET", f"/things/{ID}/parts/ab", {}, 200),
        ("GET", f"/things/{ID}/parts/%C3%A9", {}, 200),
        ("GET", "/nothing", {}, 404),
        ("GET", "/", {}, 404),
        ("PUT", f"/things/{ID}", {}, 405),
        ("OPTIONS", f"/things/{ID}", {}, 204),
        ("DELETE", f"/things/{ID}", {}, 204),
        ("GET", "/asked", {}, 422),
        ("GET", "/asked?needed=", {}, 422),
        ("GET", "/asked?needed=7", {}, 200),
        ("GET", "/asked?needed=7&needed=8", {}, 200),
        ("GET", "/asked?needed=7&tags=a&tags=b&from=x%20y", {}, 200),
        ("GET", "/asked?needed=7&limit=0", {}, 422),
        ("GET", "/asked?needed=7&limit=no&unknown=1", {}, 422),
        ("POST", "/things", {"content": b'{"name": "a"}', "headers": JSON}, 201),
        ("POST", "/things", {"content": b'{"name": "a"}', "headers": JSON | {"Idempotency-Key": "k"}}, 201),
        ("POST", "/things", {"content": b'{"name": "a", "more": 1}', "headers": JSON}, 422),
        ("POST", "/things", {"content": b'{"name": "longer"}', "headers": JSON}, 422),
        ("POST", "/things", {"content": b"{", "headers": JSON}, 400),
        ("POST", "/things", {"content": b"", "headers": JSON}, 422),
        ("POST", "/things", {"content": b"x" * 2000, "headers": JSON}, 413),
        ("POST", "/things", {"content": b"a=1", "headers": {"Content-Type": "text/plain"}}, 415),
        ("GET", "/own", {}, 203),
        ("POST", "/made", {}, 201),
        ("POST", "/made?again=true", {}, 200),
        ("POST", "/made/headers", {}, 201),
        ("POST", "/made/cookies", {}, 201),
        ("POST", "/made/encoder", {}, 201),
        ("POST", "/made/json", {}, 201),
        ("POST", "/made/text", {}, 201),
        ("POST", "/made/bodiless", {}, 204),
        ("GET", "/raw", {}, 200),
        ("GET", "/fails", {}, 500),
        ("GET", "/conflicts", {}, 409),
        ("GET", "/things/named", {"headers": {"Host": "no host/at all"}}, 400),
    ],
)
async def test_it_answers_as_litestar_does(
    method: str, address: str, how: Mapping[str, Any], status: int
) -> None:
    expected = await _ask(_litestar(), method, address, **how)
    answer = await _ask(Dispatcher(_litestar(), _let_in, lambda *_: {}), method, address, **how)
    assert answer.status_code == expected.status_code == status
    assert answer.content == expected.content
    assert dict(answer.headers) == dict(expected.headers)


async def test_who_is_not_let_in_is_not_read() -> None:
    async def refuse(*_: Any) -> None:
        raise Conflict("Nobody comes in")

    async def body() -> Any:
        raise AssertionError("the body was read")
        yield b""

    app = Dispatcher(_litestar(), refuse, lambda *_: {})
    answer = await _ask(app, "POST", "/things", content=body(), headers=JSON)
    assert answer.status_code == 409


async def test_what_is_the_same_for_every_request_is_chosen_by_route_and_method() -> None:
    @get("/shared")
    async def shared(db: NamedDependency[SkipValidation[Any]]) -> Shown:
        return Shown(db)

    nobody = Provide(lambda: None, sync_to_thread=False)
    app = Litestar(
        route_handlers=[shared], dependencies={"db": nobody}, openapi_config=None, logging_config=None
    )
    lent = Dispatcher(app, _let_in, lambda handler, method: {"db": [handler.handler_name[-6:], method]})
    assert (await _ask(lent, "GET", "/shared")).json() == {"given": ["shared", "GET"]}


async def test_a_uuid_of_the_address_is_one() -> None:
    answer = await _ask(Dispatcher(_litestar(), _let_in, lambda *_: {}), "GET", f"/things/{ID.upper()}")
    assert answer.json() == {"given": [str(UUID(ID)), "UUID"]}
