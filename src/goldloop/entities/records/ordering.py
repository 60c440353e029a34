"""The orders that a list of records can have: those of `Sort` are each served by an index, and within a type there is one
by each of its fields, which is sorted anew for every page. Pure."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from math import inf
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.fields import describe_field
from goldloop.kit.errors import InvalidInput
from goldloop.kit.pagination import FIRST_ID, FIRST_TIME, LAST_ID, LAST_TIME

_LAST_TEXT = "\U0010ffff" * 501  # after every title: those have at most 500 characters
FIELD_PREFIX = "content."
TEXT_KEY = 200  # characters of a field's text that it is ordered by: a cursor has to carry them
_LAST_KEY = "\U0010ffff" * (TEXT_KEY + 1)


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
    """`expression` with the id behind it; `start` is before the first row. `field` is its parameter $4, where it has one."""

    expression: str
    descending: bool
    key: type
    start: tuple[object, UUID]
    field: str | None = None


ORDERS: dict[str, Order] = {
    Sort.NEWEST: Order("e.id", True, UUID, (LAST_ID, LAST_ID)),
    Sort.OLDEST: Order("e.id", False, UUID, (FIRST_ID, FIRST_ID)),
    Sort.UPDATED_DOWN: Order("e.updated_at", True, datetime, (LAST_TIME, LAST_ID)),
    Sort.UPDATED: Order("e.updated_at", False, datetime, (FIRST_TIME, FIRST_ID)),
    Sort.TITLE: Order("e.title", False, str, ("", FIRST_ID)),
    Sort.TITLE_DOWN: Order("e.title", True, str, (_LAST_TEXT, LAST_ID)),
    Sort.SCORE_DOWN: Order("coalesce(e.score, '-Infinity')", True, float, (inf, LAST_ID)),
    Sort.SCORE: Order("coalesce(e.score, 'Infinity')", False, float, (-inf, FIRST_ID)),
}


def order_of(sort: str, json_schema: Mapping[str, Any] | None) -> Order:
    """The order that `sort` names: one of `Sort`, or `content.<field>` where the list is of one type."""
    if sort in ORDERS:
        return ORDERS[sort]
    down, field = sort.startswith("-"), sort.removeprefix("-").removeprefix(FIELD_PREFIX)
    if not sort.removeprefix("-").startswith(FIELD_PREFIX):
        raise InvalidInput.at(
            "/sort", "unknown_sort", f"A list is sorted by {', '.join(Sort)} or content.<field>"
        )
    if json_schema is None:
        raise InvalidInput.at("/sort", "type_missing", "Say of which type: only its records have this field")
    shape = describe_field(json_schema, field)
    if shape is None:
        raise InvalidInput.at("/sort", "unknown_field", f"The type has no field {field!r}")
    return (
        _by_number(field, down)
        if shape.types and shape.types <= {"number", "integer"}
        else _by_text(field, down)
    )


def _by_number(field: str, down: bool) -> Order:
    """Records without the number come last either way."""
    none = "'-Infinity'" if down else "'Infinity'"
    expression = f"""(CASE WHEN jsonb_typeof(e.content -> $4::text) = 'number'
        THEN (e.content ->> $4::text)::double precision ELSE {none} END)"""
    return Order(expression, down, float, (inf, LAST_ID) if down else (-inf, FIRST_ID), field)


def _by_text(field: str, down: bool) -> Order:
    """By the beginning of the text, in lower case; records without one come last either way."""
    last = "''" if down else f"repeat(U&'\\+10FFFF', {TEXT_KEY + 1})"
    expression = (
        f"""(coalesce(nullif(left(lower(e.content ->> $4::text), {TEXT_KEY}), ''), {last}) COLLATE "C")"""
    )
    return Order(
        expression, down, str, (_LAST_KEY + "\U0010ffff", LAST_ID) if down else ("", FIRST_ID), field
    )
