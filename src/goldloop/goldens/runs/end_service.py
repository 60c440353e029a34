"""Use cases of runs on their way: start the next replays, take in what one came to, and say at the end what all came to."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from msgspec import UNSET

from goldloop.entities.records import service as records
from goldloop.evals.stats.counting import ReplayOutcome, classify_floor
from goldloop.evals.stats.model import Verdict
from goldloop.evals.stats.nightly import FRESH_REPEATS, Alarm, confirm_alarm, nightly_alarm
from goldloop.feedback.entries import intake_service as feedback
from goldloop.goldens.cases import service as cases
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.runs import events, replay_store, service, store
from goldloop.goldens.runs.model import AgentReport, EvalRun, RunKind, RunState, Trigger
from goldloop.goldens.runs.planning import Planned, affordable, expected_cost
from goldloop.goldens.runs.replay_store import ReplayResult, Started
from goldloop.goldens.runs.report_service import report
from goldloop.goldens.runs.service import ADVANCE, COST_LIMIT, COST_UNKNOWN, NamedAgent, NewRun
from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError, TooManyRequests
from goldloop.kit.events import emit
from goldloop.kit.queue import set_marks
from goldloop.limits import service as limits
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.beginning import REPLAY, NewSession

PASSES_AGAIN = "The agent passes this golden again"
REVOKED = "The session is golden no more"


async def advance(tx: Tx, run_id: UUID) -> None:
    """Start as many replays as may run at once, or end the run where none is left."""
    found = await store.lock(tx, run_id)
    if found is None or found.run.status is not RunState.RUNNING:
        return
    run = found.run
    await service.cancel_sessions(tx, await replay_store.cancel_revoked(tx, run_id))
    if run.kind is RunKind.FLOOR:
        await replay_store.cancel_outdated(tx, run_id)
    running = await replay_store.count_running(tx, run_id)
    most = await _within_limits(tx, run, running, max(0, found.concurrency - running))
    started = await replay_store.start_next(tx, run_id, most)
    for each in started:
        await _start(tx, run, each)
    if not started and not running:
        await _end(tx, run_id)


async def _within_limits(tx: Tx, run: EvalRun, running: int, most: int) -> int:
    """How many replays may begin. Where the workspace has used up what it may use, the others never will."""
    try:
        await limits.check_run(tx)
    except TooManyRequests as spent:
        if not running and await replay_store.cancel_queued(tx, run.id):
            await store.set_stopped(tx, run.id, spent.code)
        return 0
    return await _within_cost(tx, run, running, most)


async def _within_cost(tx: Tx, run: EvalRun, running: int, most: int) -> int:
    """How many replays may begin. Where the limit leaves none, or nobody knows what they cost, the others never will."""
    if run.max_cost is None:
        return most
    if await replay_store.is_cost_unknown(tx, run.id):
        allowed, why = 0, COST_UNKNOWN
    else:
        expected = expected_cost(run.estimate, run.cost, run.done)
        allowed, why = affordable(run.max_cost, run.cost or 0.0, running, expected), COST_LIMIT
    if not allowed and not running and await replay_store.cancel_queued(tx, run.id):
        await store.set_stopped(tx, run.id, why)
    return min(most, allowed)


async def _start(tx: Tx, run: EvalRun, replay: Started) -> None:
    golden = await sessions.access(tx, replay.golden_id)
    new = NewSession(
        agent=replay.agent,
        input=golden.input,
        type=golden.type,
        purpose=REPLAY,
        id=replay.id,
        entity_id=await _find_record(tx, golden.entity_id),
        manifest=replay.manifest,
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
        await _take_in(tx, run, replay.id, ReplayResult(ReplayOutcome.ERROR, error=error.detail))


async def _find_record(tx: Tx, entity_id: UUID | None) -> UUID | None:
    """None for one that is gone: the snapshot has what a replay is told of it."""
    found = await records.list_titles(tx, [entity_id]) if entity_id else {}
    return entity_id if entity_id in found else None


async def take_in(tx: Tx, replay_id: UUID, result: ReplayResult) -> bool:
    """What a replay came to, counted once; False where it was counted already, or cancelled."""
    run_id = await replay_store.find_run_id(tx, replay_id)
    found = (
        await store.lock(tx, run_id) if run_id else None
    )  # before its replays and sessions, as whoever cancels it does
    return found is not None and await _take_in(tx, found.run, replay_id, result)


async def _take_in(tx: Tx, run: EvalRun, replay_id: UUID, result: ReplayResult) -> bool:
    counted = await replay_store.set_compared(tx, replay_id, result, await tx.moment())
    if counted is None:
        return False
    await store.count_result(tx, run.id, result.outcome, result.cost, counted.baseline)
    if result.comparison is not None:
        await sessions.keep_eval_result(tx, replay_id, result.comparison)
    teaches = run.kind in (RunKind.RUN, RunKind.CONFIRMATION) and not counted.baseline
    if result.outcome is ReplayOutcome.FAILED and teaches:
        await _learn_from_failure(tx, replay_id, counted.golden_id, result.divergence)
    await set_marks(tx, ADVANCE, [str(run.id)])
    return True


async def _end(tx: Tx, run_id: UUID) -> None:
    run = await service.access(tx, run_id)
    goldens = await store.list_in_run(tx, run_id)
    reports = await report(tx, run, goldens)
    moment = await tx.moment()
    await store.set_ended(tx, run_id, RunState.COMPLETED, reports, moment)
    if run.kind is RunKind.FLOOR:
        await _set_floors(tx, run, goldens, reports)
    elif run.kind is RunKind.CONFIRMATION:
        await _confirm(tx, run, reports)
    elif run.kind is RunKind.RUN:
        await _ask_again(tx, run, reports)
    await _settle_mended(tx, run, reports[0])
    first = reports[0]
    ended = events.RunEnded(
        **msgspec.structs.asdict(service.about(run)),
        verdict=UNSET if first.verdict is None else str(first.verdict),
        pass_rate=UNSET if first.pass_rate is None else first.pass_rate,
    )
    await emit(tx, events.ENDED.of(run_id, ended))


async def _set_floors(
    tx: Tx, run: EvalRun, goldens: Sequence[Planned], reports: Sequence[AgentReport]
) -> None:
    """One that was changed meanwhile, so that not all replays were compared with what it is now, or of which no replay decided
    anything, has none."""
    revisions = {golden.id: golden.revision for golden in goldens}
    for golden in reports[0].goldens:
        if len(golden.outcomes) < run.repeats:
            continue
        passes = golden.outcomes.count(ReplayOutcome.PASSED)
        decided = passes + golden.outcomes.count(ReplayOutcome.FAILED)
        floor = classify_floor(passes, decided)
        if floor is not None:
            await cases.set_floor(
                tx, golden.golden_id, revisions[golden.golden_id], floor, passes, decided, run.id
            )


async def _learn_from_failure(tx: Tx, replay_id: UUID, golden_id: UUID, divergence: str | None) -> None:
    """Each failed replay is a signal of its own, whatever becomes of its run; the review agent sees those of a golden
    together."""
    session = await session_store.find(tx, replay_id)
    if session is not None:
        await feedback.take_in_replay(tx, session, golden_id, divergence or "It failed")


async def _settle_mended(tx: Tx, run: EvalRun, first: AgentReport) -> None:
    """Where an agent is no worse than its baseline, what waits about goldens that it passes each time waits no more."""
    if first.verdict not in (Verdict.IMPROVEMENT, Verdict.NO_WORSE):
        return
    for golden in first.goldens:
        if ReplayOutcome.PASSED in golden.outcomes and ReplayOutcome.FAILED not in golden.outcomes:
            failed = await replay_store.list_failed(tx, golden.golden_id, first.agent.id, run.id)
            await feedback.settle_replays(tx, failed, PASSES_AGAIN)


async def let_go(tx: Tx, golden_id: UUID) -> None:
    """A golden is none any more: what waits about its replays waits no more."""
    if await case_store.find(tx, golden_id) is None:
        await feedback.settle_replays(tx, await replay_store.list_failed(tx, golden_id, None, None), REVOKED)


async def _ask_again(tx: Tx, run: EvalRun, reports: Sequence[AgentReport]) -> None:
    """What nobody watched is called a regression only after fresh repeats."""
    first = reports[0]
    if run.trigger is Trigger.MANUAL or run.baseline is None or first.baseline is None:
        return
    if nightly_alarm(*_pairs(first)).alarm is not Alarm.TRIGGERED:
        return
    await service.begin(
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
    if confirmed:
        await replay_store.leave_out(tx, [run.id, run.confirms_id], reports[0].agent)
    about = events.RunConfirmed(set=run.set_name, confirmed=confirmed)
    await emit(tx, events.CONFIRMED.of(run.confirms_id, about))


Pairs = list[tuple[int, int] | None]


def _pairs(report: AgentReport) -> tuple[Pairs, Pairs]:
    """Passes and runs of the agent and of its baseline, golden by golden."""
    own: Pairs = []
    for golden in report.goldens:
        passes, failures = (
            golden.outcomes.count(ReplayOutcome.PASSED),
            golden.outcomes.count(ReplayOutcome.FAILED),
        )
        own.append((passes, passes + failures) if passes + failures else None)
    return own, [(g.baseline.passes, g.baseline.runs) if g.baseline else None for g in report.goldens]
