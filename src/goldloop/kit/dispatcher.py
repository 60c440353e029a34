"""Calls the handler of a request: finds the route, lets the caller in, reads what the handler takes, and answers.

Routes are declared with Litestar, which makes the OpenAPI document of them and reads their parameters; what it does for
each request besides (a task for each group of dependencies, a copy of the handler for each guard, a response in three
layers) costs several times as much as our own part of a request. Here all that can be known of a route is worked out once.
What is no route of a handler (files of the web UI, OPTIONS, addresses that do not exist, mounted applications) goes on to
Litestar, which answers it, or refuses it, as ever.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

import msgspec
from litestar import Litestar, Response
from litestar._parsers import parse_query_string
from litestar.connection import ASGIConnection
from litestar.datastructures import Headers
from litestar.enums import MediaType
from litestar.exceptions import ClientException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.serialization import get_serializer
from litestar.types import Empty
from litestar.utils import normalize_path

from goldloop.kit.asgi import Sending
from goldloop.kit.errors import InvalidInput
from goldloop.kit.http import JsonRequest, render_error

_HOST = re.compile(rb"[0-9A-Za-z!$&'()*+,;=\-._~:\[\]@%]*")
_BODILESS = (204, 304)

Admit = Callable[[ASGIConnection[Any, Any, Any, Any], HTTPRouteHandler], Awaitable[None]]
Provide = Callable[[HTTPRouteHandler, str], Mapping[str, Any]]
_Readers = list[tuple[str, Callable[[str], Any] | None]]  # of the parameters of an address, in their order


class _Parameter(msgspec.Struct, frozen=True):
    """One of the address or the head, under the name that clients know and the one that the handler has."""

    sent_as: str
    name: str
    many: bool
    required: bool
    default: Any


class _Plan:
    """All that is known beforehand about one handler under one method."""

    __slots__ = (
        "encode",
        "fn",
        "given",
        "handler",
        "headers",
        "is_plain",
        "is_sync",
        "query",
        "readers",
        "status",
        "takes_actor",
        "takes_data",
        "takes_request",
        "takes_signed_in",
        "template",
        "validates",
    )

    def __init__(self, route: HTTPRoute, method: str, readers: _Readers, provide: Provide) -> None:
        handler, model = route.route_handler_map[method]  # type: ignore[index]
        signature = handler.parsed_fn_signature
        self.handler = handler
        self.template = route.path_format
        self.readers = readers
        self.fn: Callable[..., Any] = handler.fn
        self.is_sync = handler.has_sync_callable
        names = set(signature.parameters)
        provided = provide(handler, method)
        self.given = {name: provided[name] for name in names & set(provided)}
        self.takes_request = "request" in names
        self.takes_data = "data" in names
        self.takes_actor = "actor" in names
        self.takes_signed_in = "signed_in" in names
        self.query = _parameters(model.expected_query_params)
        self.headers = _parameters(model.expected_header_params)
        assert not model.expected_cookie_params, f"{handler} takes a cookie, which nobody reads here"
        in_path = [signature.parameters[each.field_name] for each in model.expected_path_params]
        # A UUID of the address was read as one already; all else has a shape that is looked at.
        self.validates = bool(
            self.query or self.headers or any(field.annotation is not UUID for field in in_path)
        )
        self.status = handler.status_code
        self.is_plain = handler.media_type in (MediaType.JSON, "")  # without a word of the answer it is JSON
        self.encode = msgspec.json.Encoder(enc_hook=get_serializer(handler.resolve_type_encoders())).encode


class _Node:
    """A part of an address: the parts that may follow, and what is answered where it ends."""

    __slots__ = ("children", "parameter", "plans")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.parameter: _Node | None = None
        self.plans: dict[str, _Plan] = {}  # by method


class Dispatcher:
    """The ASGI application in front of Litestar's, within `RequestMiddleware`. `admit` raises where the caller is not let in; `provide` says what
    handlers are given that is the same for every request."""

    def __init__(self, app: Litestar, admit: Admit, provide: Provide) -> None:
        self.app = app
        self.admit = admit
        self._root = _Node()
        for route in app.routes:
            if isinstance(route, HTTPRoute):
                self._add(route, provide)

    def _add(self, route: HTTPRoute, provide: Provide) -> None:
        node = self._root
        readers: _Readers = []
        for part in route.path_components:
            if isinstance(part, str):
                node = node.children.setdefault(part, _Node())
                continue
            if part.type.__name__ == "Path":
                return  # the rest of the address, whatever it is: the web UI
            readers.append((part.name, part.parser))
            node.parameter = node.parameter or _Node()
            node = node.parameter
        for method in route.route_handler_map:
            if method != "OPTIONS":
                node.plans[method] = _Plan(route, method, readers, provide)

    def _find(self, scope: Any) -> _Plan | None:
        """What is answered, with the parameters of the address put into the scope."""
        node = self._root
        sent: list[str] = []
        for part in scope["path"].split("/"):
            if not part:
                continue
            child = node.children.get(part)
            if child is None:
                child = node.parameter
                if child is None:
                    return None
                sent.append(part)
            node = child
        plan = node.plans.get(scope["method"])
        if plan is None:
            return None
        try:
            scope["path_params"] = {
                name: read(value) if read else value
                for (name, read), value in zip(plan.readers, sent, strict=True)
            }
        except ValueError:  # no UUID
            return None
        return plan

    async def __call__(self, scope: Any, receive: Any, send: Sending) -> None:
        plan = None
        if scope["type"] == "http" and not scope.get("root_path"):
            plan = self._find(scope)
        if plan is None:
            await self.app(scope, receive, send)
            return
        if scope["path"].endswith("/") or "//" in scope["path"]:
            scope["path"] = normalize_path(scope["path"])
        scope["app"] = scope["litestar_app"] = self.app
        scope.setdefault("state", {})
        scope["route_handler"] = plan.handler
        scope["path_template"] = plan.template
        request = JsonRequest(scope, receive, send)
        try:
            for name, value in scope["headers"]:
                if name == b"host" and not _HOST.fullmatch(value):
                    raise ClientException("Invalid host header")
            await self.admit(request, plan.handler)
            kwargs = await _arguments(plan, request)
            answer = plan.fn(**kwargs) if plan.is_sync else await plan.fn(**kwargs)
            status = plan.status
            if plan.is_plain and _is_plain(answer):
                status, answer = answer.status_code or status, answer.content
            if not plan.is_plain or isinstance(answer, Response):
                response = await plan.handler.to_response(app=self.app, data=answer, request=request)
                await response(scope, receive, send)
            elif status in _BODILESS:
                await send({"type": "http.response.start", "status": status, "headers": []})
                await send({"type": "http.response.body", "body": b""})
            else:
                await send.answer(status, answer if isinstance(answer, bytes) else plan.encode(answer))
        except Exception as error:
            if send.begun:
                raise
            refusal = render_error(request, error).to_asgi_response(app=None, request=request)
            await refusal(scope, receive, send)


def _is_plain(answer: Any) -> bool:
    """Whether an answer differs from what a handler returns otherwise by no more than its status."""
    return (
        type(answer) is Response
        and answer.media_type in (None, MediaType.JSON)
        and not (answer.headers or answer.cookies or answer.background or answer.response_type_encoders)
        and not isinstance(answer.content, str)
    )


async def _arguments(plan: _Plan, request: JsonRequest) -> dict[str, Any]:
    """What the handler is called with. Raises what Litestar raises where something is missing or not of its type."""
    scope = request.scope
    kwargs: dict[str, Any] = {**scope["path_params"], **plan.given}
    state = scope["state"]
    if plan.takes_actor:
        kwargs["actor"] = state["actor"]
    if plan.takes_signed_in:
        kwargs["signed_in"] = state["signed_in"]
    if plan.takes_request:
        kwargs["request"] = request
    if plan.query:
        _read_query(plan.query, scope["query_string"], kwargs)
    if plan.headers:
        sent = Headers.from_scope(scope)
        for parameter in plan.headers:
            kwargs[parameter.name] = sent.get(parameter.sent_as.lower(), parameter.default)
    validates = plan.validates
    if plan.takes_data:
        if await request.body():
            kwargs["data"] = await request.json()
        else:
            validates = True  # that it is missing is said with whatever else is
    if validates:
        model = plan.handler.signature_model
        return model.parse_values_from_connection_kwargs(connection=request, kwargs=kwargs)
    return kwargs


def _read_query(parameters: list[_Parameter], query: bytes, kwargs: dict[str, Any]) -> None:
    """Of a parameter that was sent more than once the last counts, unless it is a list."""
    sent = dict(pairs := parse_query_string(query)) if query else {}
    for parameter in parameters:
        if parameter.sent_as not in sent:
            if parameter.required:
                raise InvalidInput.at(f"/{parameter.sent_as}", "missing", "This parameter is needed")
            kwargs[parameter.name] = parameter.default
        elif parameter.many:
            kwargs[parameter.name] = [value for name, value in pairs if name == parameter.sent_as]
        else:
            kwargs[parameter.name] = sent[parameter.sent_as]


def _parameters(definitions: Any) -> list[_Parameter]:
    return [
        _Parameter(
            each.field_alias,
            each.field_name,
            each.is_sequence,
            each.is_required or each.default is Ellipsis,
            each.default,
        )
        for each in definitions
        if each.default is not Empty
    ]
