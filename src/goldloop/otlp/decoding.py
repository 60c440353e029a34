"""Bodies of requests, whichever way they are written: what they hold, and which spans of them can be used. Pure."""

import hashlib
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from goldloop.kit.errors import MalformedRequest, RequestTooLarge
from goldloop.otlp import json_decoding, protobuf_decoding
from goldloop.otlp.conventions import KEPT_EVENTS
from goldloop.otlp.model import Batch, Encoding, Signal
from goldloop.otlp.spans import SPAN_ID_BYTES, TRACE_ID_BYTES, LogRecord, Span, is_id

try:
    from isal import isal_zlib as deflate
except ImportError:  # on other processors: the same format, at several times the cost
    import zlib as deflate  # type: ignore[no-redef]

MOST_BYTES = 20 * 1024 * 1024  # of a body, compressed or not: what the specification recommends
_ID_BYTES = 20  # of a batch: two different bodies never share them; the same one, sent again, has the same
_AUTO = 47  # gzip or zlib, whichever it is
_RAW = -15  # neither: without a checksum, which costs a fifth
_GZIP = b"\x1f\x8b"
_HEAD_BYTES = 10  # of gzip: a time, and what wrote it


class Taken(NamedTuple):
    """What is kept of a request: None where it holds nothing to keep. `rejected` spans or records are not in it."""

    batch: Batch | None
    rejected: int
    message: str


def unpack(body: bytes) -> bytes:
    """Decompressed, however many members it has, up to MOST_BYTES and not a byte beyond."""
    parts: list[bytes] = []
    left, rest = MOST_BYTES, body
    try:
        while rest:
            unpacker = deflate.decompressobj(_AUTO)
            parts.append(unpacker.decompress(rest, left + 1))
            left -= len(parts[-1])
            if left < 0:
                raise RequestTooLarge(f"A request has at most {MOST_BYTES:,} bytes when it is decompressed")
            if not unpacker.eof:
                raise MalformedRequest("The compressed body ends before its end")
            rest = unpacker.unused_data
    except (zlib.error, deflate.error) as error:  # type: ignore[misc]  # its stub calls it an exception
        raise MalformedRequest(f"The body is not compressed as its header says: {error}") from error
    return b"".join(parts)


def pack(plain: bytes) -> bytes:
    packer = deflate.compressobj(deflate.Z_BEST_SPEED, wbits=_RAW)
    packed: bytes = packer.compress(plain) + packer.flush()
    return packed


def take_traces(body: bytes, plain: bytes, encoding: int) -> Taken:
    """`body` is as it came, `plain` the same decompressed."""
    request, lost = _parse_traces(plain, encoding)
    ids = (json_decoding if encoding & Encoding.JSON else protobuf_decoding).span_ids(request)
    trace_ids: dict[bytes, int] = {}
    without_ids = 0
    for trace_id, span_id in ids:
        if not is_id(span_id, SPAN_ID_BYTES):
            without_ids += 1
        elif trace_id in trace_ids:
            trace_ids[trace_id] += 1
        elif is_id(trace_id, TRACE_ID_BYTES):
            trace_ids[trace_id] = 1
        else:
            without_ids += 1
    message = _explain_spans(lost, without_ids, bool(trace_ids))
    return Taken(_batch(body, encoding, Signal.TRACES, trace_ids), lost + without_ids, message)


def take_logs(body: bytes, plain: bytes, encoding: int) -> Taken:
    """Only records that say something of agents are kept, and only those that belong to a trace can be used."""
    request, lost = _parse_logs(plain, encoding)
    trace_ids: dict[bytes, int] = {}
    without_ids = 0
    for record in (json_decoding if encoding & Encoding.JSON else protobuf_decoding).log_records(request):
        if record.event.name in KEPT_EVENTS:
            trace_id = bytes.fromhex(record.trace_id)
            if is_id(trace_id, TRACE_ID_BYTES):
                trace_ids[trace_id] = trace_ids.get(trace_id, 0) + 1
            else:
                without_ids += 1
    message = _explain_records(lost, without_ids)
    return Taken(_batch(body, encoding, Signal.LOGS, trace_ids), lost + without_ids, message)


def _batch(body: bytes, encoding: int, signal: Signal, trace_ids: dict[bytes, int]) -> Batch | None:
    if not trace_ids:
        return None
    if not encoding & Encoding.COMPRESSED:
        body, encoding = pack(body), encoding | Encoding.PACKED
    return Batch(_id_of(body), signal, encoding, sum(trace_ids.values()), body, tuple(trace_ids))


def _id_of(body: bytes) -> bytes:
    """Of what is stored, which is a tenth of what it holds; an exporter that tries again writes another time into the head."""
    content = memoryview(body)[_HEAD_BYTES:] if body.startswith(_GZIP) else body
    return hashlib.sha256(content).digest()[:_ID_BYTES]


def _explain_spans(lost: int, without_ids: int, any_good: bool) -> str:
    reasons = []
    if lost:
        reasons.append(f"{_spans(lost)} could not be read")
    if without_ids:
        reasons.append(f"{_spans(without_ids)} have no trace id of 16 bytes or no span id of 8 bytes")
        if not any_good:
            reasons.append("if these are log records, they belong to /v1/logs")
    return "; ".join(reasons) and f"{'; '.join(reasons)}. All others were stored."


def _spans(number: int) -> str:
    return f"{number} of the spans"


def _explain_records(lost: int, without_ids: int) -> str:
    reasons = []
    if lost:
        reasons.append(f"{lost} of the log records could not be read")
    if without_ids:
        reasons.append(
            f"{without_ids} of the log records name no trace, so nobody knows which session they are about"
        )
    return "; ".join(reasons) and f"{'; '.join(reasons)}. All others were taken."


def _parse_traces(plain: bytes, encoding: int) -> tuple[Any, int]:
    decoder = json_decoding if encoding & Encoding.JSON else protobuf_decoding
    found: tuple[Any, int] = decoder.parse_traces(plain)
    return found


def _parse_logs(plain: bytes, encoding: int) -> tuple[Any, int]:
    decoder = json_decoding if encoding & Encoding.JSON else protobuf_decoding
    found: tuple[Any, int] = decoder.parse_logs(plain)
    return found


class Decoded(NamedTuple):
    """A stored body, parsed; the spans of a trace are read from it one trace at a time."""

    signal: Signal
    encoding: int
    request: Any
    size: int

    def spans(self, trace_id: bytes) -> Iterator[Span]:
        if self.signal is Signal.TRACES:
            decoder = json_decoding if self.encoding & Encoding.JSON else protobuf_decoding
            yield from decoder.read_spans(self.request, trace_id)

    def records(self, trace_id: bytes) -> Iterator[LogRecord]:
        if self.signal is Signal.LOGS:
            decoder = json_decoding if self.encoding & Encoding.JSON else protobuf_decoding
            wanted = trace_id.hex()
            for record in decoder.log_records(self.request):
                if record.trace_id == wanted and record.event.name in KEPT_EVENTS:
                    yield record


def decode(signal: Signal, encoding: int, body: bytes) -> Decoded:
    if encoding & Encoding.PACKED:
        plain = zlib.decompress(body, _RAW)
    else:
        plain = unpack(body) if encoding & Encoding.COMPRESSED else body
    parse = _parse_traces if signal is Signal.TRACES else _parse_logs
    return Decoded(signal, encoding, parse(plain, encoding)[0], len(plain))
