"""The orders that a list of records can have, each served by an index. Pure."""

from datetime import datetime
from enum import StrEnum
from math import inf
from typing import NamedTuple
from uuid import UUID

from goldloop.kit.pagination import FIRST_ID, FIRST_TIME, LAST_ID, LAST_TIME

_LAST_TEXT = "\U0010ffff" * 501  # after every title: those have at most 500 characters


class Sort(StrEnum):
    """A minus means from the top down. Records without a score come last either way."""

    NEWEST = "-created"
    OLDEST = "created"
    UPDATED_DOWN = "-updated"
    UPDATED = "updated"
    TITLE = "title"
    TITLE_DOWN = "-title"
    SCORE_DOWN = "-score"
    SCORE = "score"


class Order(NamedTuple):
    """`expression` with the id behind it; `start` is before the first row."""

    expression: str
    descending: bool
    key: type
    start: tuple[object, UUID]


ORDERS: dict[Sort, Order] = {
    Sort.NEWEST: Order("e.id", True, UUID, (LAST_ID, LAST_ID)),
    Sort.OLDEST: Order("e.id", False, UUID, (FIRST_ID, FIRST_ID)),
    Sort.UPDATED_DOWN: Order("e.updated_at", True, datetime, (LAST_TIME, LAST_ID)),
    Sort.UPDATED: Order("e.updated_at", False, datetime, (FIRST_TIME, FIRST_ID)),
    Sort.TITLE: Order("e.title", False, str, ("", FIRST_ID)),
    Sort.TITLE_DOWN: Order("e.title", True, str, (_LAST_TEXT, LAST_ID)),
    Sort.SCORE_DOWN: Order("coalesce(e.score, '-Infinity')", True, float, (inf, LAST_ID)),
    Sort.SCORE: Order("coalesce(e.score, 'Infinity')", False, float, (-inf, FIRST_ID)),
}
