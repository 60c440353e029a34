"""Requests of many workspaces that use the same ids, with spans among them that no exporter should send."""

from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan

from tests.otlp.turns import said
from tests.otlp.wire import MILLISECOND, request, span

SPANS = 50  # of a request
SESSIONS = 6  # that come of it
REJECTED = 4  # of its spans
DAY = 86_400_000  # milliseconds
MEGABYTE = 1024 * 1024


def hostile_request(workspace: str, number: int, *, megabyte: bool = False) -> ExportTraceServiceRequest:
    """Trace ids and names of sessions are the same in every workspace; what is spoken names the workspace."""
    spans: list[WireSpan] = []
    for place in range(SESSIONS):
        spans += _turn(workspace, number, place, megabyte=megabyte and place == 0)
    trace = _trace_id(number, SESSIONS)
    noise = [
        span(50 + at, trace=trace, name="GET /", url__path="/") for at in range(SPANS - len(spans) - REJECTED)
    ]
    return request(*_wrong_ids(trace), *spans, *noise, service=workspace)


def session_names(number: int) -> list[str]:
    return [f"s-{number}-{place}" for place in range(SESSIONS)]


def _trace_id(number: int, place: int) -> int:
    return 1 + number * (SESSIONS + 1) + place


def _turn(workspace: str, number: int, place: int, *, megabyte: bool) -> list[WireSpan]:
    skew = (0, DAY, -DAY)[place % 3]  # clocks that are a day off
    trace = _trace_id(number, place)
    attributes: dict[str, Any] = {
        **said(f"{workspace} asks", f"{workspace} is answered"),
        "session__id": f"s-{number}-{place}",
        "nul": "before \x00 after",
        "bytes": b"\x00\xff",
        "deep": [[[[[["deep"]]]]]],
    }
    if megabyte:
        attributes["large"] = "x" * MEGABYTE
    ask = span(1, trace=trace, start=skew, end=skew + 5, **attributes)
    tools = [
        span(2 + at, 1, trace=trace, start=skew + at, name="execute_tool look", gen_ai__tool__name="look")
        for at in range(5)
    ]
    tools[0].end_time_unix_nano = (
        tools[0].start_time_unix_nano - 1000 * MILLISECOND
    )  # it ended before it began
    return [ask, *tools]


def _wrong_ids(trace: int) -> list[WireSpan]:
    wrong = [span(90 + at, trace=trace, name="wrong") for at in range(REJECTED)]
    wrong[0].trace_id = b"short"
    wrong[1].span_id = b"much too long for one"
    wrong[2].trace_id = bytes(16)
    wrong[3].span_id = b""
    return wrong
