"""The routes that exporters send to: `/v1/traces`, `/v1/logs`, `/v1/metrics`. Infrastructure.

They are served before the framework and its middleware are asked, for they answer in the request's own content type, also when they refuse, and
their cost is counted per span. Whatever an exporter should send again is 503 with Retry-After, the one status that every
version of every exporter repeats; 500 and 429 are dropped by some. So is what comes in a minute in which a workspace or a key
has made all the requests that it may make.
"""

import base64
import binascii
import logging
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, NamedTuple

from goldloop.kit import compute_threads, metrics
from goldloop.kit.db import Actor
from goldloop.kit.errors import (
    GoldloopError,
    MalformedRequest,
    MethodNotAllowed,
    NotFound,
    RequestTooLarge,
    Unauthenticated,
    Unavailable,
    UnsupportedMediaType,
)
from goldloop.kit.http import as_goldloop_error
from goldloop.limits.limiter import Limiter
from goldloop.otlp.answers import status, success
from goldloop.otlp.decoding import MOST_BYTES, Taken, take_logs, take_traces, unpack
from goldloop.otlp.group_writer import Busy, GroupWriter
from goldloop.otlp.model import Encoding, Signal
from goldloop.sessions.permissions import SESSIONS_CREATE
from goldloop.tenants.auth.authenticator import Authenticator

log = logging.getLogger("goldloop.otlp")
access_log = logging.getLogger("goldloop.access")

ROUTES = {
    "/v1/traces": Signal.TRACES,
    "/v1/logs": Signal.LOGS,
    "/v1/metrics": None,  # taken and not kept, so that an exporter of all three need not be told apart
    "/api/public/otel/v1/traces": Signal.TRACES,  # where the SDK of Langfuse sends to
}
RETRY_SECONDS = 5
MOST_READING_BYTES = 256 * 1024 * 1024  # of all requests that this process has not answered yet
INLINE_BYTES = (
    256 * 1024
)  # of a body that is read at once; a larger one takes milliseconds that others would wait
_HEADERS = [(b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]
_PROTOBUF, _JSON = b"application/x-protobuf", b"application/json"
_COMPRESSIONS = {b"gzip", b"x-gzip", b"deflate"}

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class _Head(NamedTuple):
    encoding: int
    length: int | None
    key: str | None
    tenant: str | None


class _Held:
    """How much of a body a request holds in memory, until it is answered."""

    __slots__ = ("bytes",)

    def __init__(self) -> None:
        self.bytes = 0


class OtlpIntake:
    """ASGI middleware: answers exporters, and passes on everything else."""

    def __init__(
        self,
        app: Any,
        auth: Authenticator,
        writer: GroupWriter,
        allowed_origins: Collection[str] = (),
        limiter: Limiter | None = None,
    ) -> None:
        self.app = app
        self._origins = frozenset(origin.encode() for origin in allowed_origins)
        self.auth = auth
        self.limiter = limiter or Limiter(auth.db, auth)
        self.writer = writer
        self._reading = 0
        self._counted: dict[tuple[str, int], tuple[Any, Any]] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        if path not in ROUTES or scope["method"] == "OPTIONS":  # what a browser asks before a page sends
            await self.app(scope, receive, send)
            return
        if self._origins:
            send = self._readable(scope, send)
        began = time.perf_counter()
        kind = _PROTOBUF
        status = 200
        limit_headers: dict[str, str] = {}  # with the answer, whatever it is
        try:
            if scope["method"] != "POST":
                raise MethodNotAllowed(headers={"Allow": "POST"})
            head = _read_head(scope)
            if head.encoding & Encoding.JSON:
                kind = _JSON
            answer = await self._take(head, receive, ROUTES[path], limit_headers)
        except Exception as error:
            kind = _JSON if _is_json(scope) else _PROTOBUF
            refusal = _as_told(error)
            status = refusal.status
            await _refuse(send, kind, refusal, limit_headers)
        else:
            await _respond(send, status, kind, answer, limit_headers)
        self._count(path, status, time.perf_counter() - began)

    def _readable(self, scope: Any, send: Send) -> Send:
        """So that pages of the installation's own origins may read what they are answered."""
        sent = next((value for name, value in scope["headers"] if name == b"origin"), None)
        allowed = [(b"access-control-allow-origin", sent)] if sent in self._origins else []

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *allowed, (b"vary", b"Origin")]
                message = {**message, "headers": headers}
            await send(message)

        return send_with_headers

    def _count(self, path: str, status: int, seconds: float) -> None:
        """What programs send every few seconds is counted; only refusals are logged."""
        known = self._counted.get((path, status))
        if known is None:
            known = metrics.requests.labels("POST", path, status), metrics.latency.labels("POST", path)
            self._counted[path, status] = known
        known[0].inc()
        known[1].observe(seconds)
        if status >= 400:
            access_log.info("POST %s %d", path, status, extra={"route": path, "status": status})

    async def _take(
        self, head: _Head, receive: Receive, signal: Signal | None, limit_headers: dict[str, str]
    ) -> bytes:
        actor = await self._authenticate(head)
        admitted = await self.limiter.admit(actor)
        limit_headers |= admitted.headers
        if (refusal := admitted.refusal) is not None:
            raise Unavailable(refusal.detail, headers=refusal.headers)
        actor.check(SESSIONS_CREATE)
        if signal is not None:
            await self.limiter.check_room(actor.tenant_id)
        if head.length is not None and head.length > MOST_BYTES:
            raise RequestTooLarge(f"A request has at most {MOST_BYTES:,} bytes")
        counted = _Held()
        try:
            body = await self._receive(receive, counted)
            return await self._store(actor, signal, body, head.encoding)
        finally:
            self._reading -= counted.bytes

    async def _store(self, actor: Actor, signal: Signal | None, body: bytes, encoding: int) -> bytes:
        as_json = bool(encoding & Encoding.JSON)
        if signal is None or not body:
            return success(Signal.TRACES, 0, "", as_json=as_json)
        if len(body) > INLINE_BYTES:
            taken = await compute_threads.run_always(actor.tenant_id, _read, signal, body, encoding)
        else:
            taken = _read(signal, body, encoding)
        if taken.batch is not None:
            await self.writer.write(actor.tenant_id, taken.batch)
        return success(signal, taken.rejected, taken.message, as_json=as_json)

    async def _authenticate(self, head: _Head) -> Actor:
        if head.key is None:
            raise Unauthenticated(
                "A key is needed: as `Authorization: Bearer …`, as `x-api-key`, or as the password of Basic",
                headers={"WWW-Authenticate": "Bearer"},
            )
        holder = await self.auth.key_holder(head.key)
        if head.tenant and head.tenant != holder.tenant_slug:
            raise NotFound("There is no such workspace")
        return holder.actor

    async def _receive(self, receive: Receive, counted: _Held) -> bytes:
        """The body, counted while it comes: not every exporter says how long it is."""
        parts: list[bytes] = []
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise MalformedRequest("The body ended before its end")
            part = message.get("body", b"")
            if part:
                counted.bytes += len(part)
                self._reading += len(part)
                parts.append(part)
                if counted.bytes > MOST_BYTES:
                    raise RequestTooLarge(f"A request has at most {MOST_BYTES:,} bytes")
                if self._reading > MOST_READING_BYTES:
                    raise Busy
            if not message.get("more_body"):
                return parts[0] if len(parts) == 1 else b"".join(parts)


def _read(signal: Signal, body: bytes, encoding: int) -> Taken:
    plain = unpack(body) if encoding & Encoding.COMPRESSED else body
    return (take_traces if signal is Signal.TRACES else take_logs)(body, plain, encoding)


def _is_json(scope: Any) -> bool:
    return any(name == b"content-type" and b"json" in value.lower() for name, value in scope["headers"])


def _read_head(scope: Any) -> _Head:
    kind, compression, length = _PROTOBUF, b"", None
    bearer = key = tenant = None
    for name, value in scope["headers"]:
        if name == b"content-type":
            kind = value.split(b";")[0].strip().lower()
        elif name == b"content-encoding":
            compression = value.strip().lower()
        elif name == b"content-length":
            length = int(value) if value.isdigit() else None
        elif name == b"authorization":
            bearer = _key_of(value.decode("latin-1"))
        elif name == b"x-api-key":
            key = value.decode("latin-1").strip()
        elif name == b"x-goldloop-tenant":
            tenant = value.decode("latin-1")
    if kind not in (_PROTOBUF, _JSON, b"application/protobuf"):
        raise UnsupportedMediaType("A request is application/x-protobuf or application/json")
    if compression in (b"identity", b""):
        compression = b""
    elif compression not in _COMPRESSIONS:
        raise UnsupportedMediaType("A body is compressed by gzip or not at all")
    encoding = Encoding.JSON if kind == _JSON else Encoding.PROTOBUF
    if compression:
        encoding |= Encoding.COMPRESSED
    return _Head(encoding, length, bearer or key, tenant)


def _key_of(header: str) -> str | None:
    """Of `Bearer <key>`, and of Basic, where it is the password."""
    scheme, _, credentials = header.partition(" ")
    if scheme.lower() == "bearer":
        return credentials.strip() or None
    if scheme.lower() != "basic":
        return None
    try:
        name, _, password = base64.b64decode(credentials.strip()).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return password or name or None


def _as_told(error: Exception) -> GoldloopError:
    """What of it is to be sent again is 503."""
    known = as_goldloop_error(error)
    if known.status < 500:
        return known
    if known.status != 503:
        log.error("spans were not taken, and are to be sent again", exc_info=error)
    detail = known.detail if known.status == 503 else Unavailable.title
    wait = known.headers.get("Retry-After", str(RETRY_SECONDS))
    return Unavailable(detail, headers={"Retry-After": wait})


async def _refuse(send: Send, kind: bytes, error: GoldloopError, limit_headers: dict[str, str]) -> None:
    """In the content type of the request: a `google.rpc.Status`."""
    body = status(error.status, error.detail, as_json=kind == _JSON)
    await _respond(send, error.status, kind, body, {**error.headers, **limit_headers})


async def _respond(send: Send, status: int, kind: bytes, body: bytes, limit_headers: dict[str, str]) -> None:
    more = [(name.lower().encode(), value.encode()) for name, value in limit_headers.items()]
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body)), *_HEADERS, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
