"""Calls tools for whoever comes from outside, over HTTP or MCP: a call is one transaction in the name of the caller; one with
the key of a run is recorded in the session of that run. Infrastructure."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from goldloop.kit.db import Actor, Database
from goldloop.kit.errors import Forbidden, GoldloopError, Unauthenticated
from goldloop.kit.http import read_as
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.kit.tools import TOOLS, Tool, explained
from goldloop.runtimes import service as runs
from goldloop.runtimes.model import ClaimedRun, ForeignTool, LimitReached, Prompt, RunLimitReached
from goldloop.runtimes.purpose_service import PURPOSES
from goldloop.runtimes.redaction import Redaction
from goldloop.runtimes.run_keys import RUN_KEY, RunGrant
from goldloop.runtimes.session_log import SessionLog
from goldloop.runtimes.unsealing import readable_secrets
from goldloop.sessions.model import ClaimLost
from goldloop.sessions.run_service import Claim
from goldloop.tenants.auth.actors import system_actor

OVER = "The run that this key is for is over"
Arguments = Annotated[dict[str, Any], msgspec.Meta(max_length=100)]  # no tool has more


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls, and the run whose key they have; `grant` is what that key allows. `foreign` tools are not ours: of a replay,
    those whose answers were recorded."""

    actor: Actor
    run: ClaimedRun | None = None
    grant: RunGrant | None = None
    foreign: tuple[ForeignTool, ...] = ()

    def tools(self) -> list[Tool]:
        """Those that the caller may use: of a run, those of its agent's groups."""
        known = self.run.tools if self.run else TOOLS.values()
        return [tool for tool in known if self.actor.may(tool.permission)]


async def recognize(db: Database, actor: Actor, grant: RunGrant | None) -> Caller:
    """Raises Unauthenticated for the key of a run that is over."""
    if grant is None:
        return Caller(actor=actor)
    try:
        async with db.tx(actor) as tx:
            run = await runs.rejoin(tx, Claim(grant.session_id, grant.claim), grant.agent_id)
    except ClaimLost:
        raise Unauthenticated(OVER) from None
    return Caller(actor=actor, run=run, grant=grant, foreign=await _recorded_tools(db, run))


async def _recorded_tools(db: Database, run: ClaimedRun) -> tuple[ForeignTool, ...]:
    purpose = PURPOSES[run.session.purpose]
    if purpose.tape is None:
        return ()
    async with db.reading().tx(
        system_actor(run.actor.tenant_id)
    ) as tx:  # the agent itself may not read goldens
        return (await purpose.brief(tx, run.session)).foreign_tools


async def find_frozen_prompt(db: Database, caller: Caller) -> Prompt | None:
    """What the prompt of a replay has in place of what is known now."""
    if caller.run is None:
        return None
    async with db.reading().tx(system_actor(caller.actor.tenant_id)) as tx:
        return await PURPOSES[caller.run.session.purpose].prompt(tx, caller.run.session)


async def call(
    db: Database,
    outside: Outside,
    caller: Caller,
    tool: Tool | ForeignTool,
    arguments: dict[str, Any],
    call_id: str | None = None,
) -> dict[str, Any]:
    """The tool's own failure is an answer with `error`. The same `call_id` again, in a run, is answered as the first time."""
    if caller.run is not None:
        log = _log_of(db, outside, caller.run, caller.grant)
        return await _call_in_run(log, tool.name, arguments, call_id)
    assert isinstance(tool, Tool), "only a replay has others"
    caller.actor.check(tool.permission)
    read = read_as(arguments, tool.arguments)
    try:
        async with db.tx(caller.actor) as tx:
            return await tool.run(tx, read)
    except (Forbidden, Unauthenticated):
        raise
    except GoldloopError as error:
        if error.status >= 500:
            raise
        return {"error": explained(error)}


def _log_of(db: Database, outside: Outside, run: ClaimedRun, grant: RunGrant | None) -> SessionLog:
    """Which keeps neither the agent's secrets nor the key that the call came with."""
    keys = [outside.signer.sign(RUN_KEY, grant)] if grant else []
    return SessionLog(db, outside, run, Redaction([*readable_secrets(run, outside), *keys]), can_wait=False)


async def _call_in_run(
    log: SessionLog, tool: str, arguments: dict[str, Any], call_id: str | None
) -> dict[str, Any]:
    try:
        if call_id and (known := await log.find_result(call_id)) is not None:
            return known
        return await log.call_tool(tool, arguments, call_id or str(new_id()))
    except LimitReached as limit:
        with suppress(ClaimLost):  # another call has ended it
            async with log.db.tx(log.run.actor) as tx:
                await runs.give_up(tx, log.run, limit)
        raise RunLimitReached(str(limit)) from None
    except ClaimLost:
        raise Unauthenticated(OVER) from None
