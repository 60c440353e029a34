"""Use cases: read the history and provenance of a record's fields."""

from uuid import UUID

from goldloop.entities.history import store
from goldloop.entities.model import FieldChange
from goldloop.entities.records import service as records
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Page, decode_cursor, page

_NEWEST = 2**31 - 1  # above every version


async def list_history(
    tx: Tx, entity_id: UUID, field: str, cursor: str | None, limit: int
) -> Page[FieldChange]:
    await records.access(tx, entity_id)
    position = decode_cursor(cursor, int)
    before = _NEWEST if position is None else min(max(position, 0), _NEWEST)
    rows = await store.list_newest_first(tx, entity_id, field, before, limit + 1)
    return page(rows, limit, lambda change: change.entity_version)


async def list_sources(tx: Tx, entity_id: UUID, cursor: str | None, limit: int) -> Page[FieldChange]:
    """The entry that each field's present value comes from, by field."""
    await records.access(tx, entity_id)
    rows = await store.list_sources(tx, entity_id, decode_cursor(cursor, str) or "", limit + 1)
    return page(rows, limit, lambda change: change.field)
