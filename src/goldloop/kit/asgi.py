"""Middleware around every request: request id, log line, metrics, security headers, and pages of which origins may ask."""

import logging
import re
import time
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from goldloop.kit import metrics
from goldloop.kit.ids import new_text_id
from goldloop.kit.logs import log_info, request_id
from goldloop.kit.request_origin import come_from, leave
from goldloop.kit.single_write_protocol import WHOLE

log = logging.getLogger("goldloop.access")

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
]
# What is answered depends on who asks, and is kept by nobody in between; files of the web UI say otherwise.
_UNCACHED = [
    (b"cache-control", b"no-store"),
    (b"vary", b"Authorization, Cookie, X-Goldloop-Tenant"),
]
_READABLE = (
    b"access-control-expose-headers",
    b"x-request-id, retry-after, etag, ratelimit-policy, ratelimit",
)
# What a browser asks before a page of an allowed origin calls with a key. Cookies stay at home: nothing here allows them.
_PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
    (
        b"access-control-allow-headers",
        b"authorization, content-encoding, content-type, x-api-key, x-request-id",
    ),
    (b"access-control-max-age", b"600"),
]
_NOTHING: dict[str, Any] = {}
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,100}")
_Headers = list[tuple[bytes, bytes]]


def _lines(headers: _Headers) -> bytes:
    return b"".join([b"%b: %b\r\n" % header for header in headers])


_JSON = [(b"content-type", b"application/json")]
_JSON_LINES = _lines([*_JSON, *_HEADERS, *_UNCACHED])  # what every answer of the API has


class Sending:
    """How one request is answered: with the headers that every answer has, and with a word on whether it has begun, for after
    that no other can be sent."""

    __slots__ = ("_answered_to", "_request_id", "_scope", "_send", "_varies", "begun", "status")

    def __init__(
        self, scope: Any, send: Any, given_id: str, answered_to: bytes | None = None, *, varies: bool = False
    ) -> None:
        """`answered_to` is the origin whose page may read the answer; `varies` whether some origins may and others not."""
        self._scope = scope
        self._send = send
        self._request_id = given_id
        self._answered_to = answered_to
        self._varies = varies
        self.begun = False
        self.status = 500

    async def __call__(self, message: Any) -> None:
        self.begun = True
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message["headers"], *_HEADERS, *self._own_headers()]
            for name, _ in message["headers"]:
                if name == b"cache-control":
                    break
            else:
                headers += _UNCACHED
            message = {**message, "headers": headers}
        await self._send(message)

    async def answer(self, status: int, body: bytes) -> None:
        """A whole answer of the API."""
        whole = (self._scope.get("extensions") or _NOTHING).get(WHOLE)
        if whole is not None and whole(status, _JSON_LINES + _lines(self._own_headers()), body):
            self.begun, self.status = True, status
            return
        headers = [*_JSON, (b"content-length", b"%d" % len(body))]
        await self({"type": "http.response.start", "status": status, "headers": headers})
        await self({"type": "http.response.body", "body": body})

    def _own_headers(self) -> _Headers:
        """Those that differ from one request to another."""
        scope = self._scope
        headers = [(b"x-request-id", self._request_id.encode())]
        if limits := (scope.get("state") or _NOTHING).get("answer_headers"):
            headers += [(name.lower().encode(), value.encode()) for name, value in limits.items()]
        if (handler := scope.get("route_handler")) is not None and handler.opt.get("any_origin"):
            headers += [(b"access-control-allow-origin", b"*"), _READABLE]
        elif self._answered_to is not None:
            headers += [(b"access-control-allow-origin", self._answered_to), _READABLE]
        if self._varies:
            headers.append((b"vary", b"Origin"))
        if scope.get("scheme") == "https":
            headers.append((b"strict-transport-security", b"max-age=31536000"))
        return headers


class RequestMiddleware:
    """ASGI middleware around the whole application: adds the request id and headers, logs and measures."""

    def __init__(self, app: Any, allowed_origins: Collection[str] = ()) -> None:
        self.app = app
        self._origins = frozenset(origin.encode() for origin in allowed_origins)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        rid = _given_id(scope) or new_text_id()
        token = request_id.set(rid)
        came_from = come_from(scope["client"][0] if scope.get("client") else None)
        started = time.perf_counter()
        # A HEAD is answered as a GET is; the server below drops the body. Not so a stream, which would never end.
        asked = {**scope, "method": "GET"} if _is_plain_head(scope) else scope
        origin = self._allowed_origin(scope)
        sending = Sending(asked, send, rid, origin, varies=bool(self._origins))
        try:
            if origin is not None and _is_preflight(scope):
                await sending({"type": "http.response.start", "status": 204, "headers": _PREFLIGHT})
                await send({"type": "http.response.body", "body": b""})
            else:
                await self.app(asked, receive, sending)
        finally:
            try:
                _record(asked, sending.status, time.perf_counter() - started)
            finally:
                leave(came_from)
                request_id.reset(token)

    def _allowed_origin(self, scope: Any) -> bytes | None:
        if not self._origins:
            return None
        sent = next((value for name, value in scope["headers"] if name == b"origin"), None)
        return sent if sent in self._origins else None


def _is_preflight(scope: Any) -> bool:
    asks = any(name == b"access-control-request-method" for name, _ in scope["headers"])
    return scope["method"] == "OPTIONS" and asks


def _is_plain_head(scope: Any) -> bool:
    if scope["method"] != "HEAD":
        return False
    wants_stream = any(n == b"accept" and b"text/event-stream" in v for n, v in scope["headers"])
    return not wants_stream and not scope["path"].endswith("/events")


def _given_id(scope: Any) -> str | None:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
            return str(value.decode())
    return None


def _record(scope: Any, status: int, seconds: float) -> None:
    route = scope.get("path_template") or "unmatched"
    method = scope["method"] if scope["method"] in _METHODS else "OTHER"
    requests, latency = _counters(method, route, status)
    requests.inc()
    if latency is not None:
        latency.observe(seconds)
    fields = {"route": route, "status": status, "ms": round(seconds * 1000, 2), **_who(scope)}
    log_info(log, f"{scope['method']} {scope['path']} {status}", fields)


@lru_cache(maxsize=4096)  # of routes × statuses
def _counters(method: str, route: str, status: int) -> tuple[Any, Any]:
    """How often, and how long: a stream lasts as long as somebody looks."""
    latency = None if route.endswith("/events") else metrics.latency.labels(method, route)
    return metrics.requests.labels(method, route, status), latency


def _who(scope: Any) -> dict[str, str]:
    """Who asked, in which workspace and with which key; nothing where nobody was recognised."""
    actor = (scope.get("state") or _NOTHING).get("actor")
    return {} if actor is None else _named(actor)


@lru_cache(maxsize=4096)
def _named(actor: Any) -> dict[str, str]:
    named = {"workspace": str(actor.tenant_id), "actor": f"{actor.kind}:{actor.id or ''}"}
    return named | ({"key": str(actor.key_id)} if actor.key_id else {})


_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
