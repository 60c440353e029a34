"""Spans and log records as the rest of this concept reads them, whatever they were encoded in. Pure."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple

Attributes = Mapping[str, Any]

TRACE_ID_BYTES = 16
SPAN_ID_BYTES = 8
_ZEROS = {size: bytes(size) for size in (TRACE_ID_BYTES, SPAN_ID_BYTES)}
_REMOTE_PARENT = 0x300  # both bits of the flags: that it is known, and that the parent is in another process


class StatusCode(IntEnum):
    UNSET = 0
    OK = 1
    ERROR = 2


_ENTRIES = (2, 5)  # kinds of spans: SERVER and CONSUMER, which another process caused


class Source(NamedTuple):
    """Who made a span: the program, the instrumentation and the SDK."""

    service: str
    scope: str
    sdk: str


class SpanEvent(NamedTuple):
    """Of a span, or a log record that belongs to one. `at` is in nanoseconds since 1970."""

    name: str
    at: int
    attributes: Attributes
    body: Any = None


class Span(NamedTuple):
    """`start` and `end` are in nanoseconds since 1970; ids are in hexadecimal, `parent_id` is None for a root."""

    trace_id: str
    span_id: str
    parent_id: str | None
    has_remote_parent: bool
    name: str
    start: int
    end: int
    status: StatusCode
    status_message: str
    attributes: Attributes
    events: tuple[SpanEvent, ...]
    source: Source
    is_entry: bool = False  # where a process was called: its parent may be in another that tells nothing


class LogRecord(NamedTuple):
    """A log record that is joined to a span by its ids; `span_id` is empty where it belongs to the trace alone. `place` is
    where it stands in its request."""

    trace_id: str
    span_id: str
    event: SpanEvent
    source: Source
    place: int


def is_id(value: bytes, size: int) -> bool:
    return len(value) == size and value != _ZEROS[size]


def is_entry(kind: int) -> bool:
    return kind in _ENTRIES


def has_remote_parent(flags: int) -> bool:
    return flags & _REMOTE_PARENT == _REMOTE_PARENT


def parent_of(value: bytes) -> str | None:
    """A parent of zeros is none, as is one that is no id at all."""
    return value.hex() if is_id(value, SPAN_ID_BYTES) else None


def status_of(code: int) -> StatusCode:
    return StatusCode(code) if code in (1, 2) else StatusCode.UNSET


def source_of(resource: Attributes, scope: str) -> Source:
    sdk = " ".join(
        str(resource[key])
        for key in ("telemetry.sdk.language", "telemetry.sdk.name", "telemetry.sdk.version")
        if resource.get(key)
    )
    return Source(str(resource.get("service.name") or "")[:200], scope[:200], sdk[:200])
