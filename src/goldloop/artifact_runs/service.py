"""Scoring the records of a workspace: starting, advancing and ending runs, and reading what they found."""

import math
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_runs import events, judges, registry, store, tally
from goldloop.artifact_runs.judging import RecordRow, Task, Verdict
from goldloop.artifact_runs.model import (
    ArtifactEvalRun,
    RecordResult,
    ResultFilter,
    RunExists,
    RunNotFound,
    RunOpen,
    RunOver,
    RunStatus,
    TypeMissing,
)
from goldloop.artifact_runs.store import Progress
from goldloop.artifact_runs.surface_sources import known_surfaces
from goldloop.entities.model import EntityType
from goldloop.entities.records import store as records
from goldloop.entities.types import store as types
from goldloop.jobs import store as jobs
from goldloop.jobs.model import JobStatus
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, EventType, emit, notify
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, encode_pair, has_more
from goldloop.kit.queue import enqueue
from goldloop.tenants import roles
from goldloop.tenants.workspaces import store as workspaces

BATCH = 200  # records in one short transaction
BATCH_BYTES = 1024 * 1024  # of their contents, unless one alone has more
KEPT_RUNS = 5  # of a suite, whose results can still be read
DROP_BATCH = 2000
JOB = "artifact_evals.score"


async def start(tx: Tx, slug: str, run_id: UUID | None) -> ArtifactEvalRun:
    """Queue a run of a suite. The same start again answers with what is there."""
    tx.actor.check(roles.ARTIFACT_EVALS_MANAGE)
    suite = registry.access_suite(slug)
    if run_id and (known := await store.find(tx, run_id)):
        if known.run.suite != slug:
            raise RunExists(conflict={"id": str(run_id)})
        return known.run
    entity_type = await access_type(tx, suite)
    opened = await store.find_open(tx, slug)
    if opened and (await settle(tx, opened)).status.is_open:
        raise RunOpen(conflict={"id": str(opened.run.id), "status": opened.run.status})
    made_id = run_id or new_id()
    job_id = await enqueue(tx, JOB, {"run_id": str(made_id)})
    total = await store.count_records(tx, entity_type.slug)
    if not await store.insert(tx, made_id, slug, entity_type.slug, suite.rubric.version, total, job_id):
        raise RunOpen(conflict={"suite": slug})
    found = await _find(tx, made_id)
    await emit(tx, _event(events.STARTED, found.run))
    return found.run


async def access_type(tx: Tx, suite: KnowledgeEvalSuite) -> EntityType:
    """The type whose records the suite judges; raises where the workspace has none."""
    slug = suite.entity_type.slug if suite.entity_type else suite.rubric.name
    found = await types.find(tx, slug)
    if found is None:
        raise TypeMissing(f"Make the entity type {slug} first", conflict={"entity_type": slug})
    return found


async def access(tx: Tx, run_id: UUID) -> ArtifactEvalRun:
    tx.actor.check(roles.ARTIFACT_EVALS_READ)
    return await settle(tx, await _find(tx, run_id))


async def list_runs(tx: Tx, slug: str, cursor: str | None, limit: int) -> Page[ArtifactEvalRun]:
    tx.actor.check(roles.ARTIFACT_EVALS_READ)
    registry.access_suite(slug)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    found = await store.list_newest_first(tx, slug, before, limit + 1)  # type: ignore[arg-type]
    shown = [await settle(tx, progress) for progress in found[:limit]]
    more = len(found) > limit
    return Page(data=shown, next_cursor=encode_pair(shown[-1].created_at, shown[-1].id) if more else None)


async def list_results(
    tx: Tx,
    run_id: UUID,
    wanted: ResultFilter | None,
    dimension: KnowledgeDimension | None,
    cursor: str | None,
    limit: int,
) -> Page[RecordResult]:
    tx.actor.check(roles.ARTIFACT_EVALS_READ)
    tx.actor.check(roles.ENTITIES_READ)
    await _find(tx, run_id)
    before = decode_pair(cursor, float) or (math.inf, LAST_ID)
    rows = await store.list_results(tx, run_id, wanted, dimension, before, limit + 1)  # type: ignore[arg-type]
    shown, more = rows[:limit], has_more(rows, limit)
    return Page(
        data=[result for result, _ in shown],
        next_cursor=encode_pair(shown[-1][1], shown[-1][0].entity_id) if more else None,
    )


async def cancel(tx: Tx, run_id: UUID) -> ArtifactEvalRun:
    """End a run that waits or runs; what was scored stays. Again: no change."""
    tx.actor.check(roles.ARTIFACT_EVALS_MANAGE)
    found = await _find(tx, run_id)
    if not await store.finish(tx, run_id, RunStatus.CANCELLED):
        over = (await _find(tx, run_id)).run
        if over.status is not RunStatus.CANCELLED:
            raise RunOver(conflict={"id": str(run_id), "status": over.status})
        return over
    await jobs.cancel(tx, found.job_id)
    return await _ended(tx, run_id)


async def settle(tx: Tx, found: Progress) -> ArtifactEvalRun:
    """The run as it is; one whose job was given up or cancelled ends here, so that another can start."""
    if not found.run.status.is_open:
        return found.run
    job = await jobs.find(tx, found.job_id)
    if job is not None and job.status in (JobStatus.TODO, JobStatus.DOING):
        return found.run
    if job is not None and job.status is JobStatus.CANCELLED:
        ended = await store.finish(tx, found.run.id, RunStatus.CANCELLED)
    else:
        why = f"{job.error.type}: {job.error.message}" if job and job.error else "its job ended before it did"
        ended = await store.finish(tx, found.run.id, RunStatus.FAILED, f"The run was given up: {why}")
    return await _ended(tx, found.run.id) if ended else (await _find(tx, found.run.id)).run


class Plan(NamedTuple):
    """What a worker needs for the next batch of a run."""

    run_id: UUID
    type_id: UUID
    task: Task
    scored_to: UUID


async def begin(tx: Tx, run_id: UUID) -> Plan | None:
    """Begin a run, or go on with it where another worker stopped. None when there is nothing to do."""
    found = await store.lock(tx, run_id)
    if found is None or not found.run.status.is_open:
        return None
    if registry.find_suite(found.run.suite) is None:
        await _fail(tx, run_id, f"The suite {found.run.suite} is not installed where the worker runs")
        return None
    entity_type = await types.find(tx, found.run.entity_type)
    if entity_type is None:
        await _fail(tx, run_id, f"The entity type {found.run.entity_type} is gone")
        return None
    workspace = await workspaces.find(tx)
    assert workspace is not None
    task = Task(
        suite=found.run.suite,
        entity_type=entity_type.slug,
        tenant=workspace.slug,
        surfaces=await known_surfaces(tx),
        path=judges.search_path(),
        seconds=judges.RECORD_SECONDS,
        loading_seconds=judges.LOADING_SECONDS,
    )
    if found.run.status is RunStatus.QUEUED:
        await store.begin(tx, run_id)
        await _tell(tx)
    return Plan(run_id, entity_type.id, task, found.scored_to)


async def next_records(tx: Tx, plan: Plan) -> list[RecordRow]:
    rows = await records.contents(tx, plan.type_id, plan.scored_to, BATCH, BATCH_BYTES)
    return [RecordRow(id=row_id, title=title, content=content) for row_id, title, content in rows]


async def keep(
    tx: Tx, plan: Plan, verdicts: list[Verdict], *, more: bool, fault: str | None = None
) -> Plan | None:
    """Store a batch and how far the run is; None when it is over, or another worker is ahead of this one. With a fault
    nothing can be judged any more, and the run has failed."""
    found = await store.lock(tx, plan.run_id)
    if found is None or not found.run.status.is_open or found.scored_to != plan.scored_to:
        return None
    scored_to = plan.scored_to
    if verdicts:
        scored_to = verdicts[-1].entity_id
        kept_for = await store.insert_results(tx, plan.run_id, verdicts)
        kept = [verdict for verdict in verdicts if verdict.entity_id in kept_for]
        done = found.run.done + len(kept)
        passed = found.run.passed + sum(verdict.passed for verdict in kept)
        await store.advance(tx, plan.run_id, scored_to, done, passed, tally.add(found.tally, kept))
    if fault is not None:
        await _fail(tx, plan.run_id, fault)
        return None
    if more:
        await _tell(tx)
        return plan._replace(scored_to=scored_to)
    await store.finish(tx, plan.run_id, RunStatus.DONE)
    await _ended(tx, plan.run_id)
    return None


async def drop_old_results(tx: Tx, run_id: UUID) -> bool:
    """Forget a batch of what the suite's older runs found; whether there may be more."""
    found = await store.find(tx, run_id)
    return found is not None and await store.drop_old_results(tx, found.run.suite, KEPT_RUNS, DROP_BATCH)


async def _find(tx: Tx, run_id: UUID) -> Progress:
    found = await store.find(tx, run_id)
    if found is None:
        raise RunNotFound
    return found


async def _fail(tx: Tx, run_id: UUID, why: str) -> None:
    await store.finish(tx, run_id, RunStatus.FAILED, why)
    await _ended(tx, run_id)


async def _ended(tx: Tx, run_id: UUID) -> ArtifactEvalRun:
    run = (await _find(tx, run_id)).run
    await emit(tx, _event(_ENDED[run.status], run))
    return run


async def _tell(tx: Tx) -> None:
    """Progress is no fact to remember, but somebody may be looking."""
    await notify(tx, "artifact_eval_runs")


_ENDED = {
    RunStatus.DONE: events.DONE,
    RunStatus.FAILED: events.FAILED,
    RunStatus.CANCELLED: events.CANCELLED,
}


def _event(happened: EventType[events.OfRun], run: ArtifactEvalRun) -> Event:
    payload = events.OfRun(suite=run.suite, total=run.total, done=run.done, passed=run.passed)
    return happened.of(run.id, payload)
