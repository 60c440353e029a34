"""Use cases: ask for an erasure, see what it would take, follow it. What the job does is in `step_service.py`."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from goldloop.erasures import events, store, workspace_store
from goldloop.erasures.model import (
    Erasure,
    ErasureExists,
    ErasureKind,
    ErasureNotFound,
    ErasurePreview,
    Kept,
    NotConfirmed,
    NothingToErase,
    OnlyPeopleErase,
    Subject,
)
from goldloop.erasures.permissions import ERASURES_MANAGE
from goldloop.jobs import run_service as runs
from goldloop.jobs import run_store
from goldloop.jobs import store as jobs
from goldloop.jobs.model import JobStatus, Run, RunStatus
from goldloop.jobs.run_service import RunKind
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.tenants.permissions import WORKSPACE_OWN
from goldloop.tenants.workspaces import service as workspaces

JOB = "erasures.erase"
RETENTION = Subject(kind=ErasureKind.RETENTION, name=())
MOST_ROUNDS = 50  # from a thing to what hangs on it, and on: replays of goldens of sessions of conversations end long before

PROMOTED = "entity_responses"
PROMOTED_WHY = (
    "Values of theirs are promoted and are the record's own now. Their notes, quotes and all other values go"
)
FIGURES = "eval_replays"
FIGURES_WHY = "Pass rates and figures of eval runs stay, without a word of what was compared"
FACTS = "events"
FACTS_WHY = "The log keeps that something happened, when and by whom, without what"
NAMED = "conv_turns"
NAMED_WHY = "Turns that name the session were sent by themselves: delete their conversation to delete them"


async def request(tx: Tx, subject: Subject, erasure_id: UUID | None, confirm: str | None = None) -> Erasure:
    """Hide it and queue its erasure. Asked for again while it goes on, or by the same id, it is the same one; one whose job
    ended before it did goes on. Needs the eraser's role."""
    await _check(tx, subject, confirm)
    fingerprint = subject.fingerprint(tx.actor.tenant_id)
    if erasure_id is not None and (known := await store.find(tx, erasure_id)) is not None:
        if known.fingerprint != fingerprint:
            raise ErasureExists(conflict={"id": str(erasure_id)})
        await take_up(tx, erasure_id)
        return await _find(tx, erasure_id)
    if (unfinished := await store.find_unfinished(tx, fingerprint)) is not None:
        await take_up(tx, unfinished)
        return await _find(tx, unfinished)
    if not await store.exists(tx, subject):
        raise NothingToErase
    made = erasure_id or new_id()
    await begin(tx, made, subject)
    if subject.kind is ErasureKind.WORKSPACE:
        await workspace_store.close_workspace(tx)
    return await _find(tx, made)


async def _check(tx: Tx, subject: Subject, confirm: str | None) -> None:
    tx.actor.check(ERASURES_MANAGE)
    if tx.actor.kind is ActorKind.AGENT:
        raise OnlyPeopleErase
    if subject.kind is ErasureKind.WORKSPACE:
        tx.actor.check(WORKSPACE_OWN)
        if confirm != (await workspaces.access(tx)).slug:
            raise NotConfirmed.in_field("/confirm")


async def begin(tx: Tx, erasure_id: UUID, subject: Subject) -> None:
    """Whoever calls this has asked who may."""
    fingerprint = subject.fingerprint(tx.actor.tenant_id)
    kind = RUNS if subject.kind is not ErasureKind.RETENTION else RETENTION_RUNS
    if await runs.create(tx, kind, erasure_id, fingerprint) is None:
        raise ErasureExists(conflict={"id": str(erasure_id)})
    await store.insert(tx, erasure_id, subject, await tx.moment())
    await _seed(tx, erasure_id, subject)
    await emit(tx, events.REQUESTED.of(erasure_id, events.OfErasure(kind=subject.kind)))


async def begin_retention(
    tx: Tx,
    sessions: Sequence[UUID],
    conversations: Sequence[tuple[str, str]],
    gone: dict[str, int],
    kept: Sequence[Kept],
) -> UUID:
    """Let go of what its time is over for. Whoever calls this says what went already, and what stays."""
    erasure_id = new_id()
    await begin(tx, erasure_id, RETENTION)
    await store.add_items(tx, erasure_id, "session", [[str(each)] for each in sessions])
    await store.add_items(tx, erasure_id, "conversation", conversations)
    await store.save(tx, erasure_id, gone, kept)
    return erasure_id


async def lets_go(tx: Tx) -> bool:
    """Whether something is being let go at this moment. What was begun and given up goes on. Needs the eraser's role."""
    unfinished = await store.find_unfinished(tx, RETENTION.fingerprint(tx.actor.tenant_id))
    if unfinished is not None:
        await take_up(tx, unfinished)
    return unfinished is not None


async def take_up(tx: Tx, erasure_id: UUID) -> bool:
    """Have another job go on with one whose job ended before it did; False where it is over or has a job. Needs the
    eraser's role."""
    await store.within(tx, erasure_id)
    run = await run_store.lock(tx, erasure_id)
    if run is None or run.status is RunStatus.DONE:
        return False
    if not run.status.is_open:
        return await runs.reopen(tx, erasure_id)
    job = await jobs.find(tx, run.job_id) if run.job_id is not None else None
    if job is not None and job.status in (JobStatus.TODO, JobStatus.DOING):
        return False
    return await runs.resume(tx, erasure_id)


async def take_up_all(tx: Tx) -> int:
    """Those that were given up or lost their job; how many. What somebody cancelled waits until it is asked for again. Needs
    the eraser's role."""
    statuses = (RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.FAILED)
    return sum([await take_up(tx, each) for each in await store.list_unfinished(tx, statuses)])


async def _seed(tx: Tx, erasure_id: UUID, subject: Subject) -> None:
    await store.within(tx, erasure_id)
    await store.hide(tx, erasure_id, subject)
    if subject.kind is ErasureKind.RESPONSES:
        found = await store.list_responses(tx, UUID(subject.name[0]))
        await store.add_items(tx, erasure_id, "response", [[each] for each in found])
    elif subject.kind not in (ErasureKind.WORKSPACE, ErasureKind.RETENTION):
        await store.add_items(tx, erasure_id, subject.kind, [subject.name])


async def preview(tx: Tx, subject: Subject) -> ErasurePreview:
    """What is there at this moment. It writes to count, so whoever calls it rolls back. Needs the eraser's role."""
    tx.actor.check(ERASURES_MANAGE)
    if not await store.exists(tx, subject):
        raise NothingToErase
    erasure_id = new_id()
    await begin(tx, erasure_id, subject)
    await gather(tx, erasure_id)
    found = {kind: count for kind, (count, _) in (await store.count_items(tx, erasure_id)).items()}
    kept = [Kept(what=FACTS, count=0, why=FACTS_WHY)]
    if promoted := await store.list_promoted(tx, erasure_id):
        kept.append(Kept(what=PROMOTED, count=len(promoted), why=PROMOTED_WHY, ids=promoted[:100]))
    if found.get("golden"):
        kept.append(Kept(what=FIGURES, count=0, why=FIGURES_WHY))
    return ErasurePreview(kind=subject.kind, goes=dict(sorted(found.items())), kept=kept)


async def gather(tx: Tx, erasure_id: UUID, *, narrow: bool = False) -> int:
    """All that hangs on what was found so far; how much of it is new."""
    count = 0
    for _ in range(MOST_ROUNDS):
        found = await store.gather(tx, erasure_id, narrow=narrow)
        if not found:
            return count
        count += found
    return count


async def access(tx: Tx, erasure_id: UUID) -> Erasure:
    tx.actor.check(ERASURES_MANAGE)
    return await _find(tx, erasure_id)


async def _find(tx: Tx, erasure_id: UUID) -> Erasure:
    found = await store.find(tx, erasure_id)
    if found is None:
        raise ErasureNotFound
    return found


async def list_erasures(tx: Tx, subject: Subject | None, cursor: str | None, limit: int) -> Page[Erasure]:
    """Newest first; with a subject those that were asked for it, also when they are over."""
    tx.actor.check(ERASURES_MANAGE)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    fingerprint = subject.fingerprint(tx.actor.tenant_id) if subject else None
    rows = await store.list_newest_first(tx, fingerprint, before, limit + 1)
    return page(rows, limit, lambda each: (each.requested_at, each.id))


async def _ended(tx: Tx, run: Run) -> None:
    erasure = await store.find(tx, run.id)
    if erasure is None:
        return
    if run.status is RunStatus.DONE:
        await emit(
            tx, events.DONE.of(run.id, events.ErasureDone(kind=erasure.kind, rows=sum(erasure.gone.values())))
        )
    else:
        await emit(tx, events.FAILED.of(run.id, events.OfErasure(kind=erasure.kind)))


RUNS = runs.register(RunKind(name="erasure", topic=events.ERASURES, job=JOB, ended=_ended, exclusive=True))
RETENTION_RUNS = runs.register(
    RunKind(name="retention", topic=events.ERASURES, job=JOB, ended=_ended, exclusive=True)
)
