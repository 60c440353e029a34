"""Replays a golden against a function of this process, without a server: its tool calls are answered from recordings alone.

The function is one that Goldloop also runs (`@goldloop.agent`): it is given a run with `message`, `input` and `tool(name, …)`, and
returns its output. What no recording answers fails with `ToolFailed`, as a tool does that says no.
"""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any, NoReturn

import msgspec

from goldloop.client.errors import ToolFailed  # what functions that also run elsewhere catch
from goldloop.evals.comparison.sessions import Similarity, compare
from goldloop.evals.model import Comparison
from goldloop.evals.replay.outcomes import replay_outcome
from goldloop.evals.replay.tape import Asked, Mode, Tape, tape_of
from goldloop.evals.stats.counting import ReplayOutcome

Function = Callable[[Any], Any]
UNREACHED = (ConnectionError, TimeoutError)  # the model or the network, not the agent


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """`comparison` is None where the infrastructure failed."""

    outcome: ReplayOutcome
    session: dict[str, Any]
    comparison: Comparison | None
    fidelity: float | None
    error: str | None = None


def replay_locally(
    golden: Mapping[str, Any],
    function: Function,
    *,
    siblings: Sequence[Mapping[str, Any]] = (),
    similarity: Similarity | None = None,
) -> Replayed:
    tape = tape_of(golden, siblings=siblings, mode=Mode.FROZEN)
    run = LocalRun(golden, tape)
    status, output, error, unreached = "completed", None, None, False
    try:
        output = _call(function, run)
    except UNREACHED as raised:
        status, error, unreached = "failed", f"{type(raised).__name__}: {raised}", True
    except (Exception, SystemExit) as raised:  # leaving is the function's own failure, not the end of the run
        status, error = "failed", f"{type(raised).__name__}: {raised}"
    if isinstance(output, str) and output:
        run.emit("agent.message", {"text": output})
    session = {"type": golden["type"], "status": status, "events": run.events, "output": output}
    comparison = None if unreached else compare(golden, session, similarity=similarity)
    outcome = (
        ReplayOutcome.ERROR
        if comparison is None
        else replay_outcome(comparison, missed_reads=tape.reads_missed)
    )
    return Replayed(
        outcome=outcome, session=session, comparison=comparison, fidelity=tape.fidelity, error=error
    )


def _call(function: Function, run: "LocalRun") -> Any:
    is_async = getattr(function, "is_async", None)
    if is_async is None:
        is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004
        )
    return asyncio.run(function(AsyncLocalRun(run))) if is_async else function(run)


class LocalRun:
    """What a function is given: the first message of the golden, and tools that answer from its tape."""

    def __init__(self, golden: Mapping[str, Any], tape: Tape) -> None:
        self.message = _first_message(golden)
        given = golden.get("input")
        self.input = {**(given if isinstance(given, Mapping) else {}), "message": self.message}
        self.messages = _messages(golden, self.message)
        self.context: dict[str, Any] = dict(golden.get("context") or {})
        self.metadata: dict[str, Any] = {}
        self.output_schema = golden.get("output_schema")
        self.session = SimpleNamespace(
            id=None,
            agent_message=lambda text: self.emit("agent.message", {"text": text}),
            event=lambda type, payload=None: self.emit(type, payload),
        )
        self.events: list[dict[str, Any]] = [{"type": "user.message", "payload": {"text": self.message}}]
        offered = golden.get("offered")  # names of all tools, where the golden's file has them
        self._offered = frozenset(offered) if offered is not None else None
        self._tape = tape
        self._calls = count(1)

    def tool(self, name: str, /, **arguments: Any) -> Any:
        call = Asked(id=str(next(self._calls)), name=name, arguments=arguments)
        if self._offered is not None and name not in self._offered:
            self._refuse(call)
        (reply,) = self._tape.answer([call])
        self.emit("tool.call", {"id": call.id, "name": name, "arguments": arguments})
        outcome = {"result": reply.result} if reply.error is None else {"error": reply.error}
        self.emit("tool.result", {"id": call.id, **outcome, "answered_by": str(reply.source)})
        if reply.error is not None:
            raise ToolFailed(str(reply.error), code="tool_failed")
        return reply.result

    def _refuse(self, call: Asked) -> NoReturn:
        """A tool that nobody has is the function's own mistake, not one that a recording might have answered."""
        error = f"There is no tool {call.name}"
        self.emit("tool.call", {"id": call.id, "name": call.name, "arguments": call.arguments})
        self.emit("tool.result", {"id": call.id, "error": error})
        raise ToolFailed(error, code="tool_not_found")

    def emit(self, type: str, payload: Any = None) -> bool:
        self.events.append({"type": type, "payload": dict(payload or {})})
        return True


class AsyncLocalRun:
    """The same for a function that is `async`."""

    def __init__(self, run: LocalRun) -> None:
        self._run = run

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)

    async def tool(self, name: str, /, **arguments: Any) -> Any:
        return self._run.tool(name, **arguments)


def _messages(golden: Mapping[str, Any], message: str) -> list[dict[str, Any]]:
    """As an agent that runs on a server is told: first its instructions, then what was said before."""
    told = golden.get("instructions")
    system = [{"role": "system", "content": told}] if told else []
    return [*system, *(golden.get("spoken") or ()), {"role": "user", "content": message}]


def _first_message(golden: Mapping[str, Any]) -> str:
    for event in golden["events"]:
        if event["type"] == "user.message":
            return str(event["payload"].get("text", ""))
    given = golden.get("input")
    return str(given.get("message", "")) if isinstance(given, Mapping) else ""
