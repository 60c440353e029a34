"""What the spans of one trace say happened: events of a session, how it ended, and whose it is. Pure.

The single source of how spans become events. The result depends on the set of spans alone: not on their order, their
batches, or how often they came. One call is counted once, however many spans report it; what lies within a tool or another
agent is told apart from the conversation.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from goldloop.otlp.drafts import Draft, Rank, in_order
from goldloop.otlp.evaluations import read_evaluations
from goldloop.otlp.identity import Found, find_agent, find_service, find_session, find_user
from goldloop.otlp.kinds import Kind
from goldloop.otlp.requests import Request, model_request, read_request
from goldloop.otlp.spans import LogRecord, Span, SpanEvent, StatusCode
from goldloop.otlp.speech import Exchange, answers_of, asides_of, exchange_of, user_messages
from goldloop.otlp.tool_calls import calls_and_results
from goldloop.otlp.tool_spans import read_tool
from goldloop.otlp.tree import Node, build, distinct, is_whole, kept, local_roots
from goldloop.otlp.usage import error_of
from goldloop.otlp.values import cleaned
from goldloop.sessions.model import SessionType

MOST_SPANS = 20_000  # of a trace that are read: more are a loop, and would keep others waiting
MAKES_SESSION = (Kind.MODEL, Kind.TOOL, Kind.AGENT)


class TraceStory(NamedTuple):
    """`session` is None where no span names one; `ended_at` is None while the trace's root has not come; `makes_session`
    is false for a trace of requests and queries without any agent in it."""

    makes_session: bool
    session: Found | None
    user: str | None
    agent: str | None
    service: str | None
    type: SessionType
    drafts: list[Draft]
    started_at: int
    ended_at: int | None
    error: str | None
    exchange: Exchange | None
    answer: str | None
    answer_span: str | None
    nodes: list[Node]
    requests: list[Request]


def tell(spans: Iterable[Span], records: Iterable[LogRecord] = ()) -> TraceStory:
    logged = list(records)
    everything = distinct(spans)
    known = _with_records(everything[:MOST_SPANS], logged)
    nodes = build(known)
    requests = [read_request(node) for node in kept(nodes, Kind.MODEL)]
    tools = [read_tool(node) for node in kept(nodes, Kind.TOOL)]
    user_drafts = user_messages(requests, nodes)
    answers = answers_of(requests, nodes)
    evaluations = read_evaluations(known, logged)
    drafts = in_order(
        [
            *user_drafts,
            *answers,
            *(model_request(request) for request in requests),
            *asides_of(requests),
            *calls_and_results(requests, tools, is_whole(known)),
            *evaluations,
            *_cut(everything),
        ]
    )
    roots = local_roots(known)
    return TraceStory(
        makes_session=bool(evaluations) or any(node.kind in MAKES_SESSION for node in nodes),
        session=find_session(nodes) or _session_of_records(logged),
        user=(found := find_user(nodes)) and found.value,
        agent=find_agent(nodes),
        service=next((service for node in nodes if (service := find_service(node.span))), None),
        type=_type_of(nodes),
        drafts=[draft._replace(payload=cleaned(draft.payload)) for draft in drafts],
        started_at=min((span.start for span in known), default=0),
        ended_at=max((root.end for root in roots), default=None),
        error=_failure(nodes, roots, answers),
        exchange=exchange_of(requests, user_drafts, answers),
        answer=str(answers[-1].payload["text"]) if answers else None,
        answer_span=str(answers[-1].payload["span_id"]) if answers else None,
        nodes=nodes,
        requests=requests,
    )


def _cut(spans: Sequence[Span]) -> list[Draft]:
    """That a trace has more spans than are read."""
    if len(spans) <= MOST_SPANS:
        return []
    last = spans[MOST_SPANS - 1]
    payload = {"trace_id": last.trace_id, "spans_read": MOST_SPANS}
    return [Draft("trace.cut", last.start, Rank.EVALUATION, 0, payload, (f"{last.trace_id}:cut",))]


def _with_records(spans: list[Span], records: Sequence[LogRecord]) -> list[Span]:
    """Log records as what they are: events of their spans, those of one time in the order of their request."""
    if not records:
        return spans
    ordered: dict[str, dict[str, SpanEvent]] = {}
    for record in sorted(records, key=lambda each: (each.event.at, each.place, repr(each.event))):
        ordered.setdefault(record.span_id, {}).setdefault(repr(record.event), record.event)
    return [span._replace(events=(*span.events, *ordered.get(span.span_id, {}).values())) for span in spans]


def _session_of_records(records: Sequence[LogRecord]) -> Found | None:
    """Of an evaluation that comes without the spans that it is about."""
    from_records = [
        Span(
            r.trace_id,
            r.span_id,
            None,
            False,
            "",
            0,
            0,
            StatusCode.UNSET,
            "",
            r.event.attributes,
            (),
            r.source,
        )
        for r in records
    ]
    return find_session([Node(span, Kind.OTHER, None, 0, 0, None, None) for span in from_records])


def _type_of(nodes: Sequence[Node]) -> SessionType:
    kinds = {node.kind for node in nodes}
    if Kind.AGENT in kinds or {Kind.MODEL, Kind.TOOL} <= kinds:
        return SessionType.AGENT
    return (
        SessionType.CHAT
        if Kind.MODEL in kinds
        else SessionType.TOOL
        if Kind.TOOL in kinds
        else SessionType.AGENT
    )


def _failure(nodes: Sequence[Node], roots: Sequence[Span], answers: Sequence[Draft]) -> str | None:
    """Why the trace failed: its root did, or an agent, a step or a request after the last answer. A root that says that all
    is well is not believed."""
    answered_at = max((draft.at for draft in answers), default=-1)
    failed = [
        node
        for node in nodes
        if node.kind in (Kind.AGENT, Kind.CHAIN, Kind.MODEL)
        and node.run_depth == 0
        and node.span.end > answered_at
        and error_of(node.span) is not None
    ]
    for root in roots:
        if (why := error_of(root)) is not None:
            return why
    last = max(failed, key=lambda node: (node.depth, node.span.end, node.span.span_id), default=None)
    return error_of(last.span) if last is not None else None
