"""What exporters are answered: partial success and `google.rpc.Status`, in protobuf and JSON. Pure."""

from typing import Any

import msgspec
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from goldloop.otlp.model import Signal

_CODES = {400: 3, 401: 16, 403: 7, 404: 5, 405: 12, 413: 11, 415: 3, 503: 14}  # of google.rpc.Code
_UNKNOWN = 2


def success(signal: Signal, rejected: int, message: str, *, as_json: bool) -> bytes:
    """Empty where all was taken: an empty message in protobuf, `{}` in JSON."""
    if not rejected and not message:
        return b"{}" if as_json else b""
    if as_json:  # where 64-bit numbers are texts
        key = "rejectedSpans" if signal is Signal.TRACES else "rejectedLogRecords"
        return msgspec.json.encode({"partialSuccess": {key: str(rejected), "errorMessage": message}})
    made: Any = ExportTraceServiceResponse() if signal is Signal.TRACES else ExportLogsServiceResponse()
    if signal is Signal.TRACES:
        made.partial_success.rejected_spans = rejected
    else:
        made.partial_success.rejected_log_records = rejected
    made.partial_success.error_message = message
    content: bytes = made.SerializeToString()
    return content


def status(http_status: int, message: str, *, as_json: bool) -> bytes:
    """Fields 1 and 2 of `google.rpc.Status`: the code and the message."""
    code = _CODES.get(http_status, _UNKNOWN)
    if as_json:
        return msgspec.json.encode({"code": code, "message": message})
    text = message.encode()
    return bytes([0x08, code, 0x12]) + _length(len(text)) + text


def _length(value: int) -> bytes:
    """As a varint; messages are cut long before they would need three bytes."""
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80, value >> 7])
