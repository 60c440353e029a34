"""The Python runtime: a function that an installed package offers as an entry point of the group `goldloop.agents`. Infrastructure.

A function that is not `async` has a thread of its own. One that is stopped leaves that behind, and whatever it still does can
write nothing more. What a function is given is described in `goldloop.client.agent_runs`, where the same function runs too.
"""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Coroutine
from importlib.metadata import EntryPoint, entry_points
from itertools import count
from typing import Any
from uuid import UUID

from goldloop.kit.outside import Outside
from goldloop.runtimes.agent_events import read_value
from goldloop.runtimes.http_contract import messages
from goldloop.runtimes.model import RunFailed, RunPlan
from goldloop.runtimes.session_log import SessionLog

GROUP = "goldloop.agents"
MESSAGE_CHARACTERS = 2000  # of an error


class RunOver(RuntimeError):
    """Raised in a function whose run has ended without it."""


async def run(plan: RunPlan, log: SessionLog, outside: Outside) -> Any:
    function = await asyncio.to_thread(_load, plan.config.entry_point)
    await log.begin_handing_over({"entry_point": plan.config.entry_point})
    ended: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    ended.add_done_callback(_look_at)
    state = _State(plan, log, ended)
    try:
        output = await (_await(function, state) if _is_async(function) else _in_thread(function, state))
        await state.settled()
    except RunOver:
        state.ended.result()  # why it is over
        raise
    finally:
        state.is_over = True
    try:
        output = read_value(output)
    except ValueError as error:
        raise RunFailed("bad_output", f"What the function returned cannot be used: {error}") from error
    return await log.take_output(output, plan.brief.output_schema)


def _load(name: str | None) -> Callable[[Any], Any]:
    installed: dict[str, EntryPoint] = {found.name: found for found in entry_points(group=GROUP)}
    found = installed.get(name or "")
    if found is None:
        offered = ", ".join(sorted(installed)) or "none"
        raise RunFailed(
            "agent_missing", f"No installed package offers the agent {name}. Installed are: {offered}"
        )
    try:
        function: Callable[[Any], Any] = found.load()
    except (Exception, SystemExit) as error:
        raise _failed(error, f"The agent {name} cannot be loaded: ") from error
    return function


def _is_async(function: Callable[[Any], Any]) -> bool:
    """Also of an object that is called, as `@goldloop.agent` makes one."""
    known: bool | None = getattr(function, "is_async", None)
    if known is not None:
        return known
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004
    )


async def _await(function: Callable[[Any], Awaitable[Any]], state: "_State") -> Any:
    task = asyncio.ensure_future(_catching(function, _AsyncRun(state)))
    try:
        await asyncio.wait({task, state.ended}, return_when=asyncio.FIRST_COMPLETED)
        if state.ended.done():
            state.ended.result()
        return task.result()
    finally:
        task.cancel()


async def _catching(function: Callable[[Any], Awaitable[Any]], run: "_AsyncRun") -> Any:
    try:
        return await function(run)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        raise _failed(error) from error


async def _in_thread(function: Callable[[Any], Any], state: "_State") -> Any:
    loop = asyncio.get_running_loop()

    def end(output: Any, error: BaseException | None) -> None:
        if state.ended.done():
            return
        if error is None:
            state.ended.set_result(output)
        else:
            state.ended.set_exception(_failed(error))

    def work() -> None:
        output, error = None, None
        try:
            output = function(_ThreadRun(state, loop))
        except BaseException as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(end, output, error)

    threading.Thread(target=work, name=f"agent of session {state.plan.session.id}", daemon=True).start()
    return await state.ended


def _look_at(future: "asyncio.Future[Any]") -> None:
    """Else one that nobody waits for any more complains of it."""
    if not future.cancelled():
        future.exception()


def _failed(error: BaseException, before: str = "") -> RunFailed:
    return RunFailed(
        "agent_failed",
        f"{before}{type(error).__name__}: {error}"[:MESSAGE_CHARACTERS].replace("\x00", "\ufffd"),
    )


class _State:
    """A run of a function: what it was asked, and whether it may still write."""

    def __init__(self, plan: RunPlan, log: SessionLog, ended: "asyncio.Future[Any]") -> None:
        self.plan = plan
        self.log = log
        self.ended = ended
        self.is_over = False
        self.calls = count(1)
        self._written: asyncio.Task[None] | None = None

    async def guard(self, work: Coroutine[Any, Any, Any]) -> Any:
        """What ends the run ends it at once, whatever the function does with the exception."""
        if self.is_over:
            work.close()
            raise RunOver("This run has ended")
        try:
            return await work
        except Exception as error:
            if not self.ended.done():
                self.ended.set_exception(error)
            raise RunOver("This run has ended") from error

    async def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        await self.settled()
        result: dict[str, Any] = await self.guard(self.log.call_tool(name, arguments, str(next(self.calls))))
        return result

    def check(self, kind: str, payload: Any) -> dict[str, Any]:
        checked: dict[str, Any] = read_value(dict(payload or {}))
        if (fault := self.log.find_fault(kind, checked)) is not None:
            raise ValueError(fault)
        return checked

    def write_soon(self, kind: str, payload: dict[str, Any]) -> None:
        """In order, without waiting."""
        before = self._written

        async def write() -> None:
            if before is not None:
                await before
            await self.guard(self.log.emit(kind, payload))

        self._written = asyncio.ensure_future(write())
        self._written.add_done_callback(_look_at)

    async def settled(self) -> None:
        """What was told is written."""
        if self._written is not None:
            await self._written


class _Session:
    """The session of a run, for events that are the function's own."""

    def __init__(self, run: "_AsyncRun | _ThreadRun", session_id: UUID) -> None:
        self._run = run
        self.id = session_id

    def agent_message(self, text: str) -> bool:
        return self.event("agent.message", {"text": text})

    def event(self, type: str, payload: Any = None) -> bool:
        self._run.emit(type, payload)
        return True


class _Run:
    def __init__(self, state: _State) -> None:
        plan = state.plan
        self._state = state
        self.message = plan.brief.message
        self.input = {**plan.session.input, "message": plan.brief.message}
        self.messages = messages(plan)
        self.context = plan.brief.context
        self.metadata = plan.session.metadata
        self.output_schema = plan.brief.output_schema


class _AsyncRun(_Run):
    """What an `async` function is given."""

    def __init__(self, state: _State) -> None:
        super().__init__(state)
        self.session = _Session(self, state.plan.session.id)

    async def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        return _result(name, await self._state.call(name, read_value(arguments)))

    def emit(self, type: str, payload: Any = None) -> None:
        self._state.write_soon(type, self._state.check(type, payload))


class _ThreadRun(_Run):
    """What a function in a thread is given: each call waits until it is done."""

    def __init__(self, state: _State, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(state)
        self._loop = loop
        self.session = _Session(self, state.plan.session.id)

    def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        return _result(name, self._wait(self._state.call(name, read_value(arguments))))

    def emit(self, type: str, payload: Any = None) -> None:
        checked = self._state.check(type, payload)
        self._wait(self._state.guard(self._state.log.emit(type, checked)))

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        if self._loop.is_closed():
            work.close()
            raise RunOver("This run has ended")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def _result(name: str, result: dict[str, Any]) -> dict[str, Any]:
    if isinstance(result, dict) and "error" in result:  # what a recorded tool answered may be anything
        from goldloop.client.errors import ToolFailed  # what functions that also run elsewhere catch

        raise ToolFailed(str(result["error"]), code="tool_failed")
    return result
