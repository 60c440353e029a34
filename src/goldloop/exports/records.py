"""Results of evaluations as log records of OTLP. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, SeverityNumber

from goldloop.exports.model import Evaluation
from goldloop.otlp.conventions import EVALUATION_EVENT

LOGS_PATH = "/v1/logs"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def address(url: str) -> str:
    """Where log records go: below an endpoint as exporters are given it, or exactly where it says."""
    return url if url.rstrip("/").endswith(LOGS_PATH) else url.rstrip("/") + LOGS_PATH


def request(evaluations: Sequence[Evaluation], version: str, sent_at: datetime) -> bytes:
    made = ExportLogsServiceRequest()
    resource = made.resource_logs.add()
    resource.resource.attributes.extend(_pairs({"service.name": "goldloop", "service.version": version}))
    inner = resource.scope_logs.add()
    inner.scope.name = "goldloop"
    inner.scope.version = version
    inner.log_records.extend(_record(each, sent_at) for each in evaluations)
    content: bytes = made.SerializeToString()
    return content


def _record(evaluation: Evaluation, sent_at: datetime) -> LogRecord:
    known = {
        "gen_ai.evaluation.name": evaluation.name,
        "gen_ai.evaluation.score.value": evaluation.score,
        "gen_ai.evaluation.score.label": evaluation.label,
        "gen_ai.evaluation.explanation": evaluation.explanation,
        "gen_ai.conversation.id": evaluation.conversation_id,
    }
    attributes = {key: value for key, value in known.items() if value is not None} | evaluation.attributes
    return LogRecord(
        time_unix_nano=_nanoseconds(evaluation.at),
        observed_time_unix_nano=_nanoseconds(sent_at),
        severity_number=SeverityNumber.SEVERITY_NUMBER_INFO,
        event_name=EVALUATION_EVENT,
        attributes=_pairs(attributes),
        trace_id=bytes.fromhex(evaluation.trace_id or ""),
        span_id=bytes.fromhex(evaluation.span_id or ""),
    )


def _pairs(attributes: dict[str, str | float]) -> list[KeyValue]:
    return [
        KeyValue(
            key=key,
            value=AnyValue(string_value=value) if isinstance(value, str) else AnyValue(double_value=value),
        )
        for key, value in attributes.items()
    ]


def _nanoseconds(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000
