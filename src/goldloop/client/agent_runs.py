"""Agents as functions of Python: what such a function is given, and `@goldloop.agent`, which records its calls.

`Run` and `AsyncRun` are the whole contract. They hold in your process, where `@goldloop.agent` makes the run, and in Goldloop's,
where a function is found as an entry point of the group `goldloop.agents`.
"""

import asyncio
import functools
import inspect
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast, overload
from uuid import UUID

from goldloop.client.clients import AsyncClient, Client
from goldloop.client.errors import NotConfigured
from goldloop.client.ids import Id
from goldloop.client.quiet import log
from goldloop.client.recording import Recording

T = TypeVar("T")

Values = Mapping[str, Any]


class RunSession(Protocol):
    """The session of a run, for events that are the function's own."""

    @property
    def id(self) -> UUID | str: ...
    def agent_message(self, text: str) -> object: ...
    def event(self, type: str, payload: Values | None = None) -> object: ...


class _AnyRun(Protocol):
    @property
    def input(self) -> Values:
        """All that it was started with; `message` is in it."""
        ...

    @property
    def message(self) -> str:
        """What it is asked now."""
        ...

    @property
    def messages(self) -> Sequence[Values]:
        """What was said until now, each with `role` and `content`; the last one is `message`."""
        ...

    @property
    def context(self) -> Values:
        """What it is about: a record, knowledge."""
        ...

    @property
    def metadata(self) -> Values: ...

    @property
    def session(self) -> RunSession: ...


class Run(_AnyRun, Protocol):
    """What an agent's function is given."""

    def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool of Goldloop, recorded. One that answers with an error raises `ToolFailed`."""
        ...


class AsyncRun(_AnyRun, Protocol):
    """What an agent's function is given that is `async`."""

    async def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """As `Run.tool`."""
        ...


class _Begun:
    """A run in this process."""

    def __init__(
        self, client: Client | AsyncClient | None, session: Recording, given: Mapping[str, Any]
    ) -> None:
        self._client = client
        self.session = session
        self.input: Values = given["input"]
        self.message: str = given["message"]
        self.messages: Sequence[Values] = given["messages"]
        self.context: Values = given["context"]
        self.metadata: Values = given["metadata"]

    def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        client = self._client if isinstance(self._client, Client) else _client_needed()
        with self.session.tool_call(name, arguments) as call:
            result = client.tools.call(name, arguments)
            call.result(result)
        return result


class _BegunAsync(_Begun):
    async def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:  # type: ignore[override]
        with self.session.tool_call(name, arguments) as call:
            if isinstance(self._client, AsyncClient):
                result = await self._client.tools.call(name, arguments)
            else:
                client = self._client or _client_needed()
                result = await asyncio.to_thread(client.tools.call, name, arguments)
            call.result(result)
        return result


class AgentFunction(Generic[T]):
    """A function that is an agent. Called with a message, it runs here and is recorded; called with a run, as Goldloop calls
    it, it only runs."""

    def __init__(
        self,
        function: Callable[[Any], T],
        name: str | None = None,
        client: Client | AsyncClient | None = None,
    ) -> None:
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self.is_async = inspect.iscoroutinefunction(function)
        self._client = client
        if isinstance(client, AsyncClient) and not self.is_async:
            raise TypeError(f"{self.name} is not async: give it a Client, not an AsyncClient")
        functools.update_wrapper(cast("Any", self), function)

    def __call__(
        self,
        message: "str | Run | AsyncRun | None" = None,
        *,
        input: Values | None = None,
        messages: Sequence[Values] | None = None,
        context: Values | None = None,
        metadata: Values | None = None,
        type: str = "agent",
        entity_id: Id | None = None,
        conversation: Mapping[str, str] | None = None,
        client: Client | AsyncClient | None = None,
    ) -> T:
        """Run it and return what it returns; what it raises is raised."""
        if message is not None and not isinstance(message, str):
            return self.function(message)
        client = client or self._client or _find_client()
        text = message if message is not None else str((input or {}).get("message") or "")
        given = {
            "message": text,
            "input": {"message": text, **(input or {})},
            "messages": messages if messages is not None else [{"role": "user", "content": text}],
            "context": context or {},
            "metadata": metadata or {},
        }
        begin = {
            "agent": self.name,
            "input": given["input"],
            "type": type,
            "entity_id": entity_id,
            "conversation": conversation,
            "metadata": metadata,
        }
        session = Recording(client.background if client else None, begin)
        if self.is_async:
            return cast("T", self._run_async(_BegunAsync(client, session, given)))
        return self._run(_Begun(client, session, given))

    def _run(self, run: _Begun) -> T:
        with run.session as session:
            _begin(run)
            output = self.function(run)
            _finish(session, output)
        return output

    async def _run_async(self, run: _BegunAsync) -> Any:
        async with run.session as session:
            _begin(run)
            output = await cast("Awaitable[Any]", self.function(run))
            _finish(session, output)
        return output


@overload
def agent(function: Callable[[Any], T], /) -> AgentFunction[T]: ...
@overload
def agent(
    *, name: str | None = None, client: Client | AsyncClient | None = None
) -> Callable[[Callable[[Any], T]], AgentFunction[T]]: ...
def agent(
    function: Any = None, /, *, name: str | None = None, client: Client | AsyncClient | None = None
) -> Any:
    """A decorator: each call of `def agent(run) -> str`, be it `async`, is a recorded session. `name` is the agent's slug, the
    function's name unless told; the client is made from `GOLDLOOP_URL` and `GOLDLOOP_KEY` unless one is given."""
    if function is None:
        return lambda function: AgentFunction(function, name, client)
    return AgentFunction(function, name, client)


def _begin(run: _Begun) -> None:
    if run.message:
        run.session.user_message(run.message)


def _finish(session: Recording, output: Any) -> None:
    session.output = output
    if isinstance(output, str) and output and output != session.said:
        session.agent_message(output)


@functools.lru_cache(maxsize=1)
def _client_of(process: int) -> Client:
    """One for each process: connections are not shared with one that was forked."""
    return Client()


def _client_needed() -> Client:
    return _client_of(os.getpid())


def _find_client() -> Client | None:
    """None where nothing is configured: the agent runs all the same."""
    try:
        return _client_needed()
    except NotConfigured as error:
        _say_once(str(error))
        return None


@functools.lru_cache(maxsize=1)
def _say_once(why: str) -> None:
    log.warning("agents run here without being recorded: %s", why)
