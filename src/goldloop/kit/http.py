"""The HTTP layer: decoding of request bodies, problem responses, and what routes declare."""

import logging
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

import asyncpg
import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException, InternalServerException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter, SkipValidation
from litestar.response import Stream

from goldloop.kit.db import Database
from goldloop.kit.errors import (
    BeingErased,
    CsrfFailed,
    Fault,
    Forbidden,
    GoldloopError,
    InvalidInput,
    MalformedRequest,
    MethodNotAllowed,
    NotFound,
    Problem,
    RequestTooLarge,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
    UnsupportedMediaType,
)
from goldloop.kit.json_pointer import pointer
from goldloop.kit.numbers import OUT_OF_RANGE, may_be_out_of_range, range_faults
from goldloop.kit.outside import Outside
from goldloop.kit.text import DEEPEST, NO_NUL, is_too_deep, may_hold_nul, mend_json, nul_fault, nul_faults

log = logging.getLogger("goldloop.http")

T = TypeVar("T")

# What handlers are given; `app.py` provides the dependencies by these names.
Db: TypeAlias = NamedDependency[SkipValidation[Database]]  # of a GET: one that only reads
Ports: TypeAlias = NamedDependency[SkipValidation[Outside]]
PathId: TypeAlias = FromPath[UUID]

PROBLEM_JSON = "application/problem+json"
KEEPS_COMPUTED = {
    "keeps_computed": True
}  # of a GET that keeps what it computed: all that it writes could be made again
LEAVES_EVENT = {
    "leaves_event": True
}  # of a GET that carries data away: that somebody did so is a fact of the log
MENDS_TEXT = {"mends_text": True}  # of a route that would rather lose a character than an event

BEING_ERASED = "GL001"  # what `refuse_erased` raises
_DATABASE_AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.InsufficientResourcesError,  # connections, disk or memory
    asyncpg.InternalClientError,  # the server's goodbye reached an idle connection that was just picked up
    OSError,
    TimeoutError,
)


_AT = re.compile(r" - at (?:`key` in )?`(?P<path>[^`]*)`\Z")
_MISSING = re.compile(r"Missing required \w+ parameter '(?P<name>[^']*)'")
_FIELD = re.compile(r"(?:missing required field|contains unknown field) `(?P<field>.*)`\Z", re.DOTALL)


class Wire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of request bodies: typed, and an unknown field is an error."""


class JsonRequest(Request[Any, Any, Any]):
    """Reads a body as JSON of exactly the type that the handler takes; a fault says where it is not. A route may have
    errors of its own for faults at a pointer (`refusals`)."""

    async def json(self) -> Any:
        kind = self.content_type[0].lower()
        if kind and kind != "application/json" and not kind.endswith("+json"):
            raise UnsupportedMediaType
        field = self.route_handler.parsed_data_field
        body = await self.body()
        if self.route_handler.opt.get("mends_text"):
            body = mend_json(body)
        try:
            return decode_body(body, field.annotation if field else Any)
        except InvalidInput as error:
            for fault in error.errors:
                if refusal := self.route_handler.opt.get("refusals", {}).get(fault.path):
                    raise refusal(errors=error.errors) from error
            raise

    async def body(self) -> bytes:
        try:
            return await super().body()
        except (
            InternalServerException
        ) as error:  # the client left; no fault of ours, and nobody reads the answer
            raise MalformedRequest("The body ended before its end") from error


def header_of(scope: Any, name: bytes) -> str | None:
    """One header of a request, by its name in small letters, without reading all of them."""
    for sent, value in scope["headers"]:
        if sent == name:
            text: str = value.decode("latin-1")
            return text
    return None


def check_address(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Runs before every route, and before authentication."""
    scope = connection.scope
    if "\x00" in scope["path"]:
        raise _not_storable(
            pointer(name) for name, value in connection.path_params.items() if "\x00" in str(value)
        )
    if b"%00" in scope["query_string"] or b"\x00" in scope["query_string"]:
        raise _not_storable(
            pointer(name.replace("\x00", "\ufffd"))
            for name, value in connection.query_params.multi_items()
            if "\x00" in name + value
        )
    if places := [name.decode("latin-1") for name, value in scope["headers"] if b"\x00" in value]:
        raise _not_storable(map(pointer, places))


def _not_storable(places: Iterable[str]) -> InvalidInput:
    return InvalidInput(NO_NUL, errors=[nul_fault(place) for place in places])


def decode_body(body: bytes, kind: Any) -> Any:
    """The single place that decodes a client's JSON. Refuses nesting that is too deep, and text and numbers that cannot be stored."""
    if is_too_deep(body):
        raise InvalidInput.at("", "too_deep", f"A body is nested at most {DEEPEST} levels deep")
    try:
        if may_hold_nul(body) and (faults := nul_faults(msgspec.json.decode(body))):
            raise InvalidInput(NO_NUL, errors=faults)
        if may_be_out_of_range(body) and (faults := range_faults(body)):
            raise InvalidInput(OUT_OF_RANGE, errors=faults)
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise InvalidInput(errors=[_fault(str(error))]) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedRequest(f"The body is not JSON: {error}") from error


def read_as(value: Any, kind: type[T]) -> T:
    """Decoded JSON as a type of ours; a fault says where it is not one."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InvalidInput(errors=[_fault(str(error))]) from error


def problems(*errors: type[GoldloopError], body: bool = False) -> dict[int, ResponseSpec]:
    """What a route may answer besides success, for OpenAPI: its own errors and those any route has."""
    common = [Unauthenticated, Forbidden, CsrfFailed, NotFound, InvalidInput, TooManyRequests, Unavailable]
    if body:
        common += [MalformedRequest, RequestTooLarge, UnsupportedMediaType]
    return problem_specs(*common, *errors)


def csv_file(name: str, content: AsyncIterator[str]) -> Stream:
    """A table that is downloaded while it is read."""
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Stream(content, media_type="text/csv; charset=utf-8", headers=named)


def problem_specs(*errors: type[GoldloopError]) -> dict[int, ResponseSpec]:
    by_status: dict[int, list[str]] = defaultdict(list)
    for error in errors:
        line = f"`{error.code}`: {error.title}"
        if line not in by_status[error.status]:
            by_status[error.status].append(line)
    return {
        status: ResponseSpec(
            data_container=Problem,
            description="; ".join(lines),
            media_type=PROBLEM_JSON,
            generate_examples=False,
        )
        for status, lines in sorted(by_status.items())
    }


def render_error(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    if isinstance(error, HTTPException) and isinstance(error.extra, list):
        error.extra = [_as_asked(request, each) for each in error.extra]
    known = as_goldloop_error(error)
    if known.status >= 500:
        log.error("request failed", exc_info=error, extra={"path": request.url.path, "code": known.code})
    return Response(
        known.problem(), status_code=known.status, media_type=PROBLEM_JSON, headers=dict(known.headers)
    )


def _as_asked(request: Request[Any, Any, Any], fault: Any) -> Any:
    """What is wrong with a query parameter, by the name that it is asked by and not that of the argument it is read into."""
    asked = request.route_handler.parsed_fn_signature.parameters
    if not isinstance(fault, Mapping) or fault.get("key") not in asked:
        return fault
    known = asked[fault["key"]].kwarg_definition
    return {**fault, "key": known.name} if isinstance(known, QueryParameter) and known.name else fault


def as_goldloop_error(error: Exception) -> GoldloopError:
    if isinstance(error, GoldloopError):
        return error
    if isinstance(error, HTTPException):
        return _from_framework(error)
    if isinstance(error, asyncpg.UntranslatableCharacterError | asyncpg.CharacterNotInRepertoireError):
        return _not_storable([])  # what came by another way than a body or an address
    if isinstance(error, asyncpg.PostgresError) and error.sqlstate == BEING_ERASED:
        return BeingErased()
    if isinstance(error, _DATABASE_AWAY):
        return Unavailable("The database cannot be reached at the moment")
    if isinstance(error, asyncpg.TransactionRollbackError):
        return Unavailable("Somebody else changed the same at that moment: nothing was written, try again")
    if isinstance(error, asyncpg.InterfaceError) and "clos" in str(error):
        return Unavailable("The database connection was lost")
    return GoldloopError()


def _from_framework(error: HTTPException) -> GoldloopError:
    if error.status_code == 404:
        return NotFound("There is nothing at this address")
    if error.status_code == 405:
        return MethodNotAllowed(headers=dict(error.headers or {}))
    if error.status_code == 413:
        return RequestTooLarge()
    if error.status_code == 415:
        return UnsupportedMediaType()
    if error.status_code == 400:
        return _bad_input(error)
    return GoldloopError()


def _bad_input(error: HTTPException) -> GoldloopError:
    if isinstance(error.extra, list):
        return InvalidInput(errors=[_parameter_fault(e) for e in error.extra if isinstance(e, Mapping)])
    if missing := _MISSING.match(error.detail):
        return InvalidInput.at(f"/{missing['name']}", "missing", "This parameter is needed")
    return MalformedRequest(error.detail)


def _parameter_fault(error: Mapping[str, Any]) -> Fault:
    """A query parameter or header that cannot be used, or a body that is not there (`JsonRequest` reads the rest)."""
    key = str(error.get("key", ""))
    if key == "data":
        return Fault(path="", code="missing", message="A JSON body is needed")
    return Fault(path=f"/{key}", code="invalid_value", message=str(error.get("message", "")))


def _fault(message: str) -> Fault:
    """A msgspec message (`Expected … - at `$.a[0].b``) as a fault with a JSON pointer."""
    at = _AT.search(message)
    path = _pointer(at["path"]) if at else ""
    text = _AT.sub("", message)
    if field := _FIELD.search(text):
        path = f"{path}/{_token(field['field'])}"
    code = (
        "missing"
        if "missing required" in text
        else "unknown_field"
        if "unknown field" in text
        else "invalid_value"
    )
    return Fault(path=path, code=code, message=text)


def _pointer(path: str) -> str:
    """`$.a[0].b` as `/a/0/b`; msgspec does not tell the key within a mapping (`[...]`), so it ends before that."""
    known = path.removeprefix("$").partition("[...]")[0]
    return re.sub(r"\[(\d+)\]", r"/\1", known).replace(".", "/")


def _token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
