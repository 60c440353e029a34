"""Use cases of runs: queue one for a new session, claim it, end it with its result or its failure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import msgspec

from goldloop.agents import service as configurations
from goldloop.agents import store as configuration_store
from goldloop.agents.model import SecretName
from goldloop.agents.system_service import grants_of
from goldloop.conversations.model import TEXT_CHARACTERS
from goldloop.conversations.turns import service as turns
from goldloop.conversations.turns import store as turn_store
from goldloop.conversations.turns.content import NewMessage, NewTurn
from goldloop.entities.model import EntityNotFound
from goldloop.entities.records import service as records
from goldloop.jobs import run_service as runs
from goldloop.jobs.model import Run, RunStatus
from goldloop.jobs.run_service import RunKind
from goldloop.kit.clock import now
from goldloop.kit.db import Actor, Tx
from goldloop.kit.errors import GoldloopError
from goldloop.kit.events import EVENTS, Event
from goldloop.kit.permissions import Permissions
from goldloop.kit.tools import tools_of
from goldloop.limits import service as limits
from goldloop.runtimes import prompt_service as prompts
from goldloop.runtimes.model import Brief, ClaimedRun, LimitReached, RunFailed, RunPlan, Spoken
from goldloop.runtimes.purpose_service import PURPOSES
from goldloop.sessions import run_service as sessions
from goldloop.sessions import service as session_service
from goldloop.sessions import store as session_store
from goldloop.sessions.events import SESSIONS
from goldloop.sessions.model import (
    Appended,
    ClaimLost,
    ConversationRef,
    Session,
    SessionEnded,
    SessionError,
    SessionSource,
    SessionStatus,
)
from goldloop.sessions.run_service import Claim
from goldloop.sessions.store import NewEvent
from goldloop.tenants.agents import service as registry
from goldloop.tenants.auth.actors import agent_actor
from goldloop.tenants.model import Agent, Role
from goldloop.tenants.workspaces import service as workspaces

JOB = "sessions.run"
MOST_TURNS = 20  # of a conversation that an agent is told before a new message
FIRST_SEQ = 0
_EFFECTS = {"entity.edited": "entity.updated", "entity.removed": "entity.deleted"}  # as sessions call them


async def queue(tx: Tx, event: Event) -> None:
    """In the transaction that makes a session: its run, if it is to run here."""
    if event.payload["source"] == SessionSource.RUN:
        agent_id = event.payload["agent_id"]
        await runs.create(tx, RUNS, UUID(event.subject_id), str(agent_id))


async def go_on(tx: Tx, event: Event) -> None:
    """In the transaction that answers a session: its run goes on."""
    await runs.resume(tx, UUID(event.subject_id))


async def stop(tx: Tx, event: Event) -> None:
    """In the transaction that cancels a session: whoever runs it is told to stop."""
    await runs.cancel(tx, UUID(event.subject_id))


async def begin(tx: Tx, session_id: UUID) -> RunPlan | None:
    """Claim a session and read what its run needs. None when there is nothing to do."""
    session = await sessions.lock_open(tx, session_id)  # before its run, as whoever cancels it does
    if session is None or session.agent_id is None or session.agent_version is None:
        return None
    if await runs.start(tx, session_id) is None:
        return None
    agent = await registry.access(tx, session.agent_id)
    config = (await configurations.access(tx, agent.id, session.agent_version)).config
    tools = tuple(tools_of(config.tool_groups))
    claim = await sessions.claim(
        tx,
        session_id,
        {
            "runtime": config.runtime,
            "agent_version": session.agent_version,
            "tools": [tool.name for tool in tools],
        },
    )
    if claim is None:
        return None
    is_new = session.started_at is None
    session = await session_service.access(tx, session_id)
    try:
        if is_new:  # what has started goes on, whatever is used up meanwhile
            await limits.check_run(tx)
        brief = await _brief(tx, session)
    except GoldloopError as error:  # a budget is spent, or what it is about is gone, or not what it was
        await _fail(tx, claim, RunFailed(error.code, error.detail))
        return None
    plan = RunPlan(
        session=session,
        claim=claim,
        actor=_actor(tx, agent),
        config=config,
        tools=tools,
        secrets=await _secrets(tx, agent.id),
        tenant=(await workspaces.access(tx)).slug,
        brief=brief,
        spoken=await spoken_before(tx, session) if brief.spoken is None else brief.spoken,
    )
    purpose = PURPOSES[session.purpose]
    if purpose.run is not None:  # no agent is asked
        return plan
    frozen = await purpose.prompt(tx, session)
    return replace(plan, prompt=frozen or await prompts.load_prompt(tx, plan))


async def _brief(tx: Tx, session: Session) -> Brief:
    """What its purpose asks, and with it the record that it is about, if that is still there."""
    brief = await PURPOSES[session.purpose].brief(tx, session)
    if session.entity_id is None or "entity" in brief.context:
        return brief
    try:
        entity = await records.access(tx, session.entity_id)
    except EntityNotFound:
        return brief
    about = {name: getattr(entity, name) for name in ("id", "type", "title", "content")}
    return msgspec.structs.replace(brief, context={**brief.context, "entity": msgspec.to_builtins(about)})


async def rejoin(tx: Tx, claim: Claim, agent_id: UUID) -> ClaimedRun:
    """A run that another process works on, for whoever has a key of it. Raises ClaimLost when that works on it no more."""
    session = await sessions.access(tx, claim)
    agent = await registry.access(tx, agent_id)
    if session.agent_id != agent_id or session.agent_version is None or not agent.active:
        raise ClaimLost
    config = (await configurations.access(tx, agent_id, session.agent_version)).config
    return ClaimedRun(
        session=session,
        claim=claim,
        actor=_actor(tx, agent),
        config=config,
        tools=tuple(tools_of(config.tool_groups)),
        secrets=await _secrets(tx, agent_id),
    )


def _actor(tx: Tx, agent: Agent) -> Actor:
    actor = agent_actor(tx.actor.tenant_id, agent, Role.CONTRIBUTOR)
    granted = actor.permissions.grants | grants_of(agent)
    return replace(actor, permissions=Permissions(granted, actor.permissions.scopes))


async def _secrets(tx: Tx, agent_id: UUID) -> dict[SecretName, bytes]:
    return {
        name: sealed
        for name in SecretName
        if (sealed := await configuration_store.find_sealed(tx, agent_id, name)) is not None
    }


async def append(tx: Tx, run: ClaimedRun, new: Sequence[NewEvent]) -> Appended:
    """What happened in a run. Raises ClaimLost for whoever works on it no more, also because it was cancelled."""
    try:
        return await session_service.append(tx, run.claim.session_id, new, run.claim.number)
    except SessionEnded:
        raise ClaimLost from None


async def begin_call(tx: Tx, run: ClaimedRun, called: NewEvent) -> None:
    """A call of a tool, counted among those of all processes. Raises LimitReached."""
    session = await sessions.hold(tx, run.claim)
    appended = await append(tx, run, [called])
    most = run.config.limits.tool_calls
    if appended.added and session.tool_calls >= most:
        raise LimitReached("tool_calls", most)


async def spoken_before(tx: Tx, session: Session) -> tuple[Spoken, ...]:
    """The last turns of its conversation, before it."""
    if (where := session.conversation) is None:
        return ()
    before = (session.created_at, FIRST_SEQ)
    rows = await turn_store.turns_before(tx, where.project, where.id, before, MOST_TURNS)
    pairs = ((("user", turn.user), ("assistant", turn.assistant)) for turn in rows)
    return tuple(Spoken(role=role, content=text) for pair in pairs for role, text in pair if text)


async def check_output(tx: Tx, plan: ClaimedRun, output: Any) -> str | None:
    """What is wrong with it, for the agent to mend."""
    return await PURPOSES[plan.session.purpose].check(tx, plan.session, output)


async def complete(tx: Tx, plan: RunPlan, output: Any) -> None:
    """End a session with its result, and do with that what the session is for. What that changes is in the session's
    events. Raises RunFailed where the result cannot be used."""
    try:
        await PURPOSES[plan.session.purpose].finish(tx, plan.session, output)
        effects = [effect(event) for event in tx.happened]
        if plan.session.conversation is not None:
            await _add_turn(tx, plan, plan.session.conversation, output)
    except GoldloopError as error:
        raise RunFailed("bad_output", error.detail) from error
    await append(tx, plan, effects)
    await sessions.finish(tx, plan.claim, SessionStatus.COMPLETED, output)
    await runs.finish(tx, plan.session.id)


async def _add_turn(tx: Tx, plan: RunPlan, where: ConversationRef, output: Any) -> None:
    """What was asked and answered, as a turn of its conversation."""
    answer = output if isinstance(output, str) else msgspec.json.encode(output).decode()
    user_id = plan.session.metadata.get("user_id")
    turn = NewTurn(
        turn_id=str(plan.session.id),
        user=NewMessage(text=plan.brief.message[:TEXT_CHARACTERS]),
        assistant=NewMessage(text=answer[:TEXT_CHARACTERS]),
        user_id=user_id if isinstance(user_id, str) else None,
        agent=plan.session.agent,
        session_id=str(plan.session.id),
    )
    await turns.add(tx, where.project, where.id, [turn], gate=True)


async def fail(tx: Tx, plan: ClaimedRun, failure: RunFailed) -> None:
    await _fail(tx, plan.claim, failure)


async def _fail(tx: Tx, claim: Claim, failure: RunFailed) -> None:
    error = SessionError(code=failure.code, message=str(failure))
    await sessions.finish(tx, claim, SessionStatus.FAILED, None, error)
    await runs.fail(tx, claim.session_id, failure.code, str(failure))


def effect(event: Event, call_id: str | None = None) -> NewEvent:
    """What a tool or the end of a run changed, as an event of the session."""
    subject = "entity" if event.name.startswith("entity.") else EVENTS[event.name].subject.split()[0]
    called = {"call_id": call_id} if call_id is not None else {}
    payload = {f"{subject}_id": event.subject_id, **called, **event.payload}
    return session_service.life(event_kind(event.name), now(), payload)


def event_kind(name: str) -> str:
    """What an event of the workspace is called in a session."""
    return _EFFECTS.get(name, name).replace("/", ".")


async def give_up(tx: Tx, run: ClaimedRun, failure: RunFailed) -> None:
    """Fail a run that another process works on, and tell that one to stop."""
    await fail(tx, run, failure)
    await runs.stop_job(tx, run.session.id)


async def _ended(tx: Tx, run: Run) -> None:
    """In the transaction that ends a run: a session that is still open ends with it."""
    session = await session_store.find(tx, run.id)
    if session is None or session.status.is_over:
        return
    if run.status is RunStatus.CANCELLED:
        await session_service.finish(tx, run.id, SessionStatus.CANCELLED)
    else:
        error = SessionError(code=run.error_code or "job_ended", message=run.error_message or "")
        await session_service.finish(tx, run.id, SessionStatus.FAILED, None, error)


RUNS = runs.register(RunKind(name="session", topic=SESSIONS, job=JOB, ended=_ended))
