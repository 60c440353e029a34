"""Reads OTLP requests in JSON. Pure.

Ids are hexadecimal in any case, 64-bit numbers may be texts, unknown keys are ignored. Where a request cannot be read at
once, its spans are read one by one, so that one bad span does not cost the others.
"""

import binascii
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, TypeVar

import msgspec

from goldloop.kit.errors import MalformedRequest
from goldloop.kit.text import mend_json
from goldloop.otlp.spans import (
    SPAN_ID_BYTES,
    LogRecord,
    Source,
    Span,
    SpanEvent,
    has_remote_parent,
    is_entry,
    is_id,
    parent_of,
    source_of,
    status_of,
)

_DEEPEST = 50
_MOST = 2**63 - 1


class _Wire(msgspec.Struct, rename="camel", frozen=True):
    pass


Number = int | str
T = TypeVar("T", bound=_Wire)


class _Value(_Wire, frozen=True):
    string_value: str | None = None
    bool_value: bool | None = None
    int_value: Number | None = None
    double_value: float | str | None = None
    bytes_value: str | None = None
    array_value: "_Values | None" = None
    kvlist_value: "_Pairs | None" = None


class _Values(_Wire, frozen=True):
    values: list[_Value] = []


class _Pair(_Wire, frozen=True):
    key: str = ""
    value: _Value | None = None


class _Pairs(_Wire, frozen=True):
    values: list[_Pair] = []


class _Resource(_Wire, frozen=True):
    attributes: list[_Pair] = []


class _Scope(_Wire, frozen=True):
    name: str = ""


class _Status(_Wire, frozen=True):
    code: int | str = 0
    message: str = ""


class _Event(_Wire, frozen=True):
    name: str = ""
    time_unix_nano: Number = 0
    attributes: list[_Pair] = []


class _Span(_Wire, frozen=True):
    trace_id: str = ""
    span_id: str = ""
    parent_span_id: str | None = None
    flags: Number = 0
    name: str = ""
    kind: Number = 0
    start_time_unix_nano: Number = 0
    end_time_unix_nano: Number = 0
    attributes: list[_Pair] = []
    events: list[_Event] = []
    status: _Status | None = None


class _Record(_Wire, frozen=True):
    trace_id: str = ""
    span_id: str = ""
    event_name: str = ""
    time_unix_nano: Number = 0
    observed_time_unix_nano: Number = 0
    body: _Value | None = None
    attributes: list[_Pair] = []


class _ScopeSpans(_Wire, frozen=True):
    scope: _Scope | None = None
    spans: list[_Span] = []


class _ResourceSpans(_Wire, frozen=True):
    resource: _Resource | None = None
    scope_spans: list[_ScopeSpans] = []


class Traces(_Wire, frozen=True):
    resource_spans: list[_ResourceSpans] = []


class _ScopeLogs(_Wire, frozen=True):
    scope: _Scope | None = None
    log_records: list[_Record] = []


class _ResourceLogs(_Wire, frozen=True):
    resource: _Resource | None = None
    scope_logs: list[_ScopeLogs] = []


class Logs(_Wire, frozen=True):
    resource_logs: list[_ResourceLogs] = []


def parse_traces(body: bytes) -> tuple[Traces, int]:
    """The request, and how many spans of it could not be read at all."""
    return _parse(body, Traces, _Span, ("resourceSpans", "scopeSpans", "spans"))


def parse_logs(body: bytes) -> tuple[Logs, int]:
    return _parse(body, Logs, _Record, ("resourceLogs", "scopeLogs", "logRecords"))


def _parse(body: bytes, kind: type[T], unit: type[_Wire], keys: tuple[str, str, str]) -> tuple[T, int]:
    try:
        return msgspec.json.decode(body, type=kind), 0
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    try:
        whole = msgspec.json.decode(mend_json(body))
        kept, lost = _without_broken(whole, unit, keys)
        return msgspec.convert(kept, kind), lost
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedRequest(f"The body is not an OTLP request in JSON: {error}") from error


def _without_broken(whole: Any, unit: type[_Wire], keys: tuple[str, str, str]) -> tuple[Any, int]:
    """What can be read of a request, and how many of its units are not in it."""
    lost = 0
    outer, middle, inner = keys
    resources = []
    for resource in _dicts(whole, outer):
        scopes = []
        for scope in _dicts(resource, middle):
            units = scope.get(inner) or []
            good = [each for each in units if _is_read(each, unit)]
            lost += len(units) - len(good)
            scopes.append({"scope": _readable(scope.get("scope"), _Scope), inner: good})
        resources.append({"resource": _readable(resource.get("resource"), _Resource), middle: scopes})
    return {outer: resources}, lost


def _dicts(value: Any, key: str) -> list[dict[str, Any]]:
    if not isinstance(value, dict):
        raise msgspec.ValidationError("Expected an object")
    found = value.get(key) or []
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _is_read(value: Any, kind: type[_Wire]) -> bool:
    return _readable(value, kind) is not None


def _readable(value: Any, kind: type[_Wire]) -> Any:
    try:
        msgspec.convert(value, kind)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return value


def span_ids(request: Traces) -> Iterator[tuple[bytes, bytes]]:
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield _id(span.trace_id), _id(span.span_id)


def read_spans(request: Traces, trace_id: bytes) -> Iterator[Span]:
    """The spans of one trace."""
    wanted = trace_id.hex()
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            found = [
                span
                for span in scope.spans
                if span.trace_id.lower() == wanted and is_id(_id(span.span_id), SPAN_ID_BYTES)
            ]
            if found:
                pairs = resource.resource.attributes if resource.resource else []
                source = source_of(_attributes(pairs), scope.scope.name if scope.scope else "")
                yield from (_span(span, source) for span in found)


def _span(span: _Span, source: Source) -> Span:
    return Span(
        trace_id=span.trace_id.lower(),
        span_id=span.span_id.lower(),
        parent_id=parent_of(_id(span.parent_span_id or "")),
        has_remote_parent=has_remote_parent(_number(span.flags)),
        name=span.name,
        start=_number(span.start_time_unix_nano),
        end=_number(span.end_time_unix_nano),
        status=status_of(_number(span.status.code) if span.status else 0),
        status_message=span.status.message if span.status else "",
        attributes=_attributes(span.attributes),
        events=tuple(
            SpanEvent(event.name, _number(event.time_unix_nano), _attributes(event.attributes))
            for event in span.events
        ),
        source=source,
        is_entry=is_entry(_number(span.kind)),
    )


def log_records(request: Logs) -> Iterator[LogRecord]:
    places = count()
    for resource in request.resource_logs:
        attributes = _attributes(resource.resource.attributes if resource.resource else [])
        for scope in resource.scope_logs:
            source = source_of(attributes, scope.scope.name if scope.scope else "")
            for record in scope.log_records:
                named = _attributes(record.attributes)
                event = SpanEvent(
                    record.event_name or str(named.get("event.name") or ""),
                    _number(record.time_unix_nano) or _number(record.observed_time_unix_nano),
                    named,
                    _value(record.body) if record.body else None,
                )
                span_id = _id(record.span_id)
                joined = span_id.hex() if is_id(span_id, SPAN_ID_BYTES) else ""
                yield LogRecord(_id(record.trace_id).hex(), joined, event, source, next(places))


def _id(text: str) -> bytes:
    """What is no hexadecimal is no id."""
    try:
        return binascii.unhexlify(text)
    except ValueError:
        return b""


def _number(value: float | str | None) -> int:
    """What is no number is 0, and what is larger than 64 bits is cut: times and flags only ever say when and how."""
    try:
        return max(0, min(int(value or 0), _MOST))
    except (ValueError, OverflowError):
        return 0


def _attributes(pairs: Iterable[_Pair], deep: int = 0) -> dict[str, Any]:
    return {pair.key: _value(pair.value, deep) for pair in pairs if pair.value is not None}


def _value(value: _Value, deep: int = 0) -> Any:
    if value.string_value is not None:
        return value.string_value
    if value.bool_value is not None:
        return value.bool_value
    if value.int_value is not None:
        return _whole(value.int_value)
    if value.double_value is not None:
        return value.double_value
    if deep > _DEEPEST:
        return None
    if value.array_value is not None:
        return [_value(item, deep + 1) for item in value.array_value.values]
    if value.kvlist_value is not None:
        return _attributes(value.kvlist_value.values, deep + 1)
    return value.bytes_value


def _whole(value: Number) -> Any:
    try:
        return int(value)
    except ValueError:
        return value
