"""Scoring the records of a workspace: starting, advancing and ending runs, and reading what they found."""

import math
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.artifact_evals.model import FieldProvenance, KnowledgeDimension
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
    SuiteSettings,
    TypeMissing,
    section_of,
)
from goldloop.artifact_runs.permissions import ARTIFACT_EVALS_MANAGE, ARTIFACT_EVALS_READ
from goldloop.artifact_runs.store import Progress
from goldloop.artifact_runs.surface_service import known_surfaces
from goldloop.artifact_runs.tally import Tally
from goldloop.entities.history import store as history
from goldloop.entities.model import EntityType
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.records import store as records
from goldloop.entities.types import store as types
from goldloop.jobs import run_service as runs
from goldloop.jobs import run_store
from goldloop.jobs.model import Run, RunStatus
from goldloop.jobs.run_service import RunKind
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, EventType, emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, LAST_ID, LAST_TIME, Page, decode_pair, encode_pair, has_more
from goldloop.tenants.settings import service as workspace_settings
from goldloop.tenants.workspaces import store as workspaces

BATCH = 200  # records in one short transaction
BATCH_BYTES = 1024 * 1024  # of their contents, unless one alone has more
KEPT_RUNS = 5  # of a suite, whose results can still be read
DROP_BATCH = 2000
JOB = "artifact_evals.score"


async def start(tx: Tx, slug: str, run_id: UUID | None) -> ArtifactEvalRun:
    """Queue a run of a suite. The same start again answers with what is there."""
    tx.actor.check(ARTIFACT_EVALS_MANAGE)
    suite = registry.access_suite(slug)
    if run_id and (known := await store.find(tx, run_id)):
        if known.shown.suite != slug:
            raise RunExists(conflict={"id": str(run_id)})
        return known.shown
    entity_type = await access_type(tx, suite)
    if opened := await run_store.find_open(tx, RUNS.name, slug):
        raise RunOpen(conflict={"id": str(opened.id), "status": opened.status})
    made_id = run_id or new_id()
    total = await store.count_records(tx, entity_type.slug)
    if not await runs.create(tx, RUNS, made_id, slug, total=total, resume_point=str(FIRST_ID)):
        raise RunOpen(conflict={"suite": slug})
    left_out = {**suite.rubric.left_out, **(await read_settings(tx, slug)).left_out}
    await store.insert(tx, made_id, entity_type.slug, suite.rubric.version, Tally(left_out=left_out))
    started = (await _find(tx, made_id)).shown
    await emit(tx, _event(events.STARTED, started))
    return started


async def access_type(tx: Tx, suite: KnowledgeEvalSuite) -> EntityType:
    """The type whose records the suite judges; raises where the workspace has none."""
    slug = suite.entity_type.slug if suite.entity_type else suite.rubric.name
    found = await types.find(tx, slug)
    if found is None:
        raise TypeMissing(f"Define the entity type {slug} first", conflict={"entity_type": slug})
    return found


async def read_settings(tx: Tx, slug: str) -> SuiteSettings:
    return await workspace_settings.read(tx, section_of(slug))


async def access(tx: Tx, run_id: UUID) -> ArtifactEvalRun:
    tx.actor.check(ARTIFACT_EVALS_READ)
    return (await _find(tx, run_id)).shown


async def list_runs(tx: Tx, slug: str, cursor: str | None, limit: int) -> Page[ArtifactEvalRun]:
    tx.actor.check(ARTIFACT_EVALS_READ)
    registry.access_suite(slug)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    found = await store.list_newest_first(tx, slug, before, limit + 1)  # type: ignore[arg-type]
    shown = [progress.shown for progress in found[:limit]]
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
    tx.actor.check(ARTIFACT_EVALS_READ)
    tx.actor.check(ENTITIES_READ)
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
    tx.actor.check(ARTIFACT_EVALS_MANAGE)
    await _find(tx, run_id)
    cancelled = await runs.cancel(tx, run_id)
    found = (await _find(tx, run_id)).shown
    if not cancelled and found.status is not RunStatus.CANCELLED:
        raise RunOver(conflict={"id": str(run_id), "status": found.status})
    return found


class Plan(NamedTuple):
    """What a worker needs for the next batch of a run."""

    run_id: UUID
    type_id: UUID
    task: Task
    scored_to: UUID
    provenance_fields: tuple[str, ...]


async def begin(tx: Tx, run_id: UUID) -> Plan | None:
    """Begin a run, or go on with it where another worker stopped. None when there is nothing to do."""
    if await runs.start(tx, run_id) is None:
        return None
    found = await _find(tx, run_id)
    suite, type_slug = found.shown.suite, found.shown.entity_type
    installed = registry.find_suite(suite)
    if installed is None:
        await runs.fail(
            tx, run_id, "suite_missing", f"The suite {suite} is not installed where the worker runs"
        )
        return None
    entity_type = await types.find(tx, type_slug)
    if entity_type is None:
        await runs.fail(tx, run_id, "type_missing", f"The entity type {type_slug} is gone")
        return None
    workspace = await workspaces.find(tx)
    assert workspace is not None
    task = Task(
        suite=suite,
        entity_type=entity_type.slug,
        tenant=workspace.slug,
        surfaces=await known_surfaces(tx),
        left_out=dict(found.tally.left_out),
        path=judges.search_path(),
        seconds=judges.RECORD_SECONDS,
        loading_seconds=judges.LOADING_SECONDS,
    )
    return Plan(run_id, entity_type.id, task, found.scored_to, installed.rubric.provenance_fields)


async def next_records(tx: Tx, plan: Plan) -> list[RecordRow]:
    rows = await records.contents(tx, plan.type_id, plan.scored_to, BATCH, BATCH_BYTES)
    sources = await _read_provenance(tx, [row_id for row_id, _, _ in rows], plan.provenance_fields)
    return [
        RecordRow(id=row_id, title=title, content=content, provenance=sources.get(row_id, {}))
        for row_id, title, content in rows
    ]


async def _read_provenance(
    tx: Tx, ids: list[UUID], fields: tuple[str, ...]
) -> dict[UUID, dict[str, FieldProvenance]]:
    """Where the present values of some fields come from, by record: the history that nobody can write."""
    found: dict[UUID, dict[str, FieldProvenance]] = {}
    if not ids or not fields:
        return found
    for entity_id, field, kind, actor, at in await history.list_sources_of(tx, ids, fields):
        found.setdefault(entity_id, {})[field] = FieldProvenance(
            kind, actor.name or "", actor.kind, at.isoformat()
        )
    return found


async def keep(
    tx: Tx, plan: Plan, verdicts: list[Verdict], *, more: bool, fault: str | None = None
) -> Plan | None:
    """Store a batch and how far the run is; None when it is over, or another worker is ahead of this one. With a fault
    nothing can be judged any more, and the run has failed."""
    found = await store.lock(tx, plan.run_id)
    if found is None or not found.run.status.is_open or found.scored_to != plan.scored_to:
        return None
    scored_to = await _keep_verdicts(tx, found, verdicts) if verdicts else plan.scored_to
    if fault is not None:
        await runs.fail(tx, plan.run_id, "suite_at_fault", fault)
        return None
    if more:
        return plan._replace(scored_to=scored_to)
    await runs.finish(tx, plan.run_id)
    return None


async def _keep_verdicts(tx: Tx, found: Progress, verdicts: list[Verdict]) -> UUID:
    """Returns up to which record is scored now: where the next batch begins."""
    kept_for = await store.insert_results(tx, found.run.id, verdicts)
    kept = [verdict for verdict in verdicts if verdict.entity_id in kept_for]
    passed = found.shown.passed + sum(verdict.passed for verdict in kept)
    await store.add_up(tx, found.run.id, passed, tally.add(found.tally, kept))
    scored_to = verdicts[-1].entity_id
    await runs.advance(tx, found.run, done=found.run.done + len(kept), resume_point=str(scored_to))
    return scored_to


async def drop_old_results(tx: Tx, run_id: UUID) -> bool:
    """Forget a batch of what the suite's older runs found; whether there may be more."""
    found = await store.find(tx, run_id)
    return found is not None and await store.drop_old_results(tx, found.shown.suite, KEPT_RUNS, DROP_BATCH)


async def _find(tx: Tx, run_id: UUID) -> Progress:
    found = await store.find(tx, run_id)
    if found is None:
        raise RunNotFound
    return found


async def _ended(tx: Tx, run: Run) -> None:
    """In the transaction that ends a run, however it ends."""
    shown = (await _find(tx, run.id)).shown
    await emit(tx, _event(_ENDED[shown.status], shown))


_ENDED = {
    RunStatus.DONE: events.DONE,
    RunStatus.FAILED: events.FAILED,
    RunStatus.CANCELLED: events.CANCELLED,
}


def _event(happened: EventType[events.OfRun], run: ArtifactEvalRun) -> Event:
    payload = events.OfRun(suite=run.suite, total=run.total, done=run.done, passed=run.passed)
    return happened.of(run.id, payload)


RUNS = runs.register(
    RunKind(name=store.KIND, topic=events.ARTIFACT_EVAL_RUNS, job=JOB, ended=_ended, exclusive=True)
)
