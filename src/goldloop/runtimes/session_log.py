"""Writes what happens in a run as it happens, and runs its tool calls: one log for every runtime. Infrastructure.

Every event is committed before the run goes on. What a tool writes is committed together with its result, so a call
without a result has changed nothing and is run again by whoever goes on; a call with one is answered from the log.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

import msgspec

from goldloop.kit.blobs import BlobStore
from goldloop.kit.clock import now
from goldloop.kit.db import APP_ROLE, Database, Tx
from goldloop.kit.errors import GoldloopError, InvalidInput
from goldloop.kit.http import read_as
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.kit.tools import AskPerson, Tool
from goldloop.runtimes import service
from goldloop.runtimes.model import LimitReached, RunPlan, Suspended
from goldloop.runtimes.past import CallKey, Past
from goldloop.sessions import run_service as sessions
from goldloop.sessions import service as session_service
from goldloop.sessions.large_payloads import put_large
from goldloop.sessions.model import ClaimLost, Question, SessionEnded
from goldloop.sessions.store import NewEvent

TOOL_SECONDS = 60  # a tool that takes longer hangs; the run goes on without its result


class SessionLog:
    def __init__(self, db: Database, outside: Outside, plan: RunPlan, past: Past) -> None:
        self.db = db.in_role(APP_ROLE)
        self.blobs: BlobStore = outside.blobs
        self.plan = plan
        self.tools = {tool.name: tool for tool in plan.tools}
        self.past = past
        self.responses = past.responses
        self.requests, self.tool_calls = past.requests, past.tool_calls
        self.tokens, self.cost = past.tokens, past.cost

    async def add(self, *new: NewEvent) -> None:
        kept = await put_large(self.blobs, self.plan.actor.tenant_id, new)
        async with self.db.tx(self.plan.actor) as tx:
            await self._append(tx, kept)

    async def _append(self, tx: Tx, new: Sequence[NewEvent]) -> None:
        try:
            await session_service.append(tx, self.plan.claim.session_id, new, self.plan.claim.number)
        except SessionEnded:  # it was cancelled
            raise ClaimLost from None

    async def model_request(self, model: str, messages: list[Any]) -> None:
        limits = self.plan.config.limits
        for name, used, most in (
            ("requests", self.requests, limits.requests),
            ("tokens", self.tokens, limits.tokens),
            ("cost", self.cost, limits.cost),
        ):
            if most is not None and used >= most:
                raise LimitReached(name, most)
        self.requests += 1
        await self.add(_event("model.request", {"model": model, "messages": messages}))

    async def model_response(self, payload: dict[str, Any], texts: list[str]) -> None:
        """What the model answered, with the tokens and the cost of the request, and what it says in it."""
        self.tokens += payload.get("input_tokens", 0) + payload.get("output_tokens", 0)
        self.cost += payload.get("cost") or 0.0
        said = [_event("agent.message", {"text": text}) for text in texts]
        await self.add(_event("model.response", payload), *said)
        self.responses += 1

    async def call_tool(self, name: str, arguments: Any, call_id: str) -> dict[str, Any]:
        """The tool's result, or `{"error": …}` for whoever called it to read."""
        key = CallKey(self.responses, call_id)
        if (known := self.past.results.get(key)) is not None:
            result: dict[str, Any] = known["result"] if "result" in known else {"error": known["error"]}
            return result
        if key not in self.past.called:
            if self.tool_calls >= self.plan.config.limits.tool_calls:
                raise LimitReached("tool_calls", self.plan.config.limits.tool_calls)
            self.tool_calls += 1
            called = {"id": call_id, "name": name, "arguments": arguments}
            await self.add(_event("tool.call", called, self._id("tool.call", key)))
        return await self._run(name, arguments, key)

    async def _run(self, name: str, arguments: Any, key: CallKey) -> dict[str, Any]:
        began = time.monotonic()
        clock = asyncio.timeout(TOOL_SECONDS)
        try:
            tool = self.tools.get(name)
            if tool is None:
                raise InvalidInput(f"This agent has no tool {name}")
            self.plan.actor.check(tool.permission)
            async with clock:
                return await self._run_tool(tool, read_as(arguments, tool.arguments), key, began)
        except AskPerson as question:
            asked = Question(call_id=key.id, text=question.text)
            async with self.db.tx(self.plan.actor) as tx:
                await sessions.ask(tx, self.plan.claim, asked)
            raise Suspended from None
        except TimeoutError:
            if not clock.expired():  # no connection was free
                raise
            return await self._failed(key, began, f"The tool took more than {TOOL_SECONDS} seconds")
        except GoldloopError as error:
            if error.status >= 500:
                raise
            return await self._failed(key, began, explained(error))

    async def _run_tool(
        self, tool: Tool, arguments: msgspec.Struct, key: CallKey, began: float
    ) -> dict[str, Any]:
        if tool.writes:
            async with self.db.tx(self.plan.actor) as tx:
                result = await tool.run(tx, arguments)
                effects = [service.effect(event, key.id) for event in tx.happened]
                await self._append(tx, [*effects, self._result(key, began, {"result": result})])
        else:
            async with self.db.reading().tx(self.plan.actor) as tx:
                result = await tool.run(tx, arguments)
            await self.add(self._result(key, began, {"result": result}))
        return result

    async def _failed(self, key: CallKey, began: float, why: str) -> dict[str, Any]:
        await self.add(self._result(key, began, {"error": why}))
        return {"error": why}

    def _result(self, key: CallKey, began: float, outcome: dict[str, Any]) -> NewEvent:
        took = round((time.monotonic() - began) * 1000)
        return _event(
            "tool.result", {"id": key.id, **outcome, "duration_ms": took}, self._id("tool.result", key)
        )

    def _id(self, kind: str, key: CallKey) -> UUID:
        """The same call is the same event, whoever writes it."""
        return uuid5(self.plan.session.id, f"{kind}:{key.responses}:{key.id}")

    async def check_output(self, output: Any) -> str | None:
        async with self.db.tx(self.plan.actor) as tx:
            return await service.check_output(tx, self.plan, output)


def explained(error: GoldloopError) -> str:
    """A failure as whoever called a tool reads it."""
    return "; ".join([error.detail, *(f"{fault.path}: {fault.message}" for fault in error.errors)])


def _event(
    kind: str, payload: dict[str, Any], event_id: UUID | None = None, at: datetime | None = None
) -> NewEvent:
    return NewEvent(event_id or new_id(), kind, at or now(), payload)
