"""Runs a session that was claimed, by the runtime of its agent, from where it is to its end. Infrastructure."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from goldloop.agents.model import Runtime
from goldloop.kit.db import TRIED_AGAIN, Database
from goldloop.kit.errors import Unavailable
from goldloop.kit.http import as_goldloop_error
from goldloop.kit.outside import Outside
from goldloop.runtimes import http_agent, python_agent, service
from goldloop.runtimes.model import LimitReached, RunFailed, RunPlan, Suspended
from goldloop.runtimes.past import Happened, Past, read_past
from goldloop.runtimes.purpose_service import PURPOSES
from goldloop.runtimes.redaction import Redaction
from goldloop.runtimes.session_log import SessionLog
from goldloop.runtimes.unsealing import readable_secrets
from goldloop.sessions.model import ClaimLost
from goldloop.sessions.whole_sessions import PayloadLost, read_events

log = logging.getLogger("goldloop.runtimes")

UNEXPECTED = "Something failed that nobody expected: the server's log has the details"
NO_MODEL = "no_model"  # the code of a run that has none to ask
NEEDED_WHOLE = ("model.request", "model.response", "tool.result")

Run = Callable[[RunPlan, SessionLog, Outside], Awaitable[Any]]


async def _run_built_in(plan: RunPlan, session_log: SessionLog, outside: Outside) -> Any:
    from goldloop.runtimes import built_in  # what asks a model takes as long to load as the rest of a start

    return await built_in.run(plan, session_log, outside)


RUNTIMES: dict[Runtime, Run] = {
    Runtime.BUILT_IN: _run_built_in,
    Runtime.HTTP: http_agent.run,
    Runtime.PYTHON: python_agent.run,
}
CAN_WAIT = (Runtime.BUILT_IN,)  # for a person: they go on from the events


async def execute(db: Database, outside: Outside, plan: RunPlan) -> None:
    """To the session's end, or to where it waits for a person. One that another worker took since is left to that."""
    try:
        failure = await _find_failure(db, outside, plan)
        if failure is not None:
            async with db.tx(plan.actor) as tx:
                await service.fail(tx, plan, failure)
    except Suspended:
        log.info("a session waits", extra={"session": str(plan.session.id)})
    except ClaimLost:
        log.info("a session was taken or cancelled meanwhile", extra={"session": str(plan.session.id)})


async def _find_failure(db: Database, outside: Outside, plan: RunPlan) -> RunFailed | None:
    """Run it, and why that failed, if so. What may be over in a moment is raised: the job is tried again then."""
    redaction = Redaction([*readable_secrets(plan, outside), plan.prompt.private])
    try:
        past = await _read_past(db, outside, plan)
        output = await _run(db, outside, plan, past, redaction)
        async with db.tx(plan.actor) as tx:
            await service.complete(tx, plan, output)
    except (Suspended, ClaimLost):
        raise
    except RunFailed as failure:
        return RunFailed(failure.code, redaction.cut_text(str(failure)))
    except Exception as error:
        known = as_goldloop_error(error)
        if known.status == Unavailable.status or isinstance(error, TRIED_AGAIN):
            raise
        if known.status < 500:  # what it is about is gone, or not what it was
            return RunFailed(known.code, redaction.cut_text(known.detail))
        trace = redaction.text("".join(traceback.format_exception(error)))
        log.error("a run failed unexpectedly: %s", trace, extra={"session": str(plan.session.id)})
        return RunFailed("internal_error", f"{UNEXPECTED} ({type(error).__name__})")
    return None


async def _run(db: Database, outside: Outside, plan: RunPlan, past: Past, redaction: Redaction) -> Any:
    most = plan.config.limits.seconds
    clock = asyncio.timeout(max(0.0, most - past.seconds))
    try:
        async with clock:
            if (own := PURPOSES[plan.session.purpose].run) is not None:
                return await own(db, plan)
            can_wait = plan.config.runtime in CAN_WAIT and PURPOSES[plan.session.purpose].tape is None
            session_log = SessionLog(db, outside, plan, redaction, past, can_wait=can_wait)
            return await _ask(db, outside, plan, session_log)
    except TimeoutError:
        if clock.expired():
            raise LimitReached("seconds", most) from None
        raise


async def _ask(db: Database, outside: Outside, plan: RunPlan, session_log: SessionLog) -> Any:
    try:
        return await RUNTIMES[plan.config.runtime](plan, session_log, outside)
    except RunFailed as failure:
        instead = PURPOSES[plan.session.purpose].without_model
        if failure.code != NO_MODEL or instead is None:
            raise
        return await instead(db, plan)


async def _read_past(db: Database, outside: Outside, plan: RunPlan) -> Past:
    try:
        events = await read_events(db, outside, plan.actor, plan.session.id, NEEDED_WHOLE)
    except PayloadLost:
        raise RunFailed(
            "history_lost", "The blob store has lost a part of what happened in this session"
        ) from None
    return read_past(Happened(event.type, event.at, event.payload) for event in events)
