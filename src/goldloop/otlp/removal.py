"""A stored body without the spans and records of some traces. Pure."""

import zlib
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import msgspec

from goldloop.kit.errors import GoldloopError
from goldloop.otlp import protobuf_decoding
from goldloop.otlp.decoding import pack, unpack
from goldloop.otlp.model import Encoding, Signal
from goldloop.otlp.spans import TRACE_ID_BYTES, is_id

_RAW = -15  # as `decoding.pack` writes it
_JSON_LISTS = {
    Signal.TRACES: ("resourceSpans", "scopeSpans", "spans"),
    Signal.LOGS: ("resourceLogs", "scopeLogs", "logRecords"),
}
_PROTOBUF_LISTS = {
    Signal.TRACES: ("resource_spans", "scope_spans", "spans"),
    Signal.LOGS: ("resource_logs", "scope_logs", "log_records"),
}


class Rest(NamedTuple):
    """What is left: None where that is nothing. `trace_ids` are those that it has something of."""

    body: bytes | None
    encoding: int
    spans: int
    trace_ids: list[bytes]


def without_traces(signal: Signal, encoding: int, body: bytes, gone: Collection[bytes]) -> Rest:
    """What belongs to no trace goes as well: nobody can say whose it is, and nothing is derived from it. A body that cannot
    be read goes as a whole."""
    left: dict[bytes, int] = {}

    def stays(trace_id: bytes) -> bool:
        kept = trace_id not in gone and is_id(trace_id, TRACE_ID_BYTES)
        if kept:
            left[trace_id] = left.get(trace_id, 0) + 1
        return kept

    try:
        plain = _plain(encoding, body)
        rest = _rest_of_json(signal, plain, stays) if encoding & Encoding.JSON else None
        if rest is None:
            rest = _rest_of_protobuf(signal, plain, stays)
    except (msgspec.DecodeError, GoldloopError, zlib.error, UnicodeDecodeError):
        return Rest(None, encoding, 0, [])
    if not left:
        return Rest(None, encoding, 0, [])
    packed = encoding & Encoding.JSON | Encoding.PACKED
    return Rest(pack(rest), packed, sum(left.values()), list(left))


def _plain(encoding: int, body: bytes) -> bytes:
    if encoding & Encoding.PACKED:
        return zlib.decompress(body, _RAW)
    return unpack(body) if encoding & Encoding.COMPRESSED else body


def _rest_of_json(signal: Signal, plain: bytes, stays: Callable[[bytes], bool]) -> bytes:
    request: Any = msgspec.json.decode(plain)
    resources, scopes, items = _JSON_LISTS[signal]
    for resource in request.get(resources, []):
        for scope in resource.get(scopes, []):
            scope[items] = [item for item in scope.get(items, []) if stays(_json_id(item))]
        resource[scopes] = [scope for scope in resource.get(scopes, []) if scope[items]]
    request[resources] = [resource for resource in request.get(resources, []) if resource[scopes]]
    return msgspec.json.encode(request)


def _json_id(item: Any) -> bytes:
    try:
        return bytes.fromhex(item.get("traceId", ""))
    except (ValueError, TypeError, AttributeError):
        return b""


def _rest_of_protobuf(signal: Signal, plain: bytes, stays: Callable[[bytes], bool]) -> bytes:
    parse = protobuf_decoding.parse_traces if signal is Signal.TRACES else protobuf_decoding.parse_logs
    request: Any = parse(plain)[0]
    resources, scopes, items = _PROTOBUF_LISTS[signal]
    for resource in getattr(request, resources):
        for scope in getattr(resource, scopes):
            _keep(getattr(scope, items), lambda item: stays(item.trace_id))
        _keep(getattr(resource, scopes), lambda scope: bool(getattr(scope, items)))
    _keep(getattr(request, resources), lambda resource: bool(getattr(resource, scopes)))
    rest: bytes = request.SerializeToString()
    return rest


def _keep(listed: Any, stays: Callable[[Any], bool]) -> None:
    for place in reversed(range(len(listed))):
        if not stays(listed[place]):
            del listed[place]
