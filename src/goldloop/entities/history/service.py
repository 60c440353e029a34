"""Use cases: read the history and provenance of a record's fields."""

from uuid import UUID

from goldloop.entities.history import store
from goldloop.entities.model import FieldChange
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.records import service as records
from goldloop.kit.db import Tx
from goldloop.kit.pagination import RawPage, decode_cursor

_NEWEST = 2**31 - 1  # above every version


async def list_history(
    tx: Tx, entity_id: UUID, field: str, cursor: str | None, limit: int
) -> RawPage[FieldChange]:
    tx.actor.check(ENTITIES_READ)
    position = decode_cursor(cursor, int)
    before = _NEWEST if position is None else min(max(position, 0), _NEWEST)
    return await _of_record(tx, entity_id, await store.list_newest_first(tx, entity_id, field, before, limit))


async def list_sources(tx: Tx, entity_id: UUID, cursor: str | None, limit: int) -> RawPage[FieldChange]:
    """The entry that each field's present value comes from, by field."""
    tx.actor.check(ENTITIES_READ)
    after = decode_cursor(cursor, str) or ""
    return await _of_record(tx, entity_id, await store.list_sources(tx, entity_id, after, limit))


async def _of_record(tx: Tx, entity_id: UUID, rows: RawPage[FieldChange]) -> RawPage[FieldChange]:
    """What has a history is there; where there is none, the record may not be."""
    if rows.is_empty:
        await records.access(tx, entity_id)
    return rows
