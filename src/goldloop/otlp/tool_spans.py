"""What a tool's own span tells: name, id, arguments, result. Pure."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from goldloop.otlp.conventions import CHOICE_EVENT, content_of, details_of
from goldloop.otlp.drafts import digest
from goldloop.otlp.identity import bare_name
from goldloop.otlp.messages import ToolCall, result_value
from goldloop.otlp.spans import Span
from goldloop.otlp.tree import TOOL_IDS, TOOL_NAMES, Node, given
from goldloop.otlp.usage import error_of
from goldloop.otlp.values import given_id, read_printed, read_structure

_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "langfuse.observation.input",
    "traceloop.entity.input",
    "mlflow.spanInputs",
    "gcp.vertex.agent.tool_call_args",
    "input.value",
    "gen_ai.prompt",
)
_RESULTS = (
    "gen_ai.tool.call.result",
    "tool_response",
    "ai.toolCall.result",
    "ai.toolCall.output",
    "langfuse.observation.output",
    "traceloop.entity.output",
    "mlflow.spanOutputs",
    "gcp.vertex.agent.tool_response",
    "output.value",
    "gen_ai.completion",
)
_MISSING = object()


class ToolSpan(NamedTuple):
    """`result` is None where there is none, also when the tool answered nothing."""

    node: Node
    name: str
    id: str | None
    arguments: Any
    result: Any
    error: str | None


def call_id(tool: ToolSpan) -> str:
    return tool.id or tool.node.span.span_id


def read_tool(node: Node) -> ToolSpan:
    """Of several spans of one call the outermost speaks first."""
    spans = [node.span, *(inner.span for inner in node.inner)]
    result, id_within, failed = _result(spans)
    error = next((why for span in spans if (why := error_of(span))), None)
    if failed and error is None:
        error = result if isinstance(result, str) else "The tool says that it failed"
    tool = ToolSpan(
        node,
        _first_id(spans, TOOL_NAMES)
        or bare_name(node.span.name.removeprefix("execute_tool ").removesuffix(".tool")),
        _first_id(spans, TOOL_IDS) or id_within,
        _arguments(spans),
        result,
        error,
    )
    node.called = call_id(tool)
    return tool


def _first_id(spans: Sequence[Span], keys: Sequence[str]) -> str | None:
    return next((found for span in spans if (found := given(span, keys))), None)


def _first_value(spans: Sequence[Span], keys: Sequence[str], event: str, part: str) -> Any:
    for span in spans:
        for key in keys:
            if (value := span.attributes.get(key)) is not None:
                return value
        for each in span.events:
            if each.name == event and (value := content_of(each).get(part)) is not None:
                return value
    return _MISSING


def _arguments(spans: Sequence[Span]) -> Any:
    given = _first_value(spans, _ARGUMENTS, "gen_ai.tool.message", "content")
    if given is _MISSING:
        asked = [m for span in spans for m in details_of(span, "gen_ai.input.messages")]
        return next((call.arguments for message in asked for call in message.calls), {})
    value = read_printed(given)
    if isinstance(value, dict):
        if "input_str" in value:  # LangChain's callback, as Traceloop has it
            return read_printed(value["input_str"])
        if isinstance(inner := value.get("kwargs"), dict) and set(value) <= {
            "args",
            "kwargs",
            "sanitize_inputs_outputs",
        }:
            return inner if not value.get("args") else {**inner, "args": value["args"]}
    return value


def _result(spans: Sequence[Span]) -> tuple[Any, str | None, bool]:
    """What came back, the id of the call where only the result has it, and whether it says of itself that it failed."""
    given = _first_value(spans, _RESULTS, CHOICE_EVENT, "message")
    if given is _MISSING:
        messages = [each for span in spans for each in details_of(span, "gen_ai.output.messages")]
        found = next((result for message in messages for result in message.results), None)
        return (found.result, found.id, found.is_error) if found else (None, None, False)
    value = read_structure(given)
    if isinstance(value, dict) and "output" in value and set(value) <= {"output", "kwargs"}:
        value = read_structure(value["output"])
    if isinstance(value, dict):
        inner = value.get("kwargs") if "lc" in value else value.get("data")
        message = inner if isinstance(inner, dict) else value
        if "tool_call_id" in message and "content" in message:  # LangChain's ToolMessage, in one of its forms
            failed = message.get("status") == "error"
            return result_value(message["content"]), given_id(message["tool_call_id"]), failed
    return result_value(value), None, False


def join(tools: Sequence[ToolSpan], asked: Sequence[tuple[int, ToolCall]]) -> dict[int, int]:
    """Which tool span answers which call of a model: by id, else the same name and equal arguments, else the same name,
    asked before and answered by nobody else. `asked` has when each request began (a span of a stream may end after the tools
    that it asked for); both are in order."""
    found: dict[int, int] = {}
    taken: set[int] = set()

    def take(key_of_tool: Callable[[ToolSpan], Any], key_of_call: Callable[[ToolCall], Any]) -> None:
        """Those whose keys are equal, the first asked first; whoever has no key is left out."""
        waiting: dict[Any, deque[int]] = {}
        for at, (_, call) in enumerate(asked):
            if at not in taken and (key := key_of_call(call)) is not None:
                waiting.setdefault(key, deque()).append(at)
        for place, tool in enumerate(tools):
            if place in found or (key := key_of_tool(tool)) is None or not (same := waiting.get(key)):
                continue
            if asked[same[0]][0] <= tool.node.span.start:
                found[place] = same.popleft()
                taken.add(found[place])

    take(lambda tool: tool.id, lambda call: call.id)
    take(
        lambda tool: (tool.name, digest([tool.arguments])), lambda call: (call.name, digest([call.arguments]))
    )
    take(lambda tool: tool.name if tool.id else None, lambda call: None if call.id else call.name)
    take(lambda tool: None if tool.id else tool.name, lambda call: call.name)
    return found
