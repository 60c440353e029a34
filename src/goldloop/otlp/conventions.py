"""Where the conventions put what was said to a model and what it answered: one table of readers, asked in order. Pure.

A new convention is a row here. A reader returns nothing where its attributes are not there.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from goldloop.otlp.messages import Message, Role, ToolCall, new_part, read_messages
from goldloop.otlp.spans import Attributes, Span, SpanEvent
from goldloop.otlp.values import read_json, read_structure

Reader = Callable[[Span], list[Message]]

_INDEX = re.compile(r"[0-9]{1,5}")
_EVENT_ROLES = {
    "gen_ai.system.message": Role.SYSTEM,
    "gen_ai.user.message": Role.USER,
    "gen_ai.assistant.message": Role.ASSISTANT,
    "gen_ai.tool.message": Role.TOOL,
}
DETAILS_EVENT = "gen_ai.client.inference.operation.details"
CHOICE_EVENT = "gen_ai.choice"
EVALUATION_EVENT = "gen_ai.evaluation.result"
KEPT_EVENTS = frozenset({*_EVENT_ROLES, DETAILS_EVENT, CHOICE_EVENT, EVALUATION_EVENT})  # of log records


def input_of(span: Span) -> list[Message]:
    """The messages of a request to a model."""
    return _first(_INPUT, span)


def output_of(span: Span) -> list[Message]:
    return _first(_OUTPUT, span)


def spoken_to(span: Span) -> tuple[list[Message], list[Message]]:
    """What an agent or a step was given: what was said before, and what is new."""
    everything = read_structure(span.attributes.get("pydantic_ai.all_messages"))
    if isinstance(everything, list):
        index = read_json(span.attributes.get("pydantic_ai.new_message_index"))
        begins = index if isinstance(index, int) and 0 <= index <= len(everything) else 0
        return read_messages(everything[:begins], Role.USER), read_messages(everything[begins:], Role.USER)
    found = _first(_AGENT_INPUT, span)
    new = new_part(found)
    return found[: len(found) - len(new)], new


def answered_by(span: Span) -> list[Message]:
    """What an agent or a step answered."""
    return _first(_AGENT_OUTPUT, span)


def _first(readers: Sequence[Reader], span: Span) -> list[Message]:
    for read in readers:
        found = read(span)
        if any(m.texts or m.calls or m.results for m in found):
            return found
    return []


def _attribute(key: str, said_by: Role) -> Reader:
    return lambda span: read_messages(span.attributes.get(key), said_by)


def _structure(key: str, said_by: Role) -> Reader:
    """Only an object or a list: a bare text there may be anything."""

    def read(span: Span) -> list[Message]:
        value = read_structure(span.attributes.get(key))
        return read_messages(value, said_by) if isinstance(value, dict | list) else []

    return read


def _flat(prefix: str, wrapper: str | None, said_by: Role) -> Reader:
    """Messages whose parts are an attribute each: `llm.input_messages.0.message.content`."""

    def read(span: Span) -> list[Message]:
        found = _nested(span.attributes, prefix)
        if not isinstance(found, list):
            return []
        inner = [each.get(wrapper, each) if wrapper and isinstance(each, dict) else each for each in found]
        return read_messages([_unwrapped(each) for each in inner], said_by)

    return read


def _nested(attributes: Attributes, prefix: str) -> Any:
    """Attributes with dots in their names as objects and lists."""
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if not key.startswith(prefix):
            continue
        at = tree
        *path, last = key[len(prefix) :].split(".")
        for step in path:
            inner = at.setdefault(step, {})
            if not isinstance(inner, dict):
                break
            at = inner
        else:
            if not isinstance(at.get(last), dict):
                at[last] = value
    return _as_lists(tree)


def _as_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _as_lists(each) for key, each in value.items()}
    if inner and all(_INDEX.fullmatch(key) for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def _unwrapped(message: Any) -> Any:
    """OpenInference's wrappers within a message: `tool_calls.0.tool_call`, `contents.0.message_content`."""
    if not isinstance(message, dict):
        return message
    found = dict(message)
    for key, wrapper in (("tool_calls", "tool_call"), ("contents", "message_content")):
        if isinstance(parts := found.get(key), list):
            found[key] = [part.get(wrapper, part) if isinstance(part, dict) else part for part in parts]
    if found.get("content") and found.get("contents"):
        del found["contents"]  # the same twice
    if isinstance(found.get("tool_calls"), list) and "role" not in found:
        found["role"] = "assistant"
    return found


def _events_input(span: Span) -> list[Message]:
    found: list[Message] = []
    for event in _ordered(span.events):
        if event.name == DETAILS_EVENT:
            found += read_messages(content_of(event).get("gen_ai.input.messages"), Role.USER)
        elif event.name == "gen_ai.content.prompt":
            found += read_messages(event.attributes.get("gen_ai.prompt"), Role.USER)
        elif (role := _EVENT_ROLES.get(event.name)) is not None:
            found += _of_event(event, role)
    return found


def _said_in(event: SpanEvent) -> list[Message]:
    """Nothing where it tells only of the request: some send another with the answer."""
    return read_messages(content_of(event).get("gen_ai.output.messages"), Role.ASSISTANT)


def _events_output(span: Span) -> list[Message]:
    for event in _ordered(span.events):
        if event.name == DETAILS_EVENT and (found := _said_in(event)):
            return found
        if event.name == "gen_ai.content.completion":
            return read_messages(event.attributes.get("gen_ai.completion"), Role.ASSISTANT)
        if event.name == CHOICE_EVENT:
            content = content_of(event)
            inner = read_structure(content.get("message", content))
            if isinstance(inner, dict):
                inner = {"role": "assistant", "content": None, **inner}
            return read_messages(inner, Role.ASSISTANT)
    return []


def details_of(span: Span, key: str) -> list[Message]:
    """The messages that events with the details of an operation have under a key."""
    return [
        message
        for event in _ordered(span.events)
        if event.name == DETAILS_EVENT
        for message in read_messages(content_of(event).get(key), Role.TOOL)
    ]


def _ordered(events: Sequence[SpanEvent]) -> list[SpanEvent]:
    """By time, and by place where emitters give all of them the same."""
    return sorted(events, key=lambda event: event.at)


def content_of(event: SpanEvent) -> dict[str, Any]:
    """What an event says: its body where it is a log record, else its attributes, and what these have as JSON."""
    found = dict(event.attributes)
    within = read_structure(found.pop("gen_ai.event.content", None))  # of the SDKs of Azure
    if isinstance(within, dict):
        found |= within
    elif isinstance(within, str | list):
        found.setdefault("content", within)
    body = read_structure(event.body)
    return {**found, **body} if isinstance(body, dict) else found


def _of_event(event: SpanEvent, role: Role) -> list[Message]:
    content = content_of(event)
    known = {
        key: content[key] for key in ("content", "tool_calls", "id", "tool_call_id", "name") if key in content
    }
    return read_messages({"content": None, **known, "role": str(role)}, role)


def _listed_events(key: str, wanted: bool) -> Reader:
    """Events in one attribute, as older versions of pydantic-ai have them; `wanted` are the answers."""

    def read(span: Span) -> list[Message]:
        found = read_structure(span.attributes.get(key))
        if not isinstance(found, list):
            return []
        events = [
            SpanEvent(str(each.get("event.name")), place, {}, each)
            for place, each in enumerate(found)
            if isinstance(each, dict)
        ]
        again = span._replace(events=tuple(events))
        return _events_output(again) if wanted else _events_input(again)

    return read


def _vercel_output(span: Span) -> list[Message]:
    text = span.attributes.get("ai.response.text") or span.attributes.get("ai.response.object")
    asked = read_structure(span.attributes.get("ai.response.toolCalls"))
    listed = [each for each in asked if isinstance(each, dict)] if isinstance(asked, list) else []
    messages = [m for each in listed for m in read_messages({**each, "type": "tool-call"}, Role.ASSISTANT)]
    made: tuple[ToolCall, ...] = tuple(call for m in messages for call in m.calls)
    texts = (text,) if isinstance(text, str) and text.strip() else ()
    return [Message(Role.ASSISTANT, texts, made)] if texts or made else []


def _adk_output(span: Span) -> list[Message]:
    """An answer of Gemini, which Google's ADK writes without the candidates around it."""
    answer = read_structure(span.attributes.get("gcp.vertex.agent.llm_response"))
    content = answer.get("content") if isinstance(answer, dict) else None
    return read_messages({"role": "model", **content}, Role.ASSISTANT) if isinstance(content, dict) else []


def _task(span: Span) -> list[Message]:
    """The one text among the arguments of an agent's function."""
    for key in _AGENT_VALUES:
        value = read_json(span.attributes.get(key))
        text = single_text(value)
        if text is not None:
            return [Message(Role.USER, (text,))]
        within = value.get("inputs", value) if isinstance(value, dict) else value
        if isinstance(within, dict | list) and (found := read_messages(within, Role.USER)):
            return found
    return []


_NAMES = (
    "task",
    "message",
    "question",
    "query",
    "prompt",
    "input",
    "text",
    "user_input",
    "user_message",
    "content",
)


def single_text(value: Any) -> str | None:
    """The text of a value that is one, or has one: by a name that says so, or as its only argument."""
    if isinstance(value, str):
        return value if value.strip() else None
    if not isinstance(value, dict) or "messages" in value:
        return None
    if set(value) <= {"args", "kwargs"}:
        given = [*(value.get("args") or []), *(value.get("kwargs") or {}).values()]
        texts = [each for each in given if isinstance(each, str) and each.strip()]
        return texts[0] if len(texts) == 1 else single_text(value.get("kwargs"))
    for name in _NAMES:
        if isinstance(text := value.get(name), str) and text.strip():
            return text
    texts = [each for each in value.values() if isinstance(each, str) and each.strip()]
    return texts[0] if len(texts) == 1 and len(value) == 1 else None


_AGENT_VALUES = (
    "langfuse.observation.input",
    "traceloop.entity.input",
    "gen_ai.task.input",
    "gen_ai.prompt",
    "ai.prompt",
    "mlflow.spanInputs",
    "input.value",
    "genkit:input",
    "gen_ai.input",
    "input",
)

_INPUT: tuple[Reader, ...] = (
    _attribute("gen_ai.input.messages", Role.USER),
    _flat("llm.input_messages.", "message", Role.USER),
    _attribute("langfuse.observation.input", Role.USER),
    _attribute("ai.prompt.messages", Role.USER),
    _attribute("ai.prompt", Role.USER),
    _flat("gen_ai.prompt.", None, Role.USER),
    _flat("llm.prompts.", None, Role.USER),
    _attribute("gen_ai.prompt", Role.USER),
    _events_input,
    _listed_events("events", False),
    _structure("request_data", Role.USER),
    _attribute("mlflow.spanInputs", Role.USER),
    _attribute("genkit:input", Role.USER),
    _structure("gcp.vertex.agent.llm_request", Role.USER),
    _structure("input.value", Role.USER),
    _structure("traceloop.entity.input", Role.USER),
)
_OUTPUT: tuple[Reader, ...] = (
    _attribute("gen_ai.output.messages", Role.ASSISTANT),
    _flat("llm.output_messages.", "message", Role.ASSISTANT),
    _attribute("langfuse.observation.output", Role.ASSISTANT),
    _vercel_output,
    _flat("gen_ai.completion.", None, Role.ASSISTANT),
    _flat("llm.completions.", None, Role.ASSISTANT),
    _attribute("gen_ai.completion", Role.ASSISTANT),
    _events_output,
    _listed_events("events", True),
    _structure("response_data", Role.ASSISTANT),
    _attribute("mlflow.spanOutputs", Role.ASSISTANT),
    _attribute("genkit:output", Role.ASSISTANT),
    _adk_output,
    _attribute("output.value", Role.ASSISTANT),
    _structure("traceloop.entity.output", Role.ASSISTANT),
)
_AGENT_INPUT: tuple[Reader, ...] = (
    _attribute("gen_ai.input.messages", Role.USER),
    _attribute("ai.prompt.messages", Role.USER),
    _events_input,
    _listed_events("all_messages_events", False),
    _task,
)
_AGENT_OUTPUT: tuple[Reader, ...] = (
    _attribute("final_result", Role.ASSISTANT),
    _attribute("gen_ai.output.messages", Role.ASSISTANT),
    _events_output,
    _attribute("ai.response.text", Role.ASSISTANT),
)
