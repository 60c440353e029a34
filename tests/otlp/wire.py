"""Requests of exporters, made and taken apart: captures, spans of one's own, other batches, JSON."""

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan

CAPTURES = Path(__file__).parents[1] / "data" / "otlp"
BEGAN = 1_794_819_000_000_000_000
MILLISECOND = 1_000_000


def captured(name: str) -> tuple[list[ExportTraceServiceRequest], list[ExportLogsServiceRequest]]:
    folder = CAPTURES / name
    traces = [
        ExportTraceServiceRequest.FromString(f.read_bytes()) for f in sorted(folder.glob("*-traces.pb"))
    ]
    logs = [ExportLogsServiceRequest.FromString(f.read_bytes()) for f in sorted(folder.glob("*-logs.pb"))]
    return traces, logs


def value_of(value: Any) -> AnyValue:
    if isinstance(value, bool):
        return AnyValue(bool_value=value)
    if isinstance(value, int):
        return AnyValue(int_value=value)
    if isinstance(value, float):
        return AnyValue(double_value=value)
    if isinstance(value, bytes):
        return AnyValue(bytes_value=value)
    if isinstance(value, list):
        return AnyValue(array_value=ArrayValue(values=[value_of(each) for each in value]))
    if isinstance(value, dict):
        return AnyValue(kvlist_value=KeyValueList(values=pairs(value)))
    return AnyValue(string_value=str(value))


def pairs(attributes: dict[str, Any]) -> list[KeyValue]:
    return [KeyValue(key=key, value=value_of(value)) for key, value in attributes.items()]


def span(
    span_id: int,
    parent: int = 0,
    *,
    trace: int = 1,
    name: str = "span",
    start: int = 0,
    end: int | None = None,
    error: str | None = None,
    with_events: Sequence[tuple[str, dict[str, Any]]] = (),
    flags: int = 0x100,
    kind: int = 0,
    **attributes: Any,
) -> WireSpan:
    """Times are in milliseconds after BEGAN; dots in the names of attributes are written `__`."""
    made = WireSpan(
        trace_id=trace.to_bytes(16, "big"),
        span_id=span_id.to_bytes(8, "big"),
        parent_span_id=parent.to_bytes(8, "big") if parent else b"",
        name=name,
        flags=flags,
        kind=kind,  # type: ignore[arg-type]
        start_time_unix_nano=BEGAN + start * MILLISECOND,
        end_time_unix_nano=BEGAN + (start + 1 if end is None else end) * MILLISECOND,
        attributes=pairs({key.replace("__", "."): value for key, value in attributes.items()}),
        events=[
            WireSpan.Event(name=kind, time_unix_nano=BEGAN + start * MILLISECOND, attributes=pairs(said))
            for kind, said in with_events
        ],
    )
    if error is not None:
        made.status.code = 2  # type: ignore[assignment]
        made.status.message = error
    return made


def request(*spans: WireSpan, scope: str = "test", service: str = "weather-bot") -> ExportTraceServiceRequest:
    made = ExportTraceServiceRequest()
    resource = made.resource_spans.add()
    resource.resource.attributes.extend(
        pairs({"service.name": service, "telemetry.sdk.name": "opentelemetry"})
    )
    inner = resource.scope_spans.add()
    inner.scope.name = scope
    inner.spans.extend(spans)
    return made


def apart(requests: Iterable[ExportTraceServiceRequest]) -> list[ExportTraceServiceRequest]:
    """Each span in a request of its own."""
    found = []
    for whole in requests:
        for resource in whole.resource_spans:
            for scope in resource.scope_spans:
                for each in scope.spans:
                    one = ExportTraceServiceRequest()
                    outer = one.resource_spans.add()
                    outer.resource.CopyFrom(resource.resource)
                    inner = outer.scope_spans.add()
                    inner.scope.CopyFrom(scope.scope)
                    inner.spans.append(each)
                    found.append(one)
    return found


def shuffled(
    requests: Iterable[ExportTraceServiceRequest], seed: int, most: int = 5
) -> Iterator[ExportTraceServiceRequest]:
    """The same spans in another order and other batches, a third of them twice."""
    chance = random.Random(seed)
    spans = apart(requests)
    spans += [each for each in spans if chance.random() < 0.34]
    chance.shuffle(spans)
    while spans:
        batch = ExportTraceServiceRequest()
        for one in spans[: (size := chance.randint(1, most))]:
            batch.resource_spans.extend(one.resource_spans)
        del spans[:size]
        yield batch


def as_json(message: ExportTraceServiceRequest | ExportLogsServiceRequest) -> dict[str, Any]:
    """As OTLP writes it: ids in hexadecimal, enums as numbers."""
    written: dict[str, Any] = MessageToDict(message, use_integers_for_enums=True)

    def mend(value: Any) -> Any:
        if isinstance(value, list):
            return [mend(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: _hex(each) if key in ("traceId", "spanId", "parentSpanId") else mend(each)
            for key, each in value.items()
        }

    found: dict[str, Any] = mend(written)
    return found


def _hex(text: str) -> str:
    import base64

    return base64.b64decode(text).hex()
