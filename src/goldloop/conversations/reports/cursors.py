"""Where a page of the period report ended, and as of when the report was begun. Pure."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.pagination import LAST_ID, LAST_TIME, decode_keys, encode_cursor


class Place(NamedTuple):
    """After the reaction (`ts`, `id`), newest first, of those that counted at `as_of`; None for now, by the clock of the
    database, which is also that of the reactions."""

    ts: datetime
    id: UUID
    as_of: datetime | None

    def encoded(self) -> str:
        assert self.as_of is not None
        return encode_cursor(self.ts, self.id, self.as_of)


def place_of(cursor: str | None) -> Place:
    """A report that begins now sees what counts now, on all its pages."""
    keys = decode_keys(cursor, tuple[datetime, UUID, datetime])
    return Place(*keys) if keys else Place(LAST_TIME, LAST_ID, None)
