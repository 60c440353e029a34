"""Use cases: fill in many records, a few at a time, each by a session of its own under one that counts them.

The run of the parent has no job of its own while its children run. It holds where in the list it is, which children are
open and how the others ended; the end of a child leaves a mark, and whoever takes that goes on from there.
"""

from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from goldloop.entities.model import Entity, EntityNotFound
from goldloop.entities.records import service as records
from goldloop.entities.records.ordering import Sort
from goldloop.jobs import run_service as runs
from goldloop.jobs.model import Run
from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError, InvalidInput
from goldloop.kit.events import Event
from goldloop.kit.pagination import LAST_ID, LAST_TIME, MAX_LIMIT
from goldloop.kit.queue import set_marks
from goldloop.population import service
from goldloop.population.model import (
    POPULATE,
    POPULATE_MANY,
    POPULATOR,
    AskedOfMany,
    Material,
    PopulateMany,
    find_faults,
)
from goldloop.population.service import Start
from goldloop.responses.permissions import RESPONSES_CREATE
from goldloop.sessions import attention_store
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.list_store import ListFilter, list_newest_first
from goldloop.sessions.model import Session, SessionError, SessionStatus, SessionType
from goldloop.sessions.run_service import lock_open

AT_ONCE = 5  # children that are worked on at the same time: others want their agents to run as well
MARK = "population.advance"


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run is: after which record of the list, and which children are open. `gone` are records that were named and
    are not there any more."""

    cursor: str | None = None
    named: int = 0
    all_open: bool = False
    open: list[UUID] = []
    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    gone: int = 0

    @property
    def done(self) -> int:
        return self.completed + self.failed + self.cancelled + self.gone


async def populate_many(tx: Tx, wanted: PopulateMany, start: Start) -> Session:
    """Start a session whose children propose values for records. The same start again answers with what is there."""
    tx.actor.check(RESPONSES_CREATE)
    if faults := find_faults(wanted):
        raise InvalidInput(errors=faults)
    entity_type = await records.access_type(tx, wanted.type)
    if wanted.ids is None:
        await _count(tx, wanted)
    given = {name: getattr(wanted, name) for name in PopulateMany.__struct_fields__}
    asked = AskedOfMany(**given, message=f"Populate records of type {entity_type.name}")
    new = NewSession(
        agent=start.agent or POPULATOR,
        input=msgspec.to_builtins(asked),
        type=SessionType.MIXED,
        purpose=POPULATE_MANY,
        id=start.id,
        task_id=start.task_id,
    )
    return await sessions.start(tx, new)


async def _count(tx: Tx, wanted: PopulateMany) -> int:
    if wanted.ids is not None:
        return len(set(wanted.ids))
    counted = await records.count_entities(tx, _filter(wanted))
    if counted.more:
        raise InvalidInput.at(
            "/type", "too_many", f"More than {counted.count:,} records: narrow the list, and begin with some"
        )
    return counted.count


def _filter(wanted: PopulateMany) -> records.Filter:
    return records.Filter(wanted.type, wanted.q, wanted.min_score, wanted.waits)


async def begin(tx: Tx, session_id: UUID) -> None:
    """Count what there is to do, and leave it to the mark. Again, after a crash: the same."""
    run = await runs.start(tx, session_id)
    session = await sessions.access(tx, session_id)
    if run is not None and run.resume_point is None:
        asked = msgspec.convert(session.input, AskedOfMany)
        await runs.advance(tx, run, done=0, resume_point=_stored(Point()), total=await _count(tx, asked))
    await set_marks(tx, MARK, [str(session_id)])


async def child_ended(tx: Tx, event: Event) -> None:
    """In the transaction that ends a session: one whose children fill in records goes on, unless it is over."""
    parent_id = event.payload.get("parent_session_id")
    if event.payload["purpose"] != POPULATE or parent_id is None:
        return
    parent = await session_store.find(tx, UUID(str(parent_id)))
    if parent is not None and parent.purpose == POPULATE_MANY and not parent.status.is_over:
        await set_marks(tx, MARK, [str(parent_id)])


async def parent_stopped(tx: Tx, event: Event) -> None:
    """In the transaction that cancels or fails a session: its open children are cancelled with it."""
    if event.payload["purpose"] != POPULATE_MANY:
        return
    for status in (SessionStatus.QUEUED, SessionStatus.RUNNING, SessionStatus.WAITING):
        wanted = ListFilter(parent_session_id=UUID(event.subject_id), status=status)
        while open_ones := await _newest(tx, wanted):
            for child in open_ones:
                await sessions.finish(tx, child.id, SessionStatus.CANCELLED)


async def _newest(tx: Tx, wanted: ListFilter) -> list[Session]:
    found = await list_newest_first(tx, wanted, (LAST_TIME, LAST_ID), MAX_LIMIT)
    return found.read(Session).data


async def advance(tx: Tx, session_id: UUID) -> None:
    """Count the children that ended, open as many others, and end where none is left."""
    session = await lock_open(tx, session_id)
    run = await runs.start(tx, session_id) if session is not None else None
    if session is None or run is None or run.resume_point is None:
        return
    asked = msgspec.convert(session.input, AskedOfMany)
    point, working = await _settle(tx, msgspec.convert(run.resume_point, Point))
    try:
        point = await _open_more(tx, session, asked, point, AT_ONCE - working)
    except (
        GoldloopError
    ) as error:  # the agent was switched off, or the type or the criteria set is not what it was
        await _fail(tx, session, error)
        return
    await runs.advance(tx, run, done=point.done, resume_point=_stored(point), total=_total(run, point))
    if point.all_open and not point.open:
        await _finish(tx, session, point)


def _total(run: Run, point: Point) -> int:
    """What is known to be there; a list may have grown since it was counted."""
    return max(run.total, point.done + len(point.open))


async def _settle(tx: Tx, point: Point) -> tuple[Point, int]:
    """Those of the open children that ended meanwhile are counted. Also how many of the others are worked on: one that
    waits for a person keeps nobody else from being."""
    statuses = await attention_store.statuses_of(tx, point.open)
    ended = {status: list(statuses.values()).count(status) for status in SessionStatus}
    settled = msgspec.structs.replace(
        point,
        open=[child for child, status in statuses.items() if not status.is_over],
        completed=point.completed + ended[SessionStatus.COMPLETED],
        failed=point.failed + ended[SessionStatus.FAILED],
        cancelled=point.cancelled + ended[SessionStatus.CANCELLED],
    )
    return settled, len(settled.open) - ended[SessionStatus.WAITING]


class Batch(NamedTuple):
    """The next records of a list, and the point after them."""

    ids: list[UUID]
    after: Point


async def _open_more(tx: Tx, parent: Session, asked: AskedOfMany, point: Point, room: int) -> Point:
    while room > 0 and not point.all_open:
        ids, point = await _next(tx, asked, point, room)
        for entity_id in ids:
            opened = await _open(tx, parent, asked, entity_id)
            point = msgspec.structs.replace(
                point, open=[*point.open, *opened], gone=point.gone + (not opened)
            )
            room -= len(opened)
    return point


async def _next(tx: Tx, asked: AskedOfMany, point: Point, room: int) -> Batch:
    if asked.ids is not None:
        ids = list(dict.fromkeys(asked.ids))
        end = point.named + room
        after = msgspec.structs.replace(point, named=min(end, len(ids)), all_open=end >= len(ids))
        return Batch(ids[point.named : end], after)
    listed = await records.list_entities(tx, _filter(asked), Sort.OLDEST, point.cursor, room)
    page = listed.read(Entity)
    after = msgspec.structs.replace(point, cursor=page.next_cursor, all_open=page.next_cursor is None)
    return Batch([entity.id for entity in page.data], after)


async def _open(tx: Tx, parent: Session, asked: AskedOfMany, entity_id: UUID) -> list[UUID]:
    """None for a record that is not there, or is of another type. The same child again is the same session."""
    given = {name: getattr(asked, name) for name in Material.__struct_fields__}
    material = Material(
        **given | {"text": None, "documents": [], "instructions": None}
    )  # which the parent has
    try:
        if asked.ids is not None and (await records.access(tx, entity_id)).type != asked.type:
            return []
        start = Start(
            agent=str(parent.agent_id), id=uuid5(parent.id, str(entity_id)), parent_session_id=parent.id
        )
        return [(await service.populate(tx, entity_id, material, start)).id]
    except EntityNotFound:
        return []


async def _finish(tx: Tx, session: Session, point: Point) -> None:
    names = ("completed", "failed", "cancelled", "gone")
    output = {name: count for name in names if (count := getattr(point, name)) or name != "gone"}
    await sessions.finish(tx, session.id, SessionStatus.COMPLETED, output)
    await runs.finish(tx, session.id)


async def _fail(tx: Tx, session: Session, error: GoldloopError) -> None:
    why = SessionError(code=error.code, message=error.detail)
    await sessions.finish(tx, session.id, SessionStatus.FAILED, None, why)
    await runs.fail(tx, session.id, error.code, error.detail)


def _stored(point: Point) -> Any:
    return msgspec.to_builtins(point)
