"""Reads the events of a session into what is compared and replayed: its tool calls with their results, what the agent
said, and which records it changed. Pure.

A result answers the call of its id. Where programs use an id twice, it answers the last call that has no answer yet.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from goldloop.evals.arguments import parse_arguments
from goldloop.evals.model import UNKNOWN, InvalidSession, ToolShape
from goldloop.evals.tool_names import looks_writing


class Call(msgspec.Struct, kw_only=True):
    """`place` counts the events from 0, `message` the messages of the agent: calls of one message were made at once. A call
    without a result counts as one that worked: nobody says that it failed. `key` is made when a comparison asks for it."""

    place: int
    message: int
    id: Any
    name: str
    arguments: Any
    result: Any = None
    error: Any = None
    is_answered: bool = False
    source: str | None = None
    key: Any = None

    @property
    def failed(self) -> bool:
        return self.error is not None


class Recorded(msgspec.Struct, kw_only=True):
    """`texts` are those of the agent, with their places; `changes` the events of records."""

    type: str
    status: str
    calls: list[Call]
    texts: list[tuple[int, str]]
    changes: list[tuple[int, str, Mapping[str, Any]]]
    output: Any = None
    tools: dict[str, ToolShape] = {}

    @property
    def final_text(self) -> str:
        if self.texts:
            return self.texts[-1][1]
        return self.output if isinstance(self.output, str) else ""


CHANGES = ("entity.created", "entity.updated", "entity.deleted")
_OF_MODELS = ("model.request", "model.response")
_MESSAGES = (*_OF_MODELS, "user.message", "agent.message")


def read_session(session: Any, path: str) -> Recorded:
    """Raises InvalidSession where it is none; `path` is how the caller knows it."""
    if not isinstance(session, Mapping):
        raise InvalidSession(path, "a session is an object with type, status and events")
    for key in ("type", "status"):
        if not isinstance(session.get(key), str):
            raise InvalidSession(f"{path}.{key}", "a session has a type and a status, as text")
    events = session.get("events")
    if not isinstance(events, Sequence) or isinstance(events, str | bytes):
        raise InvalidSession(f"{path}.events", "a session has a list of events")
    reader = EventReader()
    try:
        for event in events:
            reader.read(event)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidSession(
            f"{path}.events[{reader.place}]", "an event has a type, and a tool call the name of its tool"
        ) from error
    return Recorded(
        type=session["type"],
        status=session["status"],
        calls=reader.calls,
        texts=reader.texts,
        changes=reader.changes,
        output=session.get("output"),
        tools=read_tools(session.get("tools"), f"{path}.tools"),
    )


class EventReader:
    """Reads events one by one, in their order: of a session that is over, or of one that goes on."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.texts: list[tuple[int, str]] = []
        self.changes: list[tuple[int, str, Mapping[str, Any]]] = []
        self._waiting: dict[Any, Call] = {}
        self.place = -1  # of the last event
        self._message = 0
        self._answered = self._has_model = False

    def read(self, event: Mapping[str, Any]) -> Call | None:
        """The call that it makes or answers."""
        self.place += 1
        kind, payload = event["type"], event.get("payload") or {}
        if kind == "tool.call":
            return self._call(payload)
        if kind == "tool.result":
            self._answered = True
            return _answer(self._waiting, payload)
        if kind in _MESSAGES:
            self._message, self._answered = self._message + 1, False
            self._has_model = self._has_model or kind in _OF_MODELS
            if kind == "agent.message" and (text := payload.get("text")):
                self.texts.append((self.place, text))
        elif kind in CHANGES:
            self.changes.append((self.place, kind, payload))
        return None

    def _call(self, payload: Mapping[str, Any]) -> Call:
        # Where nobody tells of requests, what follows an answer is another message.
        if self._answered and not self._has_model:
            self._message, self._answered = self._message + 1, False
        call = Call(
            place=self.place,
            message=self._message,
            id=payload.get("id"),
            name=payload["name"],
            arguments=_parsed(payload.get("arguments")),
        )
        self.calls.append(call)
        self._waiting[call.id] = call
        return call


def _answer(waiting: dict[Any, Call], payload: Mapping[str, Any]) -> Call | None:
    call = waiting.pop(payload.get("id"), None)
    if call is None:
        if not waiting:
            return None
        _, call = waiting.popitem()
    call.is_answered = True
    call.result, call.error = payload.get("result"), payload.get("error")
    call.source = payload.get("answered_by")
    return call


def _parsed(arguments: Any) -> Any:
    """Arguments as models send them may be a text of JSON."""
    if isinstance(arguments, str) and arguments.lstrip()[:1] == "{":
        return parse_arguments(arguments)
    return {} if arguments is None else arguments


def read_tools(tools: Any, path: str) -> dict[str, ToolShape]:
    """What is known of tools by their names. Raises InvalidSession for what is no such thing."""
    if not tools:
        return {}
    if not isinstance(tools, Mapping):
        raise InvalidSession(path, "tools are an object, by their names")
    return {name: _read_tool(tool, f"{path}.{name}") for name, tool in tools.items()}


def _read_tool(tool: Any, path: str) -> ToolShape:
    if isinstance(tool, ToolShape):
        return tool
    try:
        return msgspec.convert(tool, ToolShape)
    except msgspec.ValidationError as error:
        raise InvalidSession(path, str(error)) from error


class Tools:
    """The tools of a golden and of its replay. The golden's word counts where both have one; `guessed` are the writes of
    which nobody says so."""

    def __init__(self, shapes: Mapping[str, ToolShape]) -> None:
        self.shapes = shapes
        self.guessed: set[str] = set()
        self._writes: dict[str, bool] = {}

    def shape(self, name: str) -> ToolShape:
        return self.shapes.get(name, UNKNOWN)

    def writes(self, name: str) -> bool:
        known = self._writes.get(name)
        if known is None:
            known = self._writes[name] = self._find_writes(name)
        return known

    def _find_writes(self, name: str) -> bool:
        stated = self.shape(name).writes
        if stated is not None:
            return stated
        if looks_writing(name):
            self.guessed.add(name)
            return True
        return False
