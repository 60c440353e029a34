"""Use cases of starter sets: list them, load one, make its sessions golden, and try other versions of its agent.

Everything of a set has an id that follows from the workspace and the set, so that loading it again finds what is there.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid5

from goldloop.agents import service as configurations
from goldloop.agents.model import AgentConfig
from goldloop.entities.records import service as records
from goldloop.entities.types import service as types
from goldloop.goldens.cases import service as cases
from goldloop.goldens.experiments import service as experiments
from goldloop.goldens.experiments.plan_service import NewExperiment
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs import store as run_store
from goldloop.goldens.runs.model import RunState
from goldloop.goldens.runs.service import NamedAgent, NewRun
from goldloop.goldens.starters import store
from goldloop.goldens.starters.catalogue import STARTERS
from goldloop.goldens.starters.model import Lessons, Starter, StarterNotFound, StarterSet, StarterState
from goldloop.goldens.starters.store import LoadedSession
from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError
from goldloop.kit.events import Event
from goldloop.kit.queue import set_marks
from goldloop.knowledge.model import KnowledgeState, KnowledgeType
from goldloop.knowledge.rows import service as knowledge
from goldloop.knowledge.rows.service import NewKnowledge
from goldloop.runtimes.scripted_models import PROVIDER
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.model import Session, SessionEvent, SessionType
from goldloop.tenants.agents import service as registry

STARTER = "starter"  # the purpose of sessions that become goldens of a starter set
PROMOTE = "goldens.promote_starter"  # the mark of such a session that was completed
TRY = "goldens.try_starter"  # the mark of a starter set whose next trial may begin
TOOL_GROUPS = ["entities-read", "responses"]
FIRST_VERSION = 1


def id_of(tenant_id: UUID, starter: Starter, kind: str, key: str) -> UUID:
    """The same for the same part of a set in a workspace."""
    return uuid5(tenant_id, f"starter {starter.name} {kind} {key}")


def session_ids(tenant_id: UUID, starter: Starter) -> list[UUID]:
    return [id_of(tenant_id, starter, "session", request.key) for request in starter.requests]


def _named(name: str) -> Starter:
    if (starter := STARTERS.get(name)) is None:
        raise StarterNotFound
    return starter


async def list_starters(tx: Tx) -> list[StarterSet]:
    tx.actor.check(EVALS_READ)
    every = [each for starter in STARTERS.values() for each in session_ids(tx.actor.tenant_id, starter)]
    there = await store.list_sessions(tx, every)
    return [_show(tx, starter, there) for starter in STARTERS.values()]


def _show(tx: Tx, starter: Starter, there: Mapping[UUID, LoadedSession]) -> StarterSet:
    own = [there[each] for each in session_ids(tx.actor.tenant_id, starter) if each in there]
    runs_still = any(not session.status.is_over for session in own)
    state = StarterState.LOADING if runs_still else StarterState.LOADED
    return StarterSet(
        name=starter.name,
        title=starter.title,
        description=starter.description,
        goldens=len(starter.requests),
        promoted=sum(session.is_golden for session in own),
        state=state if own else StarterState.ABSENT,
    )


async def load(tx: Tx, name: str, *, trials: bool) -> tuple[StarterSet, bool]:
    """Its types, records, agent and sessions, which run and become goldens; with `trials` other versions of the agent are tried
    then. Where something of it is there nothing changes, and the answer is False."""
    tx.actor.check(EVALS_MANAGE)
    starter = _named(name)
    ids = session_ids(tx.actor.tenant_id, starter)
    if there := await store.list_sessions(tx, ids):
        return _show(tx, starter, there), False
    await _make_records(tx, starter)
    await _make_agent(tx, starter, trials=trials)
    if trials and starter.lessons is not None:
        await _make_lessons(tx, starter, starter.lessons)
    for request, session_id in zip(starter.requests, ids, strict=True):
        new = NewSession(
            agent=starter.name,
            input={"message": request.message},
            type=SessionType.CHAT,
            purpose=STARTER,
            id=session_id,
            metadata={"starter": starter.name, "trials": trials},
        )
        await sessions.start(tx, new, FIRST_VERSION)
    return _show(tx, starter, await store.list_sessions(tx, ids)), True


async def _make_records(tx: Tx, starter: Starter) -> None:
    for kind in starter.types:
        type_id = id_of(tx.actor.tenant_id, starter, "type", kind.slug)
        await types.create(tx, type_id, kind.slug, kind.name, kind.schema, kind.fields, {})
    for record in starter.records:
        record_id = id_of(tx.actor.tenant_id, starter, "record", record.title)
        await records.create(tx, record_id, record.type, record.title, record.content, {})


async def _make_agent(tx: Tx, starter: Starter, *, trials: bool) -> None:
    """With a version for each trial after the first one; the newest has its instructions again."""
    agent_id = id_of(tx.actor.tenant_id, starter, "agent", starter.name)
    await registry.create(tx, agent_id, starter.name, starter.title, starter.agent)
    await configurations.configure(
        tx, agent_id, _config(starter, starter.instructions), "First configuration", 0
    )
    for trial in starter.trials if trials else ():
        if trial.instructions is None:
            await configurations.restore(tx, agent_id, FIRST_VERSION)
        else:
            config = _config(starter, trial.instructions)
            await configurations.configure(tx, agent_id, config, trial.note, None)


async def _make_lessons(tx: Tx, starter: Starter, lessons: Lessons) -> None:
    """An agent that may learn, and what it is to learn, which is in no prompt."""
    agent_id = id_of(tx.actor.tenant_id, starter, "agent", lessons.agent)
    await registry.create(tx, agent_id, lessons.agent, lessons.title, lessons.description)
    await configurations.configure(
        tx, agent_id, _config(starter, lessons.instructions), "First configuration", 0
    )
    for lesson in lessons.lessons:
        new = NewKnowledge(
            type=KnowledgeType.LESSON,
            content=lesson,
            agent_id=agent_id,
            decided=KnowledgeState.SHADOW,
            id=id_of(tx.actor.tenant_id, starter, "lesson", lesson),
        )
        await knowledge.add(tx, new)


def _config(starter: Starter, instructions: str) -> AgentConfig:
    return AgentConfig(model=f"{PROVIDER}:{starter.name}", instructions=instructions, tool_groups=TOOL_GROUPS)


async def mark_completed(tx: Tx, session: Session, output: Any) -> None:
    """In the transaction that completes a session of a starter set."""
    await set_marks(tx, PROMOTE, [str(session.id)])


async def promote(tx: Tx, session_id: UUID, recorded: Sequence[SessionEvent]) -> None:
    """A session of a starter set becomes golden, and its noise floor is measured. What runs one again is no part of the set."""
    for starter in STARTERS.values():
        for request, own_id in zip(starter.requests, session_ids(tx.actor.tenant_id, starter), strict=True):
            if own_id == session_id:
                new = cases.NewGolden(session_id, starter.name, request.note, facts=request.facts)
                await cases.promote(tx, new, recorded)


async def mark_next(tx: Tx, event: Event) -> None:
    """In the transaction that ends a run: that of a starter set may have been what its next trial waits for."""
    if event.payload["set"] in STARTERS:
        await set_marks(tx, TRY, [event.payload["set"]])


async def try_next(tx: Tx, name: str) -> None:
    """Begin the next trial, when the noise floors of all goldens are known and the trial before it is over."""
    starter = _named(name)
    tenant_id = tx.actor.tenant_id
    there = await store.list_sessions(tx, session_ids(tenant_id, starter))
    if not all(_is_settled(session) for session in there.values()):
        return
    agent_id = id_of(tenant_id, starter, "agent", starter.name)
    for version, trial in enumerate(starter.trials, FIRST_VERSION + 1):
        run_id = id_of(tenant_id, starter, "run", trial.name)
        if (run := await run_store.find(tx, run_id)) is None:
            tried = NamedAgent(str(agent_id), version)
            new = NewRun(set_name=name, agents=[tried], repeats=trial.repeats, name=trial.name, id=run_id)
            await runs.begin(tx, new)
            return
        if run.status is not RunState.COMPLETED:
            return
    if starter.lessons is not None:
        await _measure(tx, starter, starter.lessons)


async def _measure(tx: Tx, starter: Starter, lessons: Lessons) -> None:
    """What the lessons are worth, once. Where somebody has removed the agent or retired the lessons, nothing is."""
    experiment_id = id_of(tx.actor.tenant_id, starter, "experiment", lessons.name)
    if await run_store.find(tx, experiment_id) is not None:
        return
    new = NewExperiment(
        set_name=starter.name,
        agent=lessons.agent,
        row_ids=[id_of(tx.actor.tenant_id, starter, "lesson", lesson) for lesson in lessons.lessons],
        replays=lessons.replays,
        pairs=lessons.pairs,
        name=lessons.name,
        id=experiment_id,
    )
    with suppress(GoldloopError):
        await experiments.begin(tx, new, None)


def _is_settled(session: LoadedSession) -> bool:
    """It is to be tried, and nothing more comes before that."""
    return session.tries and (session.has_floor or (session.status.is_over and not session.is_golden))
