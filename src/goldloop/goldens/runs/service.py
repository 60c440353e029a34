"""Use cases of eval runs: begin one, go on with it, take in what a replay came to, end it, cancel it, read it."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.agents import service as configurations
from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.counting import FLOOR_REPLAYS
from goldloop.evals.stats.model import MARGIN
from goldloop.goldens.cases import service as cases
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.judges import service as judges
from goldloop.goldens.model import GoldenSet, GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.runs import baseline_store, events, replay_store, store
from goldloop.goldens.runs.model import (
    MOST_REPLAYS,
    AgentsDiffer,
    CostUnknown,
    Estimate,
    EvalRun,
    EvalRunDetail,
    EvalRunEnded,
    EvalRunExists,
    EvalRunNotFound,
    Forecast,
    NoGoldens,
    OfAgent,
    Replay,
    ReplayContext,
    ReplayDetail,
    ReplayNotFound,
    RunAgent,
    RunKind,
    RunState,
    TooManyReplays,
    Trigger,
)
from goldloop.goldens.runs.planning import (
    CONCURRENCY,
    NewReplay,
    Planned,
    estimate,
    is_same,
    lacking,
    plan_replays,
)
from goldloop.goldens.runs.replay_store import ReplayFilter
from goldloop.goldens.runs.report_service import report
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, GoldloopError
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, Page, decode_cursor, page
from goldloop.kit.queue import set_marks
from goldloop.limits import service as limits
from goldloop.sessions import service as sessions
from goldloop.sessions.model import NoRuntime
from goldloop.sessions.run_service import lock_open
from goldloop.tenants.parties.store import party_of

ADVANCE = "goldens.advance"  # the mark of a run that can go on
COST_LIMIT, COST_UNKNOWN, CANCELLED = "cost_limit", "cost_unknown", "cancelled"
NO_AGENT = "The session that is golden names no agent that runs here: say which agent is to be tried"


class NamedAgent(NamedTuple):
    """An agent by its slug or id; without a version it is the newest."""

    agent: str
    version: int | None = None


def named(agent: OfAgent) -> NamedAgent:
    return NamedAgent(agent.agent, agent.version)


class NewRun(NamedTuple):
    """What is to be replayed, by whom, how often, and beside whom. Without `agents` it is the goldens' own agent, as it is
    now or in its `version`; without a `baseline` that agent as it was when the session became golden, unless `compares` is False. `session_id` is
    the session of a task that waits for it."""

    set_name: str | None = None
    golden_id: UUID | None = None
    agents: Sequence[NamedAgent] = ()
    version: int | None = None
    baseline: NamedAgent | None = None
    compares: bool = True
    repeats: int = 3
    mode: Mode = Mode.HYBRID
    context: ReplayContext = ReplayContext.SNAPSHOT
    margin: float = MARGIN
    max_cost: float | None = None
    trigger: Trigger = Trigger.MANUAL
    kind: RunKind = RunKind.RUN
    name: str | None = None
    commit_sha: str | None = None
    confirms_id: UUID | None = None
    session_id: UUID | None = None
    id: UUID | None = None


class _Plan(NamedTuple):
    """`compared` of the `goldens` have replays of the baseline before."""

    run: EvalRun
    goldens: Sequence[Planned]
    replays: Sequence[NewReplay]
    compared: int


async def begin(tx: Tx, new: NewRun) -> EvalRun:
    """The same begin again, by its id, answers with what is there."""
    tx.actor.check(EVALS_MANAGE)
    asked = _asked(new)
    if new.id is not None and (before := await _begun_before(tx, new.id, asked)) is not None:
        return before
    run, _, replays, _ = await _plan(tx, new)
    if new.kind is not RunKind.FLOOR:  # which nobody asked for by itself: it stops, and says why
        await limits.check_run(tx)
    if not await store.insert(tx, run, CONCURRENCY, len(replays), asked, new.session_id):
        before = await _begun_before(tx, run.id, asked)
        assert before is not None
        return before
    await replay_store.insert(tx, run, replays)
    await emit(tx, events.STARTED.of(run.id, about(run)))
    await set_marks(tx, ADVANCE, [str(run.id)])
    return await access(tx, run.id)


def _asked(new: NewRun) -> str:
    """A hash of what a run is asked to do, and not of what that means now: the newest version may be another one since."""
    return hashlib.sha256(msgspec.json.encode(list(new._replace(id=None)))).hexdigest()


async def _begun_before(tx: Tx, run_id: UUID, asked: str) -> EvalRun | None:
    before = await store.find_asked(tx, run_id)
    if before is None:
        return None
    if before != asked:
        raise EvalRunExists(conflict={"id": str(run_id)})
    return await access(tx, run_id)


async def foresee(tx: Tx, new: NewRun) -> Forecast:
    """What a run would use and what it would be compared with, without beginning it."""
    tx.actor.check(EVALS_MANAGE)
    run, goldens, _, compared = await _plan(tx, new)
    return Forecast(
        **msgspec.structs.asdict(run.estimate),
        goldens=len(goldens),
        baseline=run.baseline,
        compared=compared,
    )


async def _plan(tx: Tx, new: NewRun) -> _Plan:
    found = await _set_of(tx, new)
    by = ("set_id", found.id) if new.golden_id is None else ("session_id", new.golden_id)
    goldens = await store.list_planned(tx, *by, MOST_REPLAYS + 1)
    if not goldens:
        raise NoGoldens(errors=[Fault(path="/setName", code=NoGoldens.code, message=NoGoldens.title)])
    named_agents = [await access_agent(tx, each) for each in new.agents] or [
        await find_own_agent(tx, new, goldens)
    ]
    agents = list({(each.id, each.version): each for each in named_agents}.values())
    baseline = await _baseline(tx, new, goldens, agents[0]) if new.compares else None
    passes = {}
    if baseline is not None:
        revisions = [(golden.id, golden.revision) for golden in goldens]
        without = [new.confirms_id] if new.confirms_id and is_same(agents[0], baseline) else []
        passes = await baseline_store.count_baseline(tx, baseline, revisions, new.mode, new.context, without)
    missing = lacking(goldens, agents, new.repeats, baseline, passes)
    if len(goldens) * len(agents) * new.repeats + sum(missing.values()) > MOST_REPLAYS:
        raise TooManyReplays(
            errors=[Fault(path="/repeats", code=TooManyReplays.code, message=TooManyReplays.title)]
        )
    if new.max_cost is not None and all(golden.cost is None for golden in goldens):
        raise CostUnknown(errors=[Fault(path="/maxCost", code=CostUnknown.code, message=CostUnknown.title)])
    run = new_run(tx, new, found, agents, baseline, estimate(goldens, len(agents), new.repeats, missing))
    replays = plan_replays(goldens, agents, new.repeats, new_id, baseline, missing)
    return _Plan(run, goldens, replays, len(passes))


def new_run(
    tx: Tx,
    new: NewRun,
    found: GoldenSet,
    agents: list[RunAgent],
    baseline: RunAgent | None,
    planned: Estimate,
) -> EvalRun:
    """As it begins."""
    return EvalRun(
        id=new.id or new_id(),
        name=new.name or f"{found.name}: {', '.join(f'{a.slug} v{a.version}' for a in agents)}"[:200],
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
        estimate=planned,
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
        difference=None,
        low=None,
        high=None,
        smallest_detectable=None,
        verdict=None,
        confirms_id=new.confirms_id,
        confirmed=None,
        waits=False,
        commit_sha=new.commit_sha,
        created_at=now(),
        ended_at=None,
        created_by=party_of(tx.actor),
    )


async def _set_of(tx: Tx, new: NewRun) -> GoldenSet:
    if new.golden_id is not None:
        found = await case_store.find_set(tx, (await cases.access(tx, new.golden_id)).set_id)
    else:
        found = await case_store.find_set_by_name(tx, new.set_name or "")
    if found is None:
        raise GoldenSetNotFound
    return found


async def find_siblings(tx: Tx, golden_id: UUID, revision: int) -> list[UUID]:
    """The first replays of a golden that passed, of one revision."""
    return await replay_store.list_passed(tx, golden_id, revision, replay_store.SIBLINGS)


async def list_siblings(tx: Tx, replay_id: UUID) -> list[UUID]:
    """Other recordings that answer a replay: sessions that are accepted in its golden's place, and replays that passed."""
    return await replay_store.list_siblings(tx, replay_id)


async def access_agent(tx: Tx, wanted: NamedAgent) -> RunAgent:
    agent, newest = await sessions.access_runnable(tx, wanted.agent)
    if wanted.version is not None:
        await configurations.access(tx, agent.id, wanted.version)
    return RunAgent(id=agent.id, slug=agent.slug, version=wanted.version or newest)


async def find_own_agent(tx: Tx, new: NewRun, goldens: Sequence[Planned]) -> RunAgent:
    """The agent of the goldens that have one, which is the same."""
    agent_ids = {golden.agent_id for golden in goldens if golden.agent_id}
    if not agent_ids:
        place = "/agents" if new.golden_id is None else "/agent"
        raise NoRuntime(NO_AGENT, errors=[Fault(path=place, code="required", message=NO_AGENT)])
    if len(agent_ids) > 1:
        raise AgentsDiffer(errors=[Fault(path="/agents", code=AgentsDiffer.code, message=AgentsDiffer.title)])
    return await access_agent(tx, NamedAgent(str(agent_ids.pop()), new.version))


async def _baseline(tx: Tx, new: NewRun, goldens: Sequence[Planned], first: RunAgent) -> RunAgent | None:
    """The version whose unchanged replays are the noise floor of most of the goldens, unless another one is named. Where the
    first agent made some of them itself, it is one of its own."""
    if new.baseline is not None:
        return await access_agent(tx, new.baseline)
    made = [(g.agent_id, g.agent_version) for g in goldens if g.agent_id and g.agent_version]
    versions = [(agent_id, version) for agent_id, version in made if agent_id == first.id] or made
    if not versions:
        return None
    agent_id, version = max(versions, key=versions.count)
    try:
        return await access_agent(tx, NamedAgent(str(agent_id), version))
    except GoldloopError:  # it does not run here any more
        return None


def about(run: EvalRun) -> events.OfRun:
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


async def cancel(tx: Tx, run_id: UUID) -> EvalRunDetail:
    """Stop it now: what is compared stays, without a verdict, for which all are needed. Again: no change."""
    tx.actor.check(EVALS_MANAGE)
    found = await store.lock(tx, run_id)
    if found is None:
        raise EvalRunNotFound
    run = found.run
    if run.status is RunState.COMPLETED:
        raise EvalRunEnded(conflict={"id": str(run_id), "status": run.status})
    if run.status is RunState.RUNNING:
        await store.set_stopped(tx, run_id, CANCELLED)
        await replay_store.cancel_queued(tx, run_id)
        await cancel_sessions(tx, await replay_store.cancel_running(tx, run_id))
        reports = await report(tx, run, await store.list_in_run(tx, run_id)) if run.done else []
        undecided = [msgspec.structs.replace(each, verdict=None) for each in reports]
        await store.set_ended(tx, run_id, RunState.CANCELLED, undecided, await tx.moment())
        await emit(tx, events.CANCELLED.of(run_id, about(run)))
    return await access(tx, run_id)


async def cancel_sessions(tx: Tx, session_ids: Sequence[UUID]) -> None:
    """Those of replays that nobody waits for any more. One that is over stays as it is."""
    for session_id in session_ids:
        if await lock_open(tx, session_id) is not None:
            await sessions.cancel(tx, session_id)


async def see(tx: Tx, run_id: UUID) -> EvalRunDetail:
    """A person has looked at a regression: it waits for nobody any more."""
    tx.actor.check(EVALS_MANAGE)
    await _check_exists(tx, run_id)
    await store.set_seen(tx, run_id)
    return await access(tx, run_id)


async def _check_exists(tx: Tx, run_id: UUID) -> None:
    tx.actor.check(EVALS_READ)
    if not await store.exists(tx, run_id):
        raise EvalRunNotFound


async def access(tx: Tx, run_id: UUID) -> EvalRunDetail:
    tx.actor.check(EVALS_READ)
    run = await store.find(tx, run_id)
    if run is None:
        raise EvalRunNotFound
    judging = run.judging
    if judging is None or not judging.judged:
        return run
    if await judges.is_run_withheld(tx, run_id, judging.judged, judging.passed or 0):
        untold = msgspec.structs.replace(judging.agreement, kappa=None, low=None)
        judging = msgspec.structs.replace(judging, passed=None, agreement=untold, withheld=True)
    else:
        judging = msgspec.structs.replace(judging, rates=await judges.rate_run(tx, run_id))
    return msgspec.structs.replace(run, judging=judging)


async def list_replays(
    tx: Tx, run_id: UUID, wanted: ReplayFilter, cursor: str | None, limit: int
) -> Page[Replay]:
    await _check_exists(tx, run_id)
    after = decode_cursor(cursor, UUID) or FIRST_ID
    rows = await replay_store.list_replays(tx, run_id, wanted, after, limit + 1)
    return page(rows, limit, lambda replay: replay.id)


async def access_replay(tx: Tx, replay_id: UUID) -> ReplayDetail:
    tx.actor.check(EVALS_READ)
    replay = await replay_store.find_replay(tx, replay_id)
    if replay is None:
        raise ReplayNotFound
    if replay.judging is None or replay.rubric is None or not await judges.is_withheld(tx, replay_id):
        return replay
    withheld = msgspec.structs.replace(replay.judging, session_id=None, withheld=True)
    return msgspec.structs.replace(replay, judging=withheld, rubric=None)
