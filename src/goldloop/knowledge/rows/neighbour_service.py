"""Use cases: which rows read like another, and that somebody wants both."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import notify
from goldloop.knowledge.model import Flag
from goldloop.knowledge.rows import compare_store, likeness_service, service, store
from goldloop.knowledge.rows.events import KNOWLEDGE
from goldloop.knowledge.rows.likeness_service import Neighbours


async def list_neighbours(tx: Tx, row_id: UUID) -> Neighbours:
    await service.access(tx, row_id)
    return await likeness_service.find(tx, row_id)


async def keep_both(tx: Tx, row_id: UUID, other_id: UUID) -> Neighbours:
    """Two rows read alike, and both are wanted: nobody is asked again."""
    service.check_decides(tx)
    if row_id == other_id:
        raise InvalidInput.at("/other_id", "same_row", "A row is kept beside another one")
    for each in sorted((row_id, other_id), reverse=True):
        await service.hold(tx, each)
    await compare_store.keep_both(tx, row_id, other_id, await tx.moment())
    for each in (row_id, other_id):
        if not await likeness_service.find_conflicts(tx, each):
            await store.drop_flag(tx, each, Flag.CONTRADICTED)
    await notify(tx, KNOWLEDGE, str(row_id))
    return await list_neighbours(tx, row_id)


async def note_contradictions(tx: Tx, ids: Sequence[UUID]) -> None:
    """After rows were read by the encoder: active ones that say nearly the same as one of them with another number or name are
    for a person to look at."""
    for row_id in ids:
        row = await store.lock(tx, row_id)
        if row is not None and row.active:
            await likeness_service.flag_older(tx, row_id, await likeness_service.find_conflicts(tx, row_id))
