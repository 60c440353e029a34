"""The mark of a run that can go on, the floor that a golden gets, and what becomes of the replays of one that is revoked."""

from uuid import UUID

from goldloop.goldens.cases import events as case_events
from goldloop.goldens.runs import end_service, replay_store, service, store
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import mark, set_marks

LET_GO = "goldens.let_go"  # the mark of a golden that was revoked


@mark(service.ADVANCE)
async def advance(tx: Tx, key: str) -> None:
    await end_service.advance(tx, UUID(key))


@mark(LET_GO)
async def let_go(tx: Tx, key: str) -> None:
    await end_service.let_go(tx, UUID(key))


async def begin_floor(tx: Tx, event: Event) -> None:
    if event.payload["floor"]:
        await service.begin_floor(tx, UUID(event.subject_id))


async def measure_again(tx: Tx, event: Event) -> None:
    """Replays are compared otherwise: what the floor was is not known any more. One that is measured still is measured anew."""
    golden_id = UUID(event.subject_id)
    if event.payload["compared"] and await store.has_floor(tx, golden_id):
        await _go_on(tx, golden_id)
        await service.begin_floor(tx, golden_id)


async def end_replays(tx: Tx, event: Event) -> None:
    """In the transaction that revokes a golden: its runs go on without it. A run is locked before goldens, and so not here."""
    await _go_on(tx, UUID(event.subject_id))
    await set_marks(tx, LET_GO, [event.subject_id])


async def _go_on(tx: Tx, golden_id: UUID) -> None:
    await set_marks(
        tx, service.ADVANCE, [str(run_id) for run_id in await replay_store.list_open_runs(tx, golden_id)]
    )


listen(case_events.PROMOTED.name, Listener(act=begin_floor))
listen(case_events.CHANGED.name, Listener(act=measure_again))
listen(case_events.REVOKED.name, Listener(act=end_replays))
