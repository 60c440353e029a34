"""Messages of a conversation with a model, out of the forms that providers and frameworks give them. Pure.

One reader takes them all, by what is there and not by who sent it: parts are told by their `type`, then by their keys, and
never by the role of their message alone.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from goldloop.otlp.values import given_id, read_json, read_printed, read_structure

_DEEPEST = 8  # wrappers around messages
_MOST = 5000  # messages of one request


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class ToolCall(NamedTuple):
    id: str | None
    name: str
    arguments: Any


class ToolResult(NamedTuple):
    id: str | None
    name: str | None
    result: Any
    is_error: bool = False


class Message(NamedTuple):
    role: Role
    texts: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "aimessagechunk": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "tool-response": Role.TOOL,
    "tool-call": Role.ASSISTANT,
    "ipython": Role.TOOL,
}
_CLASSES = {  # of LangChain, by which it names its constructors
    "SystemMessage": Role.SYSTEM,
    "HumanMessage": Role.USER,
    "AIMessage": Role.ASSISTANT,
    "ToolMessage": Role.TOOL,
    "FunctionMessage": Role.TOOL,
}
_CALLS = {"tool_call", "tool_use", "tool-call", "function_call", "toolcall", "server_tool_use", "mcp_call"}
_RESULTS = {
    "tool_call_response",
    "tool_result",
    "tool-result",
    "function_call_output",
    "function_response",
    "tool_return",
}
_TEXTS = {"text", "input_text", "output_text"}
_UNSPOKEN = {"reasoning", "thinking", "redacted_thinking"}  # what a model says to itself
_FAILED = {"error", "failed"}
_ITEMS = _CALLS | _RESULTS | _UNSPOKEN  # of the Responses API, which are messages without a role
_BARE_TYPES = _TEXTS | {"tool_use", "tool_result", "tool_call", "tool-call", "tool_call_response"}
_BARE_KEYS = {"text", "toolUse", "toolResult", "functionCall", "functionResponse"}
_CONTENTS = ("content", "parts", "contents", "tool_calls", "blocks", "text")


def read_messages(value: Any, said_by: Role) -> list[Message]:
    """`said_by` is who speaks where a value does not tell: a bare text of an input is the user's."""
    found = list(_messages(read_structure(value), said_by, 0))
    return _merged(found[:_MOST])


def _messages(value: Any, said_by: Role, deep: int) -> Iterable[Message]:
    if deep > _DEEPEST or value is None:
        return
    if isinstance(value, str):
        if value.strip():
            yield Message(said_by, (value,))
    elif isinstance(value, list):
        if value and all(isinstance(each, list) for each in value):  # a batch: one request has one
            value = value[0]
        if any(map(_is_part, value)) and not any(map(_has_role, value)):  # without a message around them
            yield _of_parts(said_by, value)
            return
        for each in value:
            yield from _messages(read_structure(each), said_by, deep + 1)
    elif isinstance(value, dict):
        yield from _of_object(value, said_by, deep)


def _of_object(value: dict[str, Any], said_by: Role, deep: int) -> Iterable[Message]:
    if isinstance(inner := value.get("kwargs"), dict) and "lc" in value:  # LangChain's constructors
        name = str((value.get("id") or [""])[-1])
        role = next((role for known, role in _CLASSES.items() if name.startswith(known)), None)
        yield from _of_message({"role": role, **inner} if role else inner, said_by)
    elif isinstance(inner := value.get("data"), dict) and "content" in inner:
        yield from _of_message({"type": value.get("type"), **inner}, said_by)
    elif _is_message(value):
        yield from _of_message(value, said_by)
    elif isinstance(inner := value.get("message"), dict | list):
        yield from _messages(inner, Role.ASSISTANT if said_by is Role.ASSISTANT else said_by, deep + 1)
    else:
        yield from _wrapped(value, said_by, deep)


def _wrapped(value: dict[str, Any], said_by: Role, deep: int) -> Iterable[Message]:
    """Requests and answers of providers: the messages in them, after the instructions."""
    for key in ("system", "instructions", "system_instruction"):
        if isinstance(text := value.get(key), str) and text.strip():
            yield Message(Role.SYSTEM, (text,))
    for key in ("messages", "contents", "history", "chat_history"):
        if value.get(key):
            yield from _messages(read_structure(value[key]), said_by, deep + 1)
            return
    for key in ("choices", "candidates", "generations"):
        if isinstance(found := value.get(key), list) and found:
            first = found[0][0] if isinstance(found[0], list) and found[0] else found[0]
            yield from _choice(first, deep)
            return
    for key in ("input", "prompt", "output", "outputs", "result", "text"):
        inner = read_structure(value.get(key))
        if isinstance(inner, str | list | dict) and inner:
            yield from _messages(inner, said_by, deep + 1)
            return


def _choice(choice: Any, deep: int) -> Iterable[Message]:
    if not isinstance(choice, dict):
        return
    for key in ("message", "content", "text"):
        if inner := choice.get(key):
            yield from _messages(read_structure(inner), Role.ASSISTANT, deep + 1)
            return


def _is_message(value: dict[str, Any]) -> bool:
    if str(value.get("type")) in _ITEMS:
        return True
    has_role = role_of(value) is not None
    return has_role and any(key in value for key in _CONTENTS)


def role_of(value: dict[str, Any]) -> Role | None:
    for key in ("role", "type"):
        if isinstance(name := value.get(key), str) and (role := _ROLES.get(name.lower())):
            return role
    return None


def _of_message(value: dict[str, Any], said_by: Role) -> Iterable[Message]:
    if str(value.get("type")) in _ITEMS and "role" not in value:
        yield _of_parts(Role.ASSISTANT if value["type"] in _CALLS | _UNSPOKEN else Role.TOOL, [value])
        return
    role = role_of(value) or said_by
    if role is Role.USER and not value.get("tool_calls") and given_id(value.get("tool_call_id")):
        role = Role.TOOL  # Anthropic has results in the user's name, and OpenInference leaves it there
    content = value.get("parts") or value.get("contents") or value.get("blocks")
    if content is None:
        content = read_structure(value.get("content", value.get("text")))
    if role is Role.TOOL:
        if (result := _of_tool_message(value, content)) is not None:
            yield result
        return
    message = _of_parts(role, content if isinstance(content, list) else [content])
    asked = read_structure(value.get("tool_calls") or [])
    calls = tuple(call for each in asked if (call := _call(each))) if isinstance(asked, list) else ()
    if isinstance(legacy := value.get("function_call"), dict) and (call := _call(legacy)):
        calls += (call,)
    known = {call.id for call in message.calls if call.id}  # Anthropic's through LangChain name theirs twice
    yield message._replace(calls=message.calls + tuple(call for call in calls if call.id not in known))


def _of_tool_message(value: dict[str, Any], content: Any) -> Message | None:
    """None for definitions of tools, which some send as if a tool had said them. What a tool was asked, a model said."""
    parts = content if isinstance(content, list) else [content]
    calls = tuple(call for part in parts if (call := _part_call(part)) is not None)
    if calls:
        return Message(Role.ASSISTANT, calls=calls)
    results = tuple(result for part in parts if (result := _result(part)) is not None)
    if results:
        return Message(Role.TOOL, results=results)
    call_id = given_id(value.get("tool_call_id") or value.get("id") or value.get("toolCallId"))
    if call_id is None and _is_definition(content):
        return None
    texts = [text for part in parts if (text := _text(part)) is not None]
    returned = "\n".join(texts) if texts else content
    is_error = str(value.get("status")) in _FAILED
    return Message(Role.TOOL, results=(ToolResult(call_id, given_id(value.get("name")), returned, is_error),))


def _is_definition(content: Any) -> bool:
    return isinstance(content, dict) and (
        "function" in content or "parameters" in content or "input_schema" in content
    )


def _of_parts(role: Role, parts: Iterable[Any]) -> Message:
    texts: list[str] = []
    calls: list[ToolCall] = []
    results: list[ToolResult] = []
    for part in parts:
        if (result := _result(part)) is not None:
            results.append(result)
        elif (call := _part_call(part)) is not None:
            calls.append(call)
        elif (text := _text(part)) is not None and text.strip():
            texts.append(text)
    if results and not texts and not calls:
        role = Role.TOOL
    return Message(role, tuple(texts), tuple(calls), tuple(results))


def _has_role(value: Any) -> bool:
    return isinstance(value, dict) and "role" in value


def _is_part(value: Any) -> bool:
    if not isinstance(value, dict) or "role" in value:
        return False
    return str(value.get("type")) in _BARE_TYPES or (bool(value) and value.keys() <= _BARE_KEYS)


def _text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return None
    kind = part.get("type", part.get("block_type"))
    if (isinstance(kind, str) and kind.lower() in _UNSPOKEN) or part.get("thought") is True:
        return None
    if kind is not None and str(kind).lower() not in _TEXTS:
        return None
    for key in ("content", "text"):
        inner = part.get(key)
        if isinstance(inner, dict):  # as the Assistants API has it
            inner = inner.get("value")
        if isinstance(inner, str):
            return inner
    return None


def _part_call(part: Any) -> ToolCall | None:
    if not isinstance(part, dict):
        return None
    for key in ("toolUse", "functionCall", "function_call"):
        if isinstance(inner := part.get(key), dict):
            return _call(inner)
    return _call(part) if str(part.get("type")).lower() in _CALLS else None


def _call(value: Any) -> ToolCall | None:
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    about = {**value, **inner} if isinstance(inner, dict) else value
    name = about.get("name") or about.get("toolName") or about.get("tool_name")
    if not isinstance(name, str) or not name:
        return None
    given: Any = next(
        (about[key] for key in ("arguments", "args", "input", "parameters") if about.get(key) is not None), {}
    )
    call_id = next(
        (
            found
            for key in ("call_id", "id", "toolCallId", "toolUseId", "tool_call_id")
            if (found := given_id(about.get(key)))
        ),
        None,
    )
    return ToolCall(call_id, name, read_printed(given))


def _result(part: Any) -> ToolResult | None:
    if not isinstance(part, dict):
        return None
    for key in ("toolResult", "functionResponse", "function_response"):
        if isinstance(inner := part.get(key), dict):
            return _read_result(inner)
    return _read_result(part) if str(part.get("type")).lower() in _RESULTS else None


def _read_result(value: dict[str, Any]) -> ToolResult:
    call_id = next(
        (
            found
            for key in ("tool_use_id", "call_id", "tool_call_id", "toolCallId", "toolUseId", "id")
            if (found := given_id(value.get(key)))
        ),
        None,
    )
    given = next(
        (value[key] for key in ("response", "result", "output", "content") if value.get(key) is not None),
        None,
    )
    is_error = (
        value.get("is_error") is True or value.get("isError") is True or str(value.get("status")) in _FAILED
    )
    name = given_id(value.get("name") or value.get("toolName"))
    return ToolResult(call_id, name, result_value(given), is_error)


def result_value(value: Any) -> Any:
    """A result as what it says: the text of its parts, or the structure that it is."""
    found = read_structure(value)
    if isinstance(found, list) and found and all(_text(part) is not None for part in found):
        return "\n".join(str(_text(part)) for part in found)
    if isinstance(found, dict) and set(found) == {"type", "value"}:  # the AI SDK wraps them
        return found["value"]
    if isinstance(found, str) and len(found) >= 2 and found[0] == found[-1] == '"':
        inner = read_json(found)
        return inner if isinstance(inner, str) else found
    return found


def _merged(messages: list[Message]) -> list[Message]:
    """Items of one answer as one message: a text, and the calls that follow it."""
    merged: list[Message] = []
    for message in messages:
        last = merged[-1] if merged else None
        if last and last.role is message.role is Role.ASSISTANT and (not last.texts or not message.texts):
            merged[-1] = last._replace(texts=last.texts + message.texts, calls=last.calls + message.calls)
        else:
            merged.append(message)
    return merged


def first_answer(messages: list[Message]) -> Message | None:
    """What a model answered: of several choices the first."""
    return next((m for m in messages if m.role is Role.ASSISTANT and (m.texts or m.calls)), None)


def new_part(messages: list[Message]) -> list[Message]:
    """What is new in a request: all that comes after the last message of the assistant."""
    last = max((at for at, m in enumerate(messages) if m.role is Role.ASSISTANT), default=-1)
    return messages[last + 1 :]
