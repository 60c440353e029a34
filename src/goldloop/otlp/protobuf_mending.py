"""Rewrites an OTLP request that the parser refuses: text that is no UTF-8 gets U+FFFD, and a span or record that still
cannot be read is left out. Pure.

It walks the wire format by a table of the fields that hold text or messages; all other fields are copied.
"""

from typing import Any, NamedTuple

from google.protobuf.message import DecodeError

from goldloop.kit.errors import MalformedRequest

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_DEEPEST = 60  # messages within each other; the parser takes a hundred
_TEXT = "text"

# Of each message: its fields that hold text, and those that hold another message, by its name here.
_FIELDS: dict[str, dict[int, str]] = {
    "traces": {1: "resource_spans"},
    "resource_spans": {1: "resource", 2: "scope_spans", 3: _TEXT},
    "scope_spans": {1: "scope", 2: "span", 3: _TEXT},
    "span": {3: _TEXT, 5: _TEXT, 9: "pair", 11: "event", 13: "link", 15: "status"},
    "event": {2: _TEXT, 3: "pair"},
    "link": {3: _TEXT, 4: "pair"},
    "status": {2: _TEXT},
    "logs": {1: "resource_logs"},
    "resource_logs": {1: "resource", 2: "scope_logs", 3: _TEXT},
    "scope_logs": {1: "scope", 2: "record", 3: _TEXT},
    "record": {3: _TEXT, 5: "value", 6: "pair", 12: _TEXT},
    "resource": {1: "pair"},
    "scope": {1: _TEXT, 2: _TEXT, 3: "pair"},
    "pair": {1: _TEXT, 2: "value"},
    "value": {1: _TEXT, 5: "values", 6: "pairs"},
    "values": {1: "value"},
    "pairs": {1: "pair"},
}
TRACES, LOGS = "traces", "logs"
_UNITS = {"span": (TRACES, (1, 2, 2)), "record": (LOGS, (1, 2, 2))}  # where one lies within a request


class _Broken(Exception):
    """These bytes are no message."""


class _Field(NamedTuple):
    number: int
    wire: int
    head: bytes  # the tag
    content: bytes  # of a field with a length without that length


def mend(body: bytes, kind: str, request: Any) -> tuple[bytes, int]:
    """The request as the parser takes it, and how many spans or records it lost."""
    try:
        lost = [0]
        return _mended(body, kind, request, lost, 0), lost[0]
    except _Broken as error:
        raise MalformedRequest("The body is not an OTLP request in protobuf") from error


def _mended(body: bytes, kind: str, request: Any, lost: list[int], deep: int) -> bytes:
    if deep > _DEEPEST:
        raise _Broken
    parts: list[bytes] = []
    for field in _fields(body):
        inner = _FIELDS[kind].get(field.number) if field.wire == _BYTES else None
        if inner is None:
            parts.append(field.head + (_sized(field.content) if field.wire == _BYTES else field.content))
            continue
        try:
            content = _mended_field(field.content, inner, request, lost, deep)
        except _Broken:
            if inner not in _UNITS:
                raise
            lost[0] += 1
            continue
        parts.append(field.head + _sized(content))
    return b"".join(parts)


def _mended_field(content: bytes, inner: str, request: Any, lost: list[int], deep: int) -> bytes:
    if inner == _TEXT:
        return content.decode(errors="replace").encode()
    mended = _mended(content, inner, request, lost, deep + 1)
    if inner in _UNITS and not _is_read(mended, inner, request):
        raise _Broken
    return mended


def _is_read(unit: bytes, kind: str, request: Any) -> bool:
    """Whether the parser takes this span or record, alone in a request."""
    alone = unit
    for number in reversed(_UNITS[kind][1]):
        alone = _varint(number << 3 | _BYTES) + _sized(alone)
    try:
        request.FromString(alone)
    except DecodeError:
        return False
    return True


def _fields(body: bytes) -> list[_Field]:
    found: list[_Field] = []
    at = 0
    while at < len(body):
        began = at
        tag, at = _read_varint(body, at)
        head, wire, number = body[began:at], tag & 7, tag >> 3
        size = 0
        if wire == _VARINT:
            _, end = _read_varint(body, at)
            size = end - at
        elif wire == _BYTES:
            size, at = _read_varint(body, at)
        elif wire in (_FIXED64, _FIXED32):
            size = 8 if wire == _FIXED64 else 4
        if number == 0 or wire in (3, 4, 6, 7) or at + size > len(body):
            raise _Broken
        found.append(_Field(number, wire, head, body[at : at + size]))
        at += size
    return found


def _read_varint(body: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(body):
            raise _Broken
        byte = body[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise _Broken


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def _sized(content: bytes) -> bytes:
    return _varint(len(content)) + content
