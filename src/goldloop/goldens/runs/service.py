"""Use cases of eval runs: begin one, go on with it, take in what a replay came to, end it, cancel it, read it."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET

from goldloop.agents import service as configurations
from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.counting import FLOOR_REPLAYS, Outcome, classify_floor
from goldloop.evals.stats.model import MARGIN
from goldloop.evals.stats.nightly import FRESH_REPEATS, Alarm, confirm_alarm, nightly_alarm
from goldloop.feedback.entries import intake_service as feedback
from goldloop.goldens.cases import service as cases
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.model import GoldenSet, GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.runs import events, store
from goldloop.goldens.runs.model import (
    MOST_REPLAYS,
    AgentReport,
    Context,
    Estimate,
    EvalRun,
    EvalRunDetail,
    EvalRunEnded,
    EvalRunNotFound,
    NoGoldens,
    Replay,
    ReplayDetail,
    ReplayNotFound,
    RunAgent,
    RunKind,
    RunState,
    TooManyReplays,
    Trigger,
)
from goldloop.goldens.runs.planning import Planned, estimate, plan_replays
from goldloop.goldens.runs.reports import RunGolden, Side, report_agents
from goldloop.goldens.runs.store import ReplayFilter, ReplayResult, Started
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, GoldloopError
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, Page, decode_cursor, page
from goldloop.kit.queue import set_marks
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.beginning import REPLAY, NewSession
from goldloop.sessions.model import NoRuntime
from goldloop.tenants.parties.store import party_of

ADVANCE = "goldens.advance"  # the mark of a run that can go on
CONCURRENCY = 4  # replays of a run at once
COST_LIMIT, CANCELLED = "cost_limit", "cancelled"
NO_AGENT = "The session that is golden names no agent that runs here: say which agent is to be tried"


class NamedAgent(NamedTuple):
    """An agent by its slug or id; without a version it is the newest."""

    agent: str
    version: int | None = None


class NewRun(NamedTuple):
    """What is to be replayed, by whom, how often, and beside whom. Without `agents` it is each golden's own agent, as it is
    now; without a `baseline` that agent as it was when the session became golden, unless `compares` is False."""

    set_name: str | None = None
    golden_id: UUID | None = None
    agents: Sequence[NamedAgent] = ()
    baseline: NamedAgent | None = None
    compares: bool = True
    repeats: int = 3
    mode: Mode = Mode.HYBRID
    context: Context = Context.SNAPSHOT
    margin: float = MARGIN
    max_cost: float | None = None
    trigger: Trigger = Trigger.MANUAL
    kind: RunKind = RunKind.RUN
    name: str | None = None
    commit_sha: str | None = None
    confirms_id: UUID | None = None
    id: UUID | None = None


class _Plan(NamedTuple):
    run: EvalRun
    goldens: Sequence[Planned]


async def begin(tx: Tx, new: NewRun) -> EvalRun:
    """The same begin again, by its id, answers with what is there."""
    tx.actor.check(EVALS_MANAGE)
    run, goldens = await _plan(tx, new)
    replays = plan_replays(goldens, run.agents, run.repeats, new_id)
    if not await store.insert(tx, run, CONCURRENCY, replays):
        return await access(tx, run.id)
    await emit(tx, events.STARTED.of(run.id, _about(run)))
    await set_marks(tx, ADVANCE, [str(run.id)])
    return await access(tx, run.id)


async def foresee(tx: Tx, new: NewRun) -> Estimate:
    """What a run would use, without beginning it."""
    tx.actor.check(EVALS_MANAGE)
    return (await _plan(tx, new)).run.estimate


async def _plan(tx: Tx, new: NewRun) -> _Plan:
    found = await _set_of(tx, new)
    by = ("set_id", found.id) if new.golden_id is None else ("session_id", new.golden_id)
    goldens = await store.list_planned(tx, *by, MOST_REPLAYS + 1)
    if not goldens:
        raise NoGoldens(errors=[Fault(path="/setName", code=NoGoldens.code, message=NoGoldens.title)])
    agents = [await _agent(tx, each) for each in new.agents] or [await _own_agent(tx, new, goldens)]
    if len(goldens) * len(agents) * new.repeats > MOST_REPLAYS:
        raise TooManyReplays(
            errors=[Fault(path="/repeats", code=TooManyReplays.code, message=TooManyReplays.title)]
        )
    baseline = await _baseline(tx, new, goldens) if new.compares else None
    run_id, what = new.id or new_id(), found.name
    run = EvalRun(
        id=run_id,
        name=new.name or f"{what}: {', '.join(f'{a.slug} v{a.version}' for a in agents)}"[:200],
        kind=new.kind,
        trigger=new.trigger,
        set_id=found.id,
        set_name=found.name,
        set_version=found.version,
        golden_id=new.golden_id,
        agents=agents,
        baseline=baseline,
        repeats=new.repeats,
        mode=new.mode,
        context=new.context,
        margin=new.margin,
        max_cost=new.max_cost,
        estimate=estimate(goldens, len(agents), new.repeats),
        status=RunState.RUNNING,
        stopped=None,
        replays=0,
        done=0,
        passed=0,
        failed=0,
        inconclusive=0,
        errors=0,
        cost=None,
        pass_rate=None,
        verdict=None,
        confirms_id=new.confirms_id,
        confirmed=None,
        waits=False,
        commit_sha=new.commit_sha,
        created_at=now(),
        ended_at=None,
        created_by=party_of(tx.actor),
    )
    return _Plan(run, goldens)


async def _set_of(tx: Tx, new: NewRun) -> GoldenSet:
    if new.golden_id is not None:
        found = await case_store.find_set(tx, (await cases.access(tx, new.golden_id)).set_id)
    else:
        found = await case_store.find_set_by_name(tx, new.set_name or "")
    if found is None:
        raise GoldenSetNotFound
    return found


async def find_siblings(tx: Tx, golden_id: UUID, without: UUID, limit: int) -> list[UUID]:
    """The newest replays of a golden that passed, of its present revision."""
    return await store.list_passed(tx, golden_id, without, limit)


async def _agent(tx: Tx, wanted: NamedAgent) -> RunAgent:
    agent, newest = await sessions.access_runnable(tx, wanted.agent)
    if wanted.version is not None:
        await configurations.access(tx, agent.id, wanted.version)
    return RunAgent(id=agent.id, slug=agent.slug, version=wanted.version or newest)


async def _own_agent(tx: Tx, new: NewRun, goldens: Sequence[Planned]) -> RunAgent:
    """The agent of the newest golden that has one."""
    agent_id = next((golden.agent_id for golden in reversed(goldens) if golden.agent_id), None)
    if agent_id is None:
        place = "/agents" if new.golden_id is None else "/agent"
        raise NoRuntime(NO_AGENT, errors=[Fault(path=place, code="required", message=NO_AGENT)])
    return await _agent(tx, NamedAgent(str(agent_id)))


async def _baseline(tx: Tx, new: NewRun, goldens: Sequence[Planned]) -> RunAgent | None:
    """The version whose unchanged replays are the noise floor of most of the goldens, unless another one is named."""
    if new.baseline is not None:
        return await _agent(tx, new.baseline)
    versions = [(g.agent_id, g.agent_version) for g in goldens if g.agent_id and g.agent_version]
    if not versions:
        return None
    agent_id, version = max(versions, key=versions.count)
    try:
        return await _agent(tx, NamedAgent(str(agent_id), version))
    except GoldloopError:  # it does not run here any more
        return None


def _about(run: EvalRun) -> events.OfRun:
    first = run.agents[0]
    return events.OfRun(
        set=run.set_name,
        kind=run.kind,
        trigger=run.trigger,
        agent_id=first.id,
        agent_version=first.version,
        replays=run.estimate.replays,
    )


async def begin_floor(tx: Tx, golden_id: UUID) -> EvalRun | None:
    """Unchanged replays of a golden by the agent that made it. None where that does not run here: then there is no floor."""
    (golden,) = await store.list_planned(tx, "session_id", golden_id, 1)
    if golden.agent_id is None or golden.agent_version is None:
        return None
    own = NamedAgent(str(golden.agent_id), golden.agent_version)
    new = NewRun(golden_id=golden_id, agents=[own], repeats=FLOOR_REPLAYS, kind=RunKind.FLOOR, compares=False)
    try:
        return await begin(tx, new)
    except GoldloopError:
        return None


async def advance(tx: Tx, run_id: UUID) -> None:
    """Start as many replays as may run at once, or end the run where none is left."""
    found = await store.lock(tx, run_id)
    if found is None or found.run.status is not RunState.RUNNING:
        return
    run = found.run
    if run.max_cost is not None and (run.cost or 0.0) >= run.max_cost:
        await store.set_stopped(tx, run_id, COST_LIMIT)
        await store.cancel_queued(tx, run_id)
    running = await store.count_running(tx, run_id)
    started = await store.start_next(tx, run_id, max(0, found.concurrency - running))
    for each in started:
        await _start(tx, run, each)
    if not started and not running:
        await _end(tx, run_id)


async def _start(tx: Tx, run: EvalRun, replay: Started) -> None:
    golden = await sessions.access(tx, replay.golden_id)
    new = NewSession(
        agent=replay.agent,
        input=golden.input,
        type=golden.type,
        purpose=REPLAY,
        id=replay.id,
        entity_id=golden.entity_id,
        metadata={
            "eval_source": str(replay.golden_id),
            "eval_run": str(run.id),
            "eval_repeat": replay.repeat,
            "eval_mode": run.mode,
            "eval_context": run.context,
        },
    )
    try:
        await sessions.start(tx, new, replay.agent_version)
    except GoldloopError as error:  # the agent, or what it is about, is gone
        await _take_in(tx, run, replay.id, ReplayResult(Outcome.ERROR, error=error.detail))


async def take_in(tx: Tx, replay_id: UUID, result: ReplayResult) -> None:
    """What a replay came to, counted once."""
    run_id = await store.find_run_id(tx, replay_id)
    found = (
        await store.lock(tx, run_id) if run_id else None
    )  # before its replays and sessions, as whoever cancels it does
    if found is not None:
        await _take_in(tx, found.run, replay_id, result)


async def _take_in(tx: Tx, run: EvalRun, replay_id: UUID, result: ReplayResult) -> None:
    if not await store.set_compared(tx, replay_id, result, await tx.moment()):
        return
    await store.count_result(tx, run.id, result)
    if result.comparison is not None:
        await session_store.set_eval_result(tx, replay_id, result.comparison)
    await set_marks(tx, ADVANCE, [str(run.id)])


async def _end(tx: Tx, run_id: UUID) -> None:
    run = await access(tx, run_id)
    reports = await _report(tx, run)
    moment = await tx.moment()
    await store.set_ended(tx, run_id, RunState.COMPLETED, reports, moment)
    if run.kind is RunKind.FLOOR:
        await _set_floors(tx, run, reports)
    elif run.kind is RunKind.CONFIRMATION:
        await _confirm(tx, run, reports)
    else:
        await _learn_from_failures(tx, run)
        await _ask_again(tx, run, reports)
    first = reports[0]
    ended = events.RunEnded(
        **msgspec.structs.asdict(_about(run)),
        verdict=UNSET if first.verdict is None else str(first.verdict),
        pass_rate=UNSET if first.pass_rate is None else first.pass_rate,
    )
    await emit(tx, events.ENDED.of(run_id, ended))


async def _report(tx: Tx, run: EvalRun) -> list[AgentReport]:
    goldens = await store.list_in_run(tx, run.id)
    compared = await store.list_compared(tx, run.id)
    sides = []
    for agent in run.agents:
        passes = (
            await store.count_baseline(
                tx, run.baseline, [(g.id, g.revision) for g in goldens], run.mode, run.context, run.id
            )
            if run.baseline
            else {}
        )
        own = [replay for id, version, replay in compared if (id, version) == (agent.id, agent.version)]
        sides.append(Side(agent, own, run.baseline if passes else None, passes))
    return report_agents(
        [RunGolden(g.id, g.floor, g.min_pass) for g in goldens],
        sides,
        repeats=run.repeats,
        mode=run.mode,
        set_name=run.set_name,
        margin=run.margin,
    )


async def _set_floors(tx: Tx, run: EvalRun, reports: Sequence[AgentReport]) -> None:
    """One that was changed meanwhile, or of which no replay decided anything, has none."""
    revisions = {golden.id: golden.revision for golden in await store.list_in_run(tx, run.id)}
    for golden in reports[0].goldens:
        passes = golden.outcomes.count(Outcome.PASSED)
        decided = passes + golden.outcomes.count(Outcome.FAILED)
        floor = classify_floor(passes, decided)
        if floor is not None:
            await cases.set_floor(
                tx, golden.golden_id, revisions[golden.golden_id], floor, passes, decided, run.id
            )


async def _learn_from_failures(tx: Tx, run: EvalRun) -> None:
    """Each failed replay is a signal of its own; the review agent sees those of a golden together."""
    after = FIRST_ID
    while rows := await store.list_replays(tx, run.id, ReplayFilter(outcome=Outcome.FAILED), after, 200):
        for replay in rows:
            session = await session_store.find(tx, replay.id)
            if session is not None:
                await feedback.take_in_replay(tx, session, replay.golden_id, replay.divergence or "It failed")
        after = rows[-1].id


async def _ask_again(tx: Tx, run: EvalRun, reports: Sequence[AgentReport]) -> None:
    """What nobody watched is called a regression only after fresh repeats."""
    first = reports[0]
    if run.trigger is Trigger.MANUAL or run.baseline is None or first.baseline is None:
        return
    if nightly_alarm(*_pairs(first)).alarm is not Alarm.TRIGGERED:
        return
    await begin(
        tx,
        NewRun(
            set_name=run.set_name,
            golden_id=run.golden_id,
            agents=[NamedAgent(str(first.agent.id), first.agent.version)],
            baseline=NamedAgent(str(run.baseline.id), run.baseline.version),
            repeats=FRESH_REPEATS,
            mode=run.mode,
            context=run.context,
            margin=run.margin,
            max_cost=run.max_cost,
            trigger=run.trigger,
            kind=RunKind.CONFIRMATION,
            name=f"Confirmation of {run.name}"[:200],
            commit_sha=run.commit_sha,
            confirms_id=run.id,
        ),
    )


async def _confirm(tx: Tx, run: EvalRun, reports: Sequence[AgentReport]) -> None:
    if run.confirms_id is None or not reports:
        return
    confirmed = confirm_alarm(*_pairs(reports[0])).alarm is Alarm.CONFIRMED
    await store.set_confirmed(tx, run.confirms_id, confirmed)
    about = events.RunConfirmed(set=run.set_name, confirmed=confirmed)
    await emit(tx, events.CONFIRMED.of(run.confirms_id, about))


Pairs = list[tuple[int, int] | None]


def _pairs(report: AgentReport) -> tuple[Pairs, Pairs]:
    """Passes and runs of the agent and of its baseline, golden by golden."""
    own: Pairs = []
    for golden in report.goldens:
        passes, failures = golden.outcomes.count(Outcome.PASSED), golden.outcomes.count(Outcome.FAILED)
        own.append((passes, passes + failures) if passes + failures else None)
    return own, [(g.baseline.passes, g.baseline.runs) if g.baseline else None for g in report.goldens]


async def cancel(tx: Tx, run_id: UUID) -> EvalRunDetail:
    """Stop it now: what is compared stays. Again: no change."""
    tx.actor.check(EVALS_MANAGE)
    found = await store.lock(tx, run_id)
    if found is None:
        raise EvalRunNotFound
    run = found.run
    if run.status is RunState.COMPLETED:
        raise EvalRunEnded(conflict={"id": str(run_id), "status": run.status})
    if run.status is RunState.RUNNING:
        await store.set_stopped(tx, run_id, CANCELLED)
        await store.cancel_queued(tx, run_id)
        for session_id in await store.cancel_running(tx, run_id):
            await sessions.cancel(tx, session_id)
        reports = await _report(tx, run) if run.done else []
        await store.set_ended(tx, run_id, RunState.CANCELLED, reports, await tx.moment())
        await emit(tx, events.CANCELLED.of(run_id, _about(run)))
    return await access(tx, run_id)


async def see(tx: Tx, run_id: UUID) -> EvalRunDetail:
    """A person has looked at a regression: it waits for nobody any more."""
    tx.actor.check(EVALS_MANAGE)
    await access(tx, run_id)
    await store.set_seen(tx, run_id)
    return await access(tx, run_id)


async def access(tx: Tx, run_id: UUID) -> EvalRunDetail:
    tx.actor.check(EVALS_READ)
    run = await store.find(tx, run_id)
    if run is None:
        raise EvalRunNotFound
    return run


async def list_replays(
    tx: Tx, run_id: UUID, wanted: ReplayFilter, cursor: str | None, limit: int
) -> Page[Replay]:
    await access(tx, run_id)
    after = decode_cursor(cursor, UUID) or FIRST_ID
    rows = await store.list_replays(tx, run_id, wanted, after, limit + 1)
    return page(rows, limit, lambda replay: replay.id)


async def access_replay(tx: Tx, replay_id: UUID) -> ReplayDetail:
    tx.actor.check(EVALS_READ)
    replay = await store.find_replay(tx, replay_id)
    if replay is None:
        raise ReplayNotFound
    return replay
