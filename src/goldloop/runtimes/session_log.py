"""Writes what happens in a run as it happens, and runs its tool calls: one log for every runtime. Infrastructure.

Every event is committed before the run goes on. What a tool writes is committed together with its result, so a call
without a result has changed nothing and is run again by whoever goes on; a call with one is answered from the log.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID, uuid5

import msgspec

from goldloop.evals.replay.tape import Reply
from goldloop.kit.blobs import BlobStore
from goldloop.kit.clock import now
from goldloop.kit.db import APP_ROLE, Database
from goldloop.kit.errors import GoldloopError, InvalidInput
from goldloop.kit.events import EVENTS
from goldloop.kit.http import read_as
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.kit.tools import AskPerson, Tool, explained
from goldloop.runtimes import service
from goldloop.runtimes.agent_events import find_fault, find_output_fault
from goldloop.runtimes.model import ClaimedRun, LimitReached, RunFailed, Suspended
from goldloop.runtimes.past import CallKey, Past, read_past
from goldloop.runtimes.redaction import Redaction
from goldloop.runtimes.tapes import find_reply, is_replayed
from goldloop.sessions import event_store
from goldloop.sessions import run_service as sessions
from goldloop.sessions.large_payloads import put_large, read_whole
from goldloop.sessions.model import Question
from goldloop.sessions.store import NewEvent

INTERRUPTED = (
    "The server stopped while the agent worked; what it did is not known, so it was not called again"
)
TOOL_SECONDS = 60  # a tool that takes longer hangs; the run goes on without its result


class _FinishedBefore(Exception):
    """The same call was finished meanwhile: what this one wrote is not committed."""


class _OnlyTried(Exception):
    """What a tool wrote is not committed; `result` is what it answered."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


class SessionLog:
    """Of a run by whoever has claimed it, or has a key of it. `can_wait` is one that can go on later with a person's answer."""

    def __init__(
        self,
        db: Database,
        outside: Outside,
        run: ClaimedRun,
        redaction: Redaction,
        past: Past | None = None,
        *,
        can_wait: bool,
    ) -> None:
        self.db = db.in_role(APP_ROLE)
        self.outside = outside
        self.blobs: BlobStore = outside.blobs
        self.run = run
        self.redaction = redaction
        self.tools = {tool.name: tool for tool in run.tools}
        self.past = past or read_past(())
        self.responses = self.past.responses
        self.requests, self.tokens, self.cost = self.past.requests, self.past.tokens, self.past.cost
        self.can_wait = can_wait
        self._last_message: str | None = None
        self._adding = asyncio.Lock()

    async def add(self, *new: NewEvent, begins_call: bool = False) -> None:
        """One after the other, as they come: calls that are made at once are all recorded before the first is answered."""
        async with self._adding:
            kept = await self._keep(new)
            async with self.db.tx(self.run.actor) as tx:
                if begins_call:
                    await service.begin_call(tx, self.run, kept[0])
                else:
                    await service.append(tx, self.run, kept)

    async def _keep(self, new: Sequence[NewEvent]) -> list[NewEvent]:
        """The events as they go into their rows: without the run's secrets, and the large ones with the blob store."""
        clean = [event._replace(payload=self.redaction.payload(event.payload)) for event in new]
        return await put_large(self.blobs, self.run.actor.tenant_id, clean)

    async def begin_handing_over(self, payload: dict[str, Any]) -> None:
        """Written before somebody else's code is called: what it does is not known, so it is called once and not again."""
        if self.past.handed_over:
            raise RunFailed("interrupted", INTERRUPTED)
        await self.add(_event("agent.called", payload))

    def find_fault(self, kind: str, payload: dict[str, Any]) -> str | None:
        """Why this is nothing that an agent can tell."""
        if self.redaction.text(kind) != kind:
            return "The name of an event has a secret in it"
        return find_fault(kind, payload, {service.event_kind(name) for name in EVENTS})

    async def emit(self, kind: str, payload: dict[str, Any]) -> None:
        """What an agent tells of itself. A call or a result that was recorded by its id before stays as it is. What it has
        used is known when it tells so: a run that has used more than it may ends then."""
        payload = self.redaction.payload(payload)
        if kind == "model.request":
            self._count_request()
        if kind == "agent.message":
            self._last_message = payload["text"]
        event_id = None
        if kind in ("tool.call", "tool.result"):
            event_id = self._id(kind, CallKey(self.responses, payload["id"]))
        self._count_usage(payload)
        await self.add(_event(kind, payload, event_id), begins_call=kind == "tool.call")
        for name, used, most in self._used():
            if used > most:
                raise LimitReached(name, most)

    async def model_request(self, model: str, messages: list[Any]) -> None:
        self._count_request()
        await self.add(_event("model.request", {"model": model, "messages": messages}))

    def _count_request(self) -> None:
        """Of a model, before it is asked."""
        for name, used, most in self._used():
            if used >= most:
                raise LimitReached(name, most)
        self.requests += 1

    def _used(self) -> Iterator[tuple[str, float, float]]:
        """By the names of the limits: how much of each, and how much it may be."""
        limits = self.run.config.limits
        yield "requests", self.requests, limits.requests
        yield "tokens", self.tokens, limits.tokens
        if limits.cost is not None:
            yield "cost", self.cost, limits.cost

    def _count_usage(self, payload: dict[str, Any]) -> None:
        self.tokens += int((payload.get("input_tokens") or 0) + (payload.get("output_tokens") or 0))
        self.cost += payload.get("cost") or 0.0

    async def model_response(self, payload: dict[str, Any], texts: list[str]) -> None:
        """What the model answered, with the tokens and the cost of the request, and what it says in it."""
        self._count_usage(payload)
        messages = [_event("agent.message", {"text": text}) for text in texts]
        await self.add(_event("model.response", payload), *messages)
        self.responses += 1

    async def call_tool(self, name: str, arguments: Any, call_id: str) -> dict[str, Any]:
        """The tool's result, or `{"error": …}` for whoever called it to read."""
        arguments, call_id = self.redaction.value(arguments), self.redaction.text(call_id)
        key = CallKey(self.responses, call_id)
        if (known := self.past.results.get(key)) is not None:
            return _outcome(known)
        if key not in self.past.called:
            called = {"id": call_id, "name": name, "arguments": arguments}
            await self.add(_event("tool.call", called, self._id("tool.call", key)), begins_call=True)
        if is_replayed(self.run):
            return await self._replay(name, arguments, key)
        return await self._run(name, arguments, key)

    async def _replay(self, name: str, arguments: Any, key: CallKey) -> dict[str, Any]:
        """What was recorded, or, where nothing was and it may be run, what it answers now. Nothing that it writes stays."""
        began = time.monotonic()
        reply = await find_reply(self.db, self.outside, self.run, self._id("tool.call", key))
        if reply is None:
            return await self._failed(key, began, f"This agent has no tool {name}")
        if not reply.to_run:
            return await self._played(key, began, reply)
        outcome = await self._try(name, arguments)
        await self.add(self._result(key, began, {**outcome, "answered_by": reply.source}))
        return _outcome(outcome)

    async def _played(self, key: CallKey, began: float, reply: Reply) -> dict[str, Any]:
        outcome = {"error": reply.error} if reply.error is not None else {"result": reply.result}
        about: dict[str, Any] = {"answered_by": reply.source}
        if reply.nearest is not None:
            about["nearest"] = {"name": reply.nearest.name, "arguments": reply.nearest.arguments}
        await self.add(self._result(key, began, {**outcome, **about}))
        return _outcome(outcome)

    async def _try(self, name: str, arguments: Any) -> dict[str, Any]:
        """A read as it is now, or a write of which only the answer stays: `{"result": …}` or `{"error": …}`."""
        tool = self.tools[name]
        clock = asyncio.timeout(TOOL_SECONDS)
        try:
            self.run.actor.check(tool.permission)
            async with clock:
                read = read_as(arguments, tool.arguments)
                async with (self.db if tool.writes else self.db.reading()).tx(self.run.actor) as tx:
                    raise _OnlyTried(self.redaction.value(await tool.run(tx, read)))
        except _OnlyTried as tried:
            return {"result": tried.result}
        except TimeoutError:
            if not clock.expired():
                raise
            return {"error": f"The tool took more than {TOOL_SECONDS} seconds"}
        except GoldloopError as error:
            if error.status >= 500:
                raise
            return {"error": self.redaction.text(explained(error))}

    async def find_result(self, call_id: str) -> dict[str, Any] | None:
        """What a call that was finished before has answered, by the id that whoever called chose."""
        key = CallKey(self.responses, self.redaction.text(call_id))
        async with self.db.reading().tx(self.run.actor) as tx:
            stored = await event_store.find_payload_of(tx, self.run.session.id, self._id("tool.result", key))
        whole = await read_whole(self.blobs, self.run.actor.tenant_id, stored) if stored else None
        return _outcome(msgspec.json.decode(whole)) if whole else None

    async def _run(self, name: str, arguments: Any, key: CallKey) -> dict[str, Any]:
        began = time.monotonic()
        clock = asyncio.timeout(TOOL_SECONDS)
        try:
            tool = self.tools.get(name)
            if tool is None:
                raise InvalidInput(f"This agent has no tool {name}")
            self.run.actor.check(tool.permission)
            async with clock:
                return await self._run_tool(tool, read_as(arguments, tool.arguments), key, began)
        except _FinishedBefore:
            return await self.find_result(key.id) or {"error": "The blob store has lost this result"}
        except TimeoutError:
            if not clock.expired():  # no connection was free
                raise
            return await self._failed(key, began, f"The tool took more than {TOOL_SECONDS} seconds")
        except GoldloopError as error:
            if isinstance(error, AskPerson) and self.can_wait:
                return await self._ask(Question(call_id=key.id, text=error.text))
            if error.status >= 500:
                raise
            return await self._failed(key, began, explained(error))

    async def _ask(self, question: Question) -> dict[str, Any]:
        async with self.db.tx(self.run.actor) as tx:
            await sessions.ask(tx, self.run.claim, question)
        raise Suspended

    async def _run_tool(
        self, tool: Tool, arguments: msgspec.Struct, key: CallKey, began: float
    ) -> dict[str, Any]:
        result: dict[str, Any]
        if tool.writes:
            async with self.db.tx(self.run.actor) as tx:
                result = self.redaction.value(await tool.run(tx, arguments))
                effects = [service.effect(event, key.id) for event in tx.happened]
                # The blob store has what is large before the row that names it is there; nearly always nothing is.
                *kept, ended = await self._keep([*effects, self._result(key, began, {"result": result})])
                await service.append(tx, self.run, kept)
                appended = await service.append(tx, self.run, [ended])
                if not appended.added:
                    raise _FinishedBefore
        else:
            async with self.db.reading().tx(self.run.actor) as tx:
                result = self.redaction.value(await tool.run(tx, arguments))
            await self.add(self._result(key, began, {"result": result}))
        return result

    async def _failed(self, key: CallKey, began: float, why: str) -> dict[str, Any]:
        why = self.redaction.text(why)
        await self.add(self._result(key, began, {"error": why}))
        return {"error": why}

    def _result(self, key: CallKey, began: float, outcome: dict[str, Any]) -> NewEvent:
        took = round((time.monotonic() - began) * 1000)
        return _event(
            "tool.result", {"id": key.id, **outcome, "duration_ms": took}, self._id("tool.result", key)
        )

    def _id(self, kind: str, key: CallKey) -> UUID:
        """The same call is the same event, whoever writes it."""
        return uuid5(self.run.session.id, f"{kind}:{key.responses}:{key.id}")

    async def take_output(self, output: Any, schema: dict[str, Any] | None) -> Any:
        """The output of an agent that cannot be asked to mend it. Raises RunFailed where it cannot be used."""
        output = self.redaction.value(output)
        fault = find_output_fault(output, schema) or await self.check_output(output)
        if fault is not None:
            raise RunFailed("bad_output", fault)
        if isinstance(output, str) and output.strip() and output != self._last_message:
            await self.emit("agent.message", {"text": output})
        return output

    async def check_output(self, output: Any) -> str | None:
        output = self.redaction.value(output)
        async with self.db.tx(self.run.actor) as tx:
            return await service.check_output(tx, self.run, output)


def _outcome(result: dict[str, Any]) -> dict[str, Any]:
    """What a call answered, from its event."""
    outcome: dict[str, Any] = result["result"] if "result" in result else {"error": result["error"]}
    return outcome


def _event(kind: str, payload: dict[str, Any], event_id: UUID | None = None) -> NewEvent:
    return NewEvent(event_id or new_id(), kind, now(), payload)
