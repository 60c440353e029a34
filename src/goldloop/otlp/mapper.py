"""What the spans of one trace say happened: events of a session, how it ended, and whose it is. Pure.

The single source of how spans become events. The result depends on the set of spans alone: not on their order, their
batches, or how often they came. One call is counted once, however many spans report it; what lies within a tool or another
agent is told apart from the conversation.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from goldloop.otlp.conventions import answered_by, input_of, output_of, spoken_to
from goldloop.otlp.drafts import Draft, Rank, digest, in_order
from goldloop.otlp.evaluations import read_evaluations
from goldloop.otlp.identity import Found, find_agent, find_service, find_session, find_user, name_of
from goldloop.otlp.kinds import Kind
from goldloop.otlp.messages import Message, Role, ToolCall, first_answer, new_part
from goldloop.otlp.spans import LogRecord, Span, StatusCode
from goldloop.otlp.tool_spans import ToolSpan, join, read_tool
from goldloop.otlp.tree import Node, build, distinct, is_whole, kept, local_roots
from goldloop.otlp.usage import error_of, finish_of, model_of, usage_of
from goldloop.otlp.values import cleaned, text_of
from goldloop.sessions.model import SessionType

MAKES_SESSION = (Kind.MODEL, Kind.TOOL, Kind.AGENT)


class Exchange(NamedTuple):
    """What a person said and what the agent answered in the end."""

    user: str
    assistant: str
    at: int


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
    nodes: list[Node]
    requests: "list[Request]"


class Request(NamedTuple):
    """A request to a model, from the span that counts, and what an inner span adds to it."""

    node: Node
    input: list[Message]
    answer: Message | None

    @property
    def key(self) -> str:
        return _key(self.node.span)

    def keys(self, part: str) -> tuple[str, ...]:
        """The names of a part of it, by each span that reports the request."""
        return tuple(f"{_key(each.span)}:{part}" for each in (self.node, *self.node.inner))


class Called(NamedTuple):
    """A call that a model made; `nth` counts calls of the same id, for models use ids again."""

    request: Request
    place: int
    call: ToolCall
    nth: int


def tell(spans: Iterable[Span], records: Iterable[LogRecord] = ()) -> TraceStory:
    logged = list(records)
    known = _with_records(distinct(spans), logged)
    nodes = build(known)
    requests = [_request(node) for node in kept(nodes, Kind.MODEL)]
    tools = [read_tool(node) for node in kept(nodes, Kind.TOOL)]
    said = _user_messages(requests, nodes)
    answers = _answers(requests, nodes)
    evaluations = read_evaluations(known, logged)
    drafts = in_order(
        [
            *said,
            *answers,
            *(_model_request(request) for request in requests),
            *_asides(requests),
            *_calls_and_results(requests, tools, is_whole(known)),
            *evaluations,
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
        exchange=_exchange(requests, said, answers),
        answer=str(answers[-1].payload["text"]) if answers else None,
        nodes=nodes,
        requests=requests,
    )


def _key(span: Span) -> str:
    return f"{span.trace_id}:{span.span_id}"


def _with_records(spans: list[Span], records: Sequence[LogRecord]) -> list[Span]:
    """Log records as what they are: events of their spans."""
    if not records:
        return spans
    of_span: dict[str, dict[str, Any]] = {}
    for record in records:
        of_span.setdefault(record.span_id, {})[repr(record.event)] = record.event
    return [
        span._replace(
            events=(*span.events, *(events[key] for key in sorted(events, key=lambda k: (events[k].at, k))))
        )
        if (events := of_span.get(span.span_id))
        else span
        for span in spans
    ]


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


def _request(node: Node) -> Request:
    spans = [node.span, *(inner.span for inner in node.inner)]
    asked = next((found for span in spans if (found := input_of(span))), [])
    answer = next((found for span in spans if (found := first_answer(output_of(span)))), None)
    return Request(node, asked, answer)


def _about(node: Node) -> dict[str, Any]:
    """Where an event comes from, and whose it is where that is not the agent that a person talks to."""
    about: dict[str, Any] = {"trace_id": node.span.trace_id, "span_id": node.span.span_id}
    if node.span.parent_id:
        about["parent_span_id"] = node.span.parent_id
    if name := name_of(node):
        about["agent"] = name
    if node.run_depth:
        about["depth"] = node.run_depth
    if node.call is not None:
        about["parent_call_id"] = _call_id(read_tool(node.call))
    return about


def _model_request(request: Request) -> Draft:
    node = request.node
    spans = [node.span, *(inner.span for inner in node.inner)]
    payload: dict[str, Any] = {
        "model": next((name for span in spans if (name := model_of(span)) != "unknown"), "unknown"),
        **next((usage for span in spans if (usage := usage_of(span))), {}),
        "duration_ms": _milliseconds(node.span),
        **_about(node),
    }
    if finish := next((found for span in spans if (found := finish_of(span))), None):
        payload["finish_reasons"] = finish
    if why := next((error for span in spans if (error := error_of(span))), None):
        payload["error"] = why
    return Draft("model.request", node.span.start, Rank.MODEL, node.run_depth, payload, request.keys("model"))


def _milliseconds(span: Span) -> int:
    return max(0, span.end - span.start) // 1_000_000


def _user_messages(requests: Sequence[Request], nodes: Sequence[Node]) -> list[Draft]:
    """What people said: what is new in the requests of the outermost run, else what the topmost agent was given."""
    found: dict[str, Draft] = {}
    in_trace: Counter[str] = Counter()
    outer = [request for request in requests if request.node.run_depth == 0]
    for request in outer:
        new = new_part(request.input)
        before = request.input[: len(request.input) - len(new)]
        for text, nth in _counted(before, new):
            if (key := f"user:{digest(text)}:{nth}") not in found:
                in_trace[text] += 1
                found[key] = _user_message(request.node, text, key, in_trace[text])
    if found:
        return list(found.values())
    heard = {m.text for request in outer for m in request.input if m.role is Role.USER}
    for node in nodes:
        if node.kind not in (Kind.AGENT, Kind.CHAIN) or node.run_depth:
            continue
        before, new = spoken_to(node.span)
        for text, nth in _counted(before, new):
            if text not in heard:
                in_trace[text] += 1
                key = f"user:{digest(text)}:{nth}" if before else ""
                found[text] = _user_message(node, text, key, in_trace[text])
        if found:
            break
    return list(found.values())


def _user_message(node: Node, text: str, key: str, nth_in_trace: int) -> Draft:
    """Known by its text and how often that was said, and by its place in the trace, where the history is not known."""
    by_trace = f"{node.span.trace_id}:user:{digest(text)}:{nth_in_trace}"
    keys = (key, by_trace) if key else (by_trace,)
    return Draft("user.message", node.span.start, Rank.USER, 0, {"text": text, **_about(node)}, keys)


def _counted(before: Sequence[Message], new: Sequence[Message]) -> list[tuple[str, int]]:
    """New texts of the user, each with how often it was said by then."""
    times = Counter(m.text for m in before if m.role is Role.USER)
    found = []
    for message in new:
        if message.role is Role.USER and message.text.strip():
            times[message.text] += 1
            found.append((message.text, times[message.text]))
    return found


def _answers(requests: Sequence[Request], nodes: Sequence[Node]) -> list[Draft]:
    """What the agent of the outermost run said, in order. Where no request to a model is reported, what it returned."""
    found = [
        Draft(
            "agent.message",
            request.node.span.end,
            Rank.AGENT,
            0,
            {"text": request.answer.text, **_about(request.node)},
            (*request.keys("answer"), f"{request.node.span.trace_id}:answer:{digest(request.answer.text)}"),
        )
        for request in requests
        if request.node.run_depth == 0 and request.answer is not None and request.answer.text.strip()
    ]
    if found or requests:
        return sorted(found, key=lambda draft: (draft.at, draft.keys))
    for node in nodes:
        if node.kind is Kind.AGENT and node.run_depth == 0 and error_of(node.span) is None:
            answer = first_answer(answered_by(node.span))
            if answer is not None and answer.text.strip():
                keys = (f"{node.span.trace_id}:answer:{digest(answer.text)}",)
                payload = {"text": answer.text, **_about(node)}
                return [Draft("agent.message", node.span.end, Rank.AGENT, 0, payload, keys)]
    return []


def _asides(requests: Sequence[Request]) -> list[Draft]:
    """What is said in runs within the run: between agents, and not to a person."""
    found: list[Draft] = []
    for request in requests:
        node = request.node
        if node.run_depth == 0:
            continue
        heard = [m.text for m in new_part(request.input) if m.role is Role.USER and m.text.strip()]
        said = [request.answer.text] if request.answer and request.answer.text.strip() else []
        for place, (role, text) in enumerate(
            [*(("user", t) for t in heard), *(("assistant", t) for t in said)]
        ):
            at, rank = (node.span.start, Rank.USER) if role == "user" else (node.span.end, Rank.AGENT)
            payload = {"role": role, "text": text, **_about(node)}
            found.append(
                Draft("subagent.message", at, rank, node.run_depth, payload, request.keys(f"said:{place}"))
            )
    return found


def _calls_and_results(requests: Sequence[Request], tools: Sequence[ToolSpan], whole: bool) -> list[Draft]:
    """A tool's span that nobody asked for is not believed while the request that did may yet come, nor a result that only
    messages tell while the tool's span may."""
    called = _called(requests)
    joined = join(tools, [(each.request.node.span.start, each.call) for each in called])
    by_call = {at: tools[place] for place, at in joined.items()}
    drafts: list[Draft] = []
    answered: set[str] = set()
    for at, each in enumerate(called):
        tool = by_call.get(at)
        drafts.append(_call_of_model(each, tool))
        if tool is not None:
            key = _name_of_call(each)
            drafts += _result_of_span(tool, _id_of(each, tool), each.call.name, key)
            answered |= {_id_of(each, tool), *([tool.id] if tool.id else [])}
    tells_nothing = bool(requests) and all(request.answer is None for request in requests)
    for place, tool in enumerate(tools):
        if place not in joined:
            key = f"{tool.id}:{digest([tool.name, tool.arguments])}:1" if tool.id else None
            alone = [_call_of_span(tool, key), *_result_of_span(tool, _call_id(tool), tool.name, key)]
            drafts += [draft._replace(is_unsure=not (whole and tells_nothing)) for draft in alone]
            answered.add(_call_id(tool))
    of_messages = _results_of_messages(requests, answered)
    return [*drafts, *(draft._replace(is_unsure=not whole) for draft in of_messages)]


def _called(requests: Sequence[Request]) -> list[Called]:
    found = []
    for request in requests:
        if request.answer is None:
            continue
        before = Counter(call.id for m in request.input for call in m.calls)
        for place, call in enumerate(request.answer.calls):
            found.append(Called(request, place, call, before[call.id] + 1))
    return found


def _name_of_call(each: Called) -> str | None:
    """The same for a call wherever it is told of: in an answer, in a later history, on a tool's span."""
    if each.call.id is None:
        return None
    return f"{each.call.id}:{digest([each.call.name, each.call.arguments])}:{each.nth}"


def _call_id(tool: ToolSpan) -> str:
    return tool.id or tool.node.span.span_id


def _id_of(each: Called, tool: ToolSpan | None) -> str:
    return each.call.id or (_call_id(tool) if tool else f"{each.request.node.span.span_id}-{each.place}")


def _call_of_model(each: Called, tool: ToolSpan | None) -> Draft:
    """The model's arguments win over the span's, which frameworks rewrite."""
    node = each.request.node
    arguments = each.call.arguments
    if arguments in ({}, "", None) and tool is not None:
        arguments = tool.arguments
    payload = {"id": _id_of(each, tool), "name": each.call.name, "arguments": arguments}
    keys = each.request.keys(f"call:{each.place}")
    if tool is not None:
        keys += _tool_keys(tool, "call")
    if name := _name_of_call(each):
        keys += (f"call:{name}",)
    at = max(tool.node.span.start, node.span.start) if tool is not None else node.span.end
    about = _about(tool.node if tool is not None else node)
    return Draft("tool.call", at, Rank.CALL, node.run_depth, {**payload, **about}, keys)


def _tool_keys(tool: ToolSpan, part: str) -> tuple[str, ...]:
    return tuple(f"{_key(each.span)}:{part}" for each in (tool.node, *tool.node.inner))


def _call_of_span(tool: ToolSpan, name: str | None) -> Draft:
    payload = {"id": _call_id(tool), "name": tool.name, "arguments": tool.arguments, **_about(tool.node)}
    keys = _tool_keys(tool, "call") + ((f"call:{name}",) if name else ())
    return Draft("tool.call", tool.node.span.start, Rank.CALL, tool.node.run_depth, payload, keys)


def _result_of_span(tool: ToolSpan, call_id: str, name: str, key: str | None) -> list[Draft]:
    payload: dict[str, Any] = {"id": call_id, "name": name}
    if tool.error is not None:
        payload["error"] = tool.error
        if tool.result is not None and tool.result != tool.error:
            payload["output"] = tool.result
    else:
        payload["result"] = tool.result
    payload |= {"duration_ms": _milliseconds(tool.node.span), **_about(tool.node)}
    keys = _tool_keys(tool, "result") + ((f"result:{key}",) if key else ())
    return [Draft("tool.result", tool.node.span.end, Rank.RESULT, tool.node.run_depth, payload, keys)]


def _results_of_messages(requests: Sequence[Request], answered: set[str]) -> list[Draft]:
    """Results that only the next request tells, for tools without a span."""
    found: dict[str, Draft] = {}
    for request in requests:
        new = new_part(request.input)
        calls: dict[str, list[ToolCall]] = {}
        for message in request.input:
            for call in message.calls:
                if call.id:
                    calls.setdefault(call.id, []).append(call)
        for result in (result for message in new for result in message.results):
            if result.id is None or result.id in answered:
                continue
            same = calls.get(result.id, [])
            name = same[-1].name if same else result.name
            about = digest([same[-1].name, same[-1].arguments]) if same else ""
            key = f"result:{result.id}:{about}:{max(1, len(same))}"
            outcome = {"error": text_of(result.result)} if result.is_error else {"result": result.result}
            payload = {"id": result.id, **({"name": name} if name else {}), **outcome, **_about(request.node)}
            found.setdefault(
                key,
                Draft(
                    "tool.result",
                    request.node.span.start,
                    Rank.RESULT_OF_MESSAGES,
                    request.node.run_depth,
                    payload,
                    (key,),
                ),
            )
    return list(found.values())


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


def _exchange(
    requests: Sequence[Request], said: Sequence[Draft], answers: Sequence[Draft]
) -> Exchange | None:
    if not answers:
        return None
    answer = answers[-1]
    if said:
        asked, at = "\n\n".join(str(draft.payload["text"]) for draft in said), said[0].at
    else:
        of = next((r for r in requests if r.node.span.span_id == answer.payload["span_id"]), None)
        heard = [m.text for m in of.input if m.role is Role.USER and m.text.strip()] if of else []
        if of is None or not heard:
            return None
        asked, at = heard[-1], of.node.span.start
    return Exchange(cleaned(asked), cleaned(str(answer.payload["text"])), at)
