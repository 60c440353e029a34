"""Calls of tools and what came of them, from what models asked for, the tools' own spans, and later messages. Pure."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from goldloop.otlp.drafts import Draft, Rank, digest
from goldloop.otlp.messages import ToolCall, new_part
from goldloop.otlp.requests import Request, key_of, milliseconds, origin_of
from goldloop.otlp.tool_spans import ToolSpan, call_id, join
from goldloop.otlp.values import text_of


class Called(NamedTuple):
    """A call that a model made; `nth` counts calls of the same id, for models use ids again."""

    request: Request
    place: int
    call: ToolCall
    nth: int


def calls_and_results(requests: Sequence[Request], tools: Sequence[ToolSpan], whole: bool) -> list[Draft]:
    """A tool's span that nobody asked for is not believed while the request that did may yet come, nor a result that only
    messages tell while the tool's span may."""
    called = _with_ids(_called(requests), requests)
    joined = join(tools, [(each.request.node.span.start, each.call) for each in called])
    by_call = {at: tools[place] for place, at in joined.items()}
    drafts: list[Draft] = []
    answered: set[str] = set()
    for at, each in enumerate(called):
        tool = by_call.get(at)
        may_be_named = each.call.id is None and tool is None
        drafts.append(_call_of_model(each, tool)._replace(is_unsure=may_be_named and not whole))
        if tool is not None:
            key = _name_of_call(each)
            drafts += _result_of_span(tool, _id_of(each, tool), each.call.name, key)
            answered |= {_id_of(each, tool), *([tool.id] if tool.id else [])}
    tells_nothing = bool(requests) and all(request.answer is None for request in requests)
    for place, tool in enumerate(tools):
        if place not in joined:
            key = f"{tool.id}:{digest([tool.name, tool.arguments])}:1" if tool.id else None
            alone = [_call_of_span(tool, key), *_result_of_span(tool, call_id(tool), tool.name, key)]
            drafts += [draft._replace(is_unsure=not (whole and tells_nothing)) for draft in alone]
            answered.add(call_id(tool))
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


def _with_ids(called: list[Called], requests: Sequence[Request]) -> list[Called]:
    """Some answers name no ids; the next request of the same run has them: of the same name, in the same order."""
    if all(each.call.id for each in called):
        return called
    following: dict[int, Request] = {}
    last: dict[int, Request] = {}
    for request in requests:
        run = id(request.node.agent)
        if run in last:
            following[id(last[run])] = request
        last[run] = request
    named: dict[int, dict[str, deque[str]]] = {}
    found = []
    for each in called:
        then = following.get(id(each.request))
        if each.call.id is None and then is not None:
            if id(then) not in named:
                named[id(then)] = _new_ids(each.request, then)
            if ids := named[id(then)].get(each.call.name):
                each = each._replace(call=each.call._replace(id=ids.popleft()))
        found.append(each)
    return found


def _new_ids(before: Request, after: Request) -> dict[str, deque[str]]:
    """The ids of calls that are in the history of the second and not of the first, by the names of the tools."""
    known = {call.id for message in before.input for call in message.calls}
    found: dict[str, deque[str]] = {}
    for call in (call for message in after.input for call in message.calls):
        if call.id and call.id not in known:
            found.setdefault(call.name, deque()).append(call.id)
    return found


def _name_of_call(each: Called) -> str | None:
    """The same for a call wherever it is told of: in an answer, in a later history, on a tool's span."""
    if each.call.id is None:
        return None
    return f"{each.call.id}:{digest([each.call.name, each.call.arguments])}:{each.nth}"


def _id_of(each: Called, tool: ToolSpan | None) -> str:
    return each.call.id or (call_id(tool) if tool else f"{each.request.node.span.span_id}-{each.place}")


def _call_of_model(each: Called, tool: ToolSpan | None) -> Draft:
    """The model's arguments win over the span's, which frameworks rewrite."""
    node = each.request.node
    arguments = each.call.arguments
    if arguments in ({}, "", None) and tool is not None:
        arguments = tool.arguments
    payload: dict[str, Any] = {"id": _id_of(each, tool), "name": each.call.name, "arguments": arguments}
    keys = each.request.keys(f"call:{each.place}")
    if tool is not None:
        keys += _tool_keys(tool, "call")
    if name := _name_of_call(each):
        keys += (f"call:{name}",)
    at = max(tool.node.span.start, node.span.start) if tool is not None else node.span.end
    payload |= origin_of(tool.node if tool is not None else node)
    return Draft("tool.call", at, Rank.CALL, node.run_depth, payload, keys)


def _tool_keys(tool: ToolSpan, part: str) -> tuple[str, ...]:
    return tuple(f"{key_of(each.span)}:{part}" for each in (tool.node, *tool.node.inner))


def _call_of_span(tool: ToolSpan, name: str | None) -> Draft:
    payload = {"id": call_id(tool), "name": tool.name, "arguments": tool.arguments, **origin_of(tool.node)}
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
    payload |= {"duration_ms": milliseconds(tool.node.span), **origin_of(tool.node)}
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
            payload = {
                "id": result.id,
                **({"name": name} if name else {}),
                **outcome,
                **origin_of(request.node),
            }
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
