"""What spans tell, read as the worker reads them."""

from collections.abc import Iterable
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan

from goldloop.otlp import protobuf_decoding
from goldloop.otlp.mapper import TraceStory, tell
from tests.otlp.wire import request


def stories(
    traces: Iterable[ExportTraceServiceRequest], logs: Iterable[ExportLogsServiceRequest] = ()
) -> list[TraceStory]:
    """Of each trace, in the order of their beginnings."""
    requests = list(traces)
    records = [record for each in logs for record in protobuf_decoding.log_records(each)]
    ids = dict.fromkeys(trace_id for each in requests for trace_id, _ in protobuf_decoding.span_ids(each))
    found = [
        tell(
            [span for each in requests for span in protobuf_decoding.read_spans(each, trace_id)],
            [record for record in records if record.trace_id == trace_id.hex()],
        )
        for trace_id in ids
    ]
    return sorted(found, key=lambda story: (story.started_at, story.ended_at or 0))


def story(*spans: WireSpan, scope: str = "test") -> TraceStory:
    (only,) = stories([request(*spans, scope=scope)])
    return only


def told(of: TraceStory, kind: str) -> list[dict[str, Any]]:
    return [draft.payload for draft in of.drafts if draft.type == kind]


def texts(of: TraceStory, kind: str) -> list[str]:
    return [payload["text"] for payload in told(of, kind)]


def calls(of: TraceStory) -> list[tuple[str, Any]]:
    return [(payload["name"], payload["arguments"]) for payload in told(of, "tool.call")]


def results(of: TraceStory) -> list[Any]:
    return [payload.get("result", payload.get("error")) for payload in told(of, "tool.result")]
