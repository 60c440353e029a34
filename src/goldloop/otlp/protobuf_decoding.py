"""Reads OTLP requests in protobuf. Pure.

A request that the parser refuses for one broken text is mended first (`protobuf_mending.py`), so that one bad span does
not cost the others.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from goldloop.kit.errors import MalformedRequest
from goldloop.otlp.protobuf_mending import LOGS, TRACES, mend
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

_DEEPEST = 50  # levels of a value: the parser itself takes a hundred messages


def parse_traces(body: bytes) -> tuple[ExportTraceServiceRequest, int]:
    """The request, and how many spans of it could not be read at all."""
    try:
        return ExportTraceServiceRequest.FromString(body), 0
    except DecodeError:
        mended, lost = mend(body, TRACES, ExportTraceServiceRequest)
        return _parsed(ExportTraceServiceRequest, mended), lost


def parse_logs(body: bytes) -> tuple[ExportLogsServiceRequest, int]:
    try:
        return ExportLogsServiceRequest.FromString(body), 0
    except DecodeError:
        mended, lost = mend(body, LOGS, ExportLogsServiceRequest)
        return _parsed(ExportLogsServiceRequest, mended), lost


def _parsed(kind: Any, body: bytes) -> Any:
    try:
        return kind.FromString(body)
    except DecodeError as error:
        raise MalformedRequest("The body is not an OTLP request in protobuf") from error


def span_ids(request: ExportTraceServiceRequest) -> Iterator[tuple[bytes, bytes]]:
    """Trace and span id of every span, as they were sent."""
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield span.trace_id, span.span_id


def read_spans(request: ExportTraceServiceRequest, trace_id: bytes) -> Iterator[Span]:
    """The spans of one trace."""
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            found = [
                span
                for span in scope.spans
                if span.trace_id == trace_id and is_id(span.span_id, SPAN_ID_BYTES)
            ]
            if found:
                source = source_of(_attributes(resource.resource.attributes), scope.scope.name)
                yield from (_span(span, source) for span in found)


def _span(span: Any, source: Source) -> Span:
    return Span(
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=parent_of(span.parent_span_id),
        has_remote_parent=has_remote_parent(span.flags),
        name=span.name,
        start=span.start_time_unix_nano,
        end=span.end_time_unix_nano,
        status=status_of(span.status.code),
        status_message=span.status.message,
        attributes=_attributes(span.attributes),
        events=tuple(
            SpanEvent(event.name, event.time_unix_nano, _attributes(event.attributes))
            for event in span.events
        ),
        source=source,
        is_entry=is_entry(span.kind),
    )


def log_records(request: ExportLogsServiceRequest) -> Iterator[LogRecord]:
    places = count()
    for resource in request.resource_logs:
        attributes = _attributes(resource.resource.attributes)
        for scope in resource.scope_logs:
            source = source_of(attributes, scope.scope.name)
            for record in scope.log_records:
                named = _attributes(record.attributes)
                event = SpanEvent(
                    record.event_name or str(named.get("event.name") or ""),
                    record.time_unix_nano or record.observed_time_unix_nano,
                    named,
                    _value(record.body),
                )
                span_id = record.span_id.hex() if is_id(record.span_id, SPAN_ID_BYTES) else ""
                yield LogRecord(record.trace_id.hex(), span_id, event, source, next(places))


def _attributes(pairs: Iterable[Any], deep: int = 0) -> dict[str, Any]:
    return {pair.key: _value(pair.value, deep) for pair in pairs}


def _value(value: Any, deep: int = 0) -> Any:
    kind = value.WhichOneof("value")
    if kind is None or deep > _DEEPEST:
        return None
    if kind == "array_value":
        return [_value(item, deep + 1) for item in value.array_value.values]
    if kind == "kvlist_value":
        return _attributes(value.kvlist_value.values, deep + 1)
    if kind == "bytes_value":
        return b64encode(value.bytes_value).decode()
    return getattr(value, kind)
