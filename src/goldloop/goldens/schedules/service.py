"""Use cases of tasks that replay a set: begin its run in the session of the task, and end each with the other.

The session waits for the run, so that a time of the schedule is passed over while the last run is not over. Whoever calls them
has asked who may.
"""

from typing import Any
from uuid import UUID, uuid5

import msgspec

from goldloop.agents import service as configurations
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.model import GoldenSetNotFound
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs import store as run_store
from goldloop.goldens.runs.model import OfAgent, ReplayContext, RunState, Trigger
from goldloop.goldens.runs.service import NamedAgent, NewRun, named
from goldloop.goldens.schedules.model import EvalRunConfig
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, Faults, GoldloopError
from goldloop.kit.events import Event
from goldloop.kit.queue import set_marks
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import EVAL_RUN, NewSession
from goldloop.sessions.model import Session, SessionStatus, SessionType
from goldloop.sessions.run_service import lock_open
from goldloop.tasks import store as tasks
from goldloop.tasks.model import Task

STOP = "goldens.stop"  # the mark of a session that ended before its run


async def start(tx: Tx, task: Task, config: EvalRunConfig, session_id: UUID | None) -> Session:
    new = NewSession(
        agent=str(task.agent_id),
        input={"message": f"Replay the set {config.set_name}", "run": msgspec.to_builtins(config)},
        type=SessionType.MIXED,
        purpose=EVAL_RUN,
        id=session_id,
        task_id=task.id,
    )
    return await sessions.start(tx, new)


async def check(tx: Tx, config: EvalRunConfig) -> Faults:
    """Whether there is such a set, and such agents."""
    faults = Faults()
    if await case_store.find_set_by_name(tx, config.set_name) is None:
        faults.append(Fault(path="/setName", code=GoldenSetNotFound.code, message=GoldenSetNotFound.title))
    asked = [(f"/agents/{place}", each) for place, each in enumerate(config.agents)]
    if isinstance(config.baseline, OfAgent):
        asked.append(("/baseline", config.baseline))
    for place, each in asked:
        try:
            agent, _ = await sessions.access_runnable(tx, each.agent)
            if each.version is not None:
                await configurations.access(tx, agent.id, each.version)
        except GoldloopError as error:
            faults.append(Fault(path=place, code=error.code, message=error.detail))
    return faults


async def begin(tx: Tx, session: Session) -> None:
    """Begin the run that a session waits for. Again, after a crash: the same."""
    if await run_store.find(tx, _run_id(session.id)) is not None:
        return
    config = msgspec.convert(session.input["run"], EvalRunConfig)
    task = await tasks.find(tx, session.task_id) if session.task_id else None
    new = NewRun(
        set_name=config.set_name,
        agents=[NamedAgent(str(session.agent_id)), *map(named, config.agents)],
        baseline=named(config.baseline) if isinstance(config.baseline, OfAgent) else None,
        compares=config.baseline != "none",
        repeats=config.repeats,
        mode=config.mode,
        context=ReplayContext(config.context),
        margin=config.margin,
        max_cost=config.max_cost,
        trigger=Trigger.SCHEDULED,
        name=task.name if task else None,
        session_id=session.id,
        id=_run_id(session.id),
    )
    await runs.begin(tx, new)


async def end_with_run(tx: Tx, event: Event) -> None:
    """In the transaction that ends a run: the session that waits for it ends as well."""
    run_id = UUID(event.subject_id)
    session_id = await run_store.find_session_id(tx, run_id)
    if session_id is None or await lock_open(tx, session_id) is None:
        return
    run = await run_store.find(tx, run_id)
    assert run is not None
    if run.status is RunState.CANCELLED:
        await sessions.finish(tx, session_id, SessionStatus.CANCELLED)
        return
    output = {"evalRunId": str(run_id), "verdict": run.verdict, "passRate": run.pass_rate}
    await sessions.finish(tx, session_id, SessionStatus.COMPLETED, output)


async def stop_with_session(tx: Tx, event: Event) -> None:
    """In the transaction that cancels or fails a session: its run is to stop. A run is locked before sessions, and so not here."""
    payload: dict[str, Any] = event.payload
    if payload["purpose"] == EVAL_RUN:
        await set_marks(tx, STOP, [event.subject_id])


async def stop(tx: Tx, session_id: UUID) -> None:
    run = await run_store.find(tx, _run_id(session_id))
    if run is not None and run.status is RunState.RUNNING:
        await runs.cancel(tx, run.id)


def _run_id(session_id: UUID) -> UUID:
    return uuid5(session_id, EVAL_RUN)
