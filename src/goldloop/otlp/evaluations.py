"""Results of evaluations that come with spans: `gen_ai.evaluation.result`, as a span's event or as a log record. Pure."""

from collections.abc import Iterable
from typing import Any

from goldloop.kit.numbers import is_number
from goldloop.otlp.conventions import EVALUATION_EVENT, content_of
from goldloop.otlp.drafts import Draft, Rank, digest
from goldloop.otlp.spans import LogRecord, Span, SpanEvent
from goldloop.otlp.values import given_id, read_json, text_of

_LONGEST = 20_000
_NAMED = {
    "name": "gen_ai.evaluation.name",
    "label": "gen_ai.evaluation.score.label",
    "explanation": "gen_ai.evaluation.explanation",
}
_KNOWN = {*_NAMED.values(), "gen_ai.evaluation.score.value", "event.name"}


def read_evaluations(spans: Iterable[Span], records: Iterable[LogRecord]) -> list[Draft]:
    """Each once, also where a record has become an event of its span."""
    found = [(span.trace_id, span.span_id, event) for span in spans for event in span.events]
    found += [(record.trace_id, record.span_id, record.event) for record in records]
    drafts = [_draft(*each) for each in found if each[2].name == EVALUATION_EVENT]
    return list({draft.keys: draft for draft in drafts}.values())


def _draft(trace_id: str, span_id: str, event: SpanEvent) -> Draft:
    content = content_of(event)
    payload: dict[str, Any] = {"trace_id": trace_id}
    if span_id:
        payload["span_id"] = span_id
    for name, key in _NAMED.items():
        if content.get(key) is not None:
            payload[name] = text_of(content[key])[:_LONGEST]
    score = read_json(content.get("gen_ai.evaluation.score.value"))
    if is_number(score):
        payload["score"] = score
    payload.setdefault("name", "unnamed")
    more = {key: value for key, value in content.items() if key not in _KNOWN}
    if more:
        payload["attributes"] = more
    response = given_id(content.get("gen_ai.response.id"))
    if response:
        payload["response_id"] = response
    key = f"{trace_id}:{span_id}:evaluation:{event.at}:{digest(payload)}"
    return Draft("evaluation.result", event.at, Rank.EVALUATION, 0, payload, (key,))
