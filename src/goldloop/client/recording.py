"""Sessions that are recorded while they run, around a block of the program that runs them.

`with client.session(agent="x") as s:` begins one; `s` has a method for each kind of event; leaving the block ends it. All of
it goes through the background queue: nothing here waits for the network, and nothing here raises.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

import msgspec

from goldloop.client.ids import Id, new_id
from goldloop.client.json_values import MOST_BYTES, encode_object
from goldloop.client.quiet import log, never_raising
from goldloop.client.sessions import SessionMethods, event_body

if TYPE_CHECKING:
    from goldloop.client.background import Background

Function = TypeVar("Function", bound=Callable[..., Any])

LONGEST_MESSAGE = 20_000  # characters of an error that the server takes
LONGEST_NAME = 100  # of an error's code; of an agent twice that
LONG = ("input", "metadata")  # of what a session begins with
STOPPED = (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit)  # nothing failed: somebody ended it

_current: ContextVar["Recording | None"] = ContextVar("goldloop_session", default=None)


def current_session() -> "Recording | None":
    """The innermost block that is being recorded here; None outside of all."""
    return _current.get()


class ToolCall:
    """A call of a tool that was recorded; its outcome is recorded once. As a block, what it raises is the outcome."""

    def __init__(self, session: "Recording | None", call_id: str = "") -> None:
        self.id = call_id
        self._session = session
        self._began = time.perf_counter()
        self._is_done = False

    def count_failure(self) -> None:
        if self._session is not None:
            self._session.count_failure()

    @never_raising(False)
    def result(self, /, value: Any = None, **more: Any) -> bool:
        return self._tell({"result": value, **more})

    @never_raising(False)
    def error(self, /, error: BaseException | str, **more: Any) -> bool:
        text = described(error) if isinstance(error, BaseException) else error
        return self._tell({"error": text, **more})

    def _tell(self, outcome: Mapping[str, Any]) -> bool:
        if self._is_done or self._session is None:
            return False
        self._is_done = True
        duration = round((time.perf_counter() - self._began) * 1000)
        return self._session.event("tool.result", {"id": self.id, "duration_ms": duration, **outcome})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.error(error)
        else:
            self.result()


NO_CALL = ToolCall(None)  # of which nothing is recorded


class Recording:
    """A session that is being recorded. Set `output` to what came of it.

    `background` is None where there is nobody to record for: then every method does nothing.
    """

    def __init__(
        self, background: "Background | None", begin: Mapping[str, Any], session_id: Id | None = None
    ) -> None:
        self.id = session_id or new_id()
        self.output: Any = None
        self.said: str | None = None  # by the agent, last
        self._background = background
        self._begin = dict(begin)
        self._process = 0  # that has begun it
        self._owner = 0  # that ends it
        self._is_open = False
        self._error: dict[str, str] | None = None
        self._token: Token[Recording | None] | None = None

    @property
    def background(self) -> "Background | None":
        return self._background

    def count_failure(self) -> None:
        if self._background is not None:
            self._background.count_failure()

    @never_raising(False)
    def user_message(self, /, text: str, **more: Any) -> bool:
        return self.event("user.message", {"text": text, **more})

    @never_raising(False)
    def agent_message(self, /, text: str, **more: Any) -> bool:
        self.said = text
        return self.event("agent.message", {"text": text, **more})

    @never_raising(False)
    def model_request(
        self,
        /,
        model: str,
        *,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cost: float | None = None,
        **more: Any,
    ) -> bool:
        """Tokens and cost (in US dollars) are added up on the session: tell them here or with the response, once."""
        return self.event("model.request", _counted(model, input_tokens, output_tokens, cost, more))

    @never_raising(False)
    def model_response(
        self,
        /,
        model: str,
        *,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cost: float | None = None,
        **more: Any,
    ) -> bool:
        return self.event("model.response", _counted(model, input_tokens, output_tokens, cost, more))

    @never_raising(NO_CALL)
    def tool_call(
        self, /, name: str, arguments: Any = None, *, id: str | None = None, **more: Any
    ) -> ToolCall:
        """Tell its outcome with `result` or `error` of what this returns."""
        call_id = id or str(new_id())
        given = {} if arguments is None else arguments
        self.event("tool.call", {"id": call_id, "name": name, "arguments": given, **more})
        return ToolCall(self, call_id)

    @overload
    def tool(self, function: Function, /) -> Function: ...
    @overload
    def tool(self, /, *, name: str | None = None) -> Callable[[Function], Function]: ...
    def tool(self, function: Any = None, /, *, name: str | None = None) -> Any:
        """A decorator: each call of the function is a tool call of this session."""
        from goldloop.client.recorded_tools import recorded  # which records what this module defines

        def decorate(function: Any) -> Any:
            return recorded(function, name, lambda: self)

        return decorate if function is None else decorate(function)

    @never_raising(False)
    def event(
        self, type: str, payload: Mapping[str, Any] | None = None, *, at: datetime | None = None
    ) -> bool:
        """Record an event of any kind; False if it could not be queued. It happened now, however late it arrives."""
        if not self._is_open or self._background is None:
            if self._background is not None:
                log.warning("%s is not recorded: session %s is not open", type, self.id)
            return False
        self._begin_here(self._background)
        body = event_body(type, {}, at=at or datetime.now(UTC))
        body["payload"] = encode_object(dict(payload or {}))
        call = SessionMethods.add_events.describe(None, self.id, [])
        request = SessionMethods.add_events.route.request(msgspec.structs.replace(call, body=body))
        return self._background.put(request, str(body["id"]))

    @never_raising(None)
    def fail(self, message: str, code: str = "failed") -> None:
        """The session ends as failed, although nothing is raised."""
        self._error = {
            "code": str(code)[:LONGEST_NAME] or "failed",
            "message": str(message)[:LONGEST_MESSAGE],
        }

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            with contextlib.suppress(
                ValueError, RuntimeError
            ):  # in another context than it was entered, or twice
                _current.reset(self._token)
        self._close(error)

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)

    @never_raising(None)
    def _open(self) -> None:
        self._owner = os.getpid()
        self._begin.setdefault("at", datetime.now(UTC))
        outer = current_session()
        if self._begin.get("parent_session_id") is None and outer is not None and outer._shares_queue(self):
            self._begin["parent_session_id"] = outer.id
        self._token = _current.set(self)
        self._is_open = True
        if self._background is not None:
            self._begin_here(self._background)

    def _shares_queue(self, other: "Recording") -> bool:
        return self._background is not None and self._background is other._background

    def _begin_here(self, background: "Background") -> None:
        """Again in a forked process: what its parent has queued may arrive after what this one queues."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        call = SessionMethods.create.describe(None, **self._begin, id=self.id)
        body = encode_object(
            {**call.body, **{name: _short(call.body[name]) for name in LONG if name in call.body}}
        )
        background.put(SessionMethods.create.route.request(msgspec.structs.replace(call, body=body)))

    @never_raising(None)
    def _close(self, error: BaseException | None) -> None:
        is_owner = self._is_open and self._owner == os.getpid()  # what was forked inside leaves it as well
        self._is_open = False
        if self._background is None or not is_owner:
            return
        failure = None if isinstance(error, STOPPED) else _failure(error) or self._error
        status = "cancelled" if isinstance(error, STOPPED) else "failed" if failure else "completed"
        ended = _short({"output": self.output, "error": failure})
        call = SessionMethods.end.describe(
            None, self.id, status, output=ended["output"], error=ended["error"], at=datetime.now(UTC)
        )
        self._background.queue_call(SessionMethods.end, call)


class Recorder:
    """What both clients have to record sessions with."""

    background: "Background"

    def session(
        self,
        agent: str | None = None,
        *,
        input: Mapping[str, Any] | None = None,
        type: str = "agent",
        entity_id: Id | None = None,
        conversation: Mapping[str, str] | None = None,
        parent_session_id: Id | None = None,
        metadata: Mapping[str, Any] | None = None,
        manifest: str | None = None,
        id: Id | None = None,
    ) -> Recording:
        """Record a session around a block, `with` or `async with`. `conversation` is `{project, id}`. Inside of another
        block it is a child of that session."""
        begin = {
            "agent": str(agent)[: 2 * LONGEST_NAME] if agent else None,
            "input": input,
            "type": type,
            "entity_id": entity_id,
            "conversation": conversation,
            "parent_session_id": parent_session_id,
            "metadata": metadata,
            "manifest": manifest,
        }
        return Recording(self.background, begin, id)


def described(error: BaseException) -> str:
    """The type and the words of an exception, in one text."""
    words = _words(error)
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _words(error: BaseException) -> str:
    try:
        return str(error)[:LONGEST_MESSAGE]
    except Exception:  # whatever an exception of the caller does
        return ""


def _failure(error: BaseException | None) -> dict[str, str] | None:
    if error is None or (isinstance(error, SystemExit) and not error.code):
        return None
    return {"code": type(error).__name__[:LONGEST_NAME], "message": _words(error)}


def _short(values: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON has them, and no longer than leaves room for others beside them."""
    found: dict[str, Any] = msgspec.json.decode(encode_object(values, MOST_BYTES // 3))
    return found


def _counted(
    model: str,
    input_tokens: int | None,
    output_tokens: int | None,
    cost: float | None,
    more: Mapping[str, Any],
) -> dict[str, Any]:
    counts = {"input_tokens": input_tokens, "output_tokens": output_tokens, "cost": cost}
    return (
        {"model": model} | {name: value for name, value in counts.items() if value is not None} | dict(more)
    )
