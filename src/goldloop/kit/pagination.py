"""Keyset pagination of lists, by an opaque cursor that encodes the last row of a page. A page ends after a number of
rows or of bytes, whichever comes first. Pure."""

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar, cast
from uuid import UUID

import msgspec

from goldloop.kit.errors import InvalidInput

Row = TypeVar("Row")
Key = TypeVar("Key", str, int, UUID, datetime)

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
PAGE_BYTES = (
    4 * 1024 * 1024
)  # of a page with more than one row: large records fill it, ordinary ones never do
ROW_BYTES = 500  # of ids, names and times beside what is measured
SMALL = 300  # bytes of a value that are counted as stored: escapes and exponents make six times as much text of them,
# so that a page where all are such has a megabyte more at most


class Page(msgspec.Struct, Generic[Row], frozen=True, kw_only=True):
    data: list[Row]
    next_cursor: str | None


class RawPage(msgspec.Struct, Generic[Row], frozen=True, kw_only=True):
    """A page whose rows are the JSON that PostgreSQL made of them (`json_page`): encoded it is the same as a `Page`."""

    data: msgspec.Raw
    next_cursor: str | None

    @property
    def is_empty(self) -> bool:
        return self.data == EMPTY

    def sent(self) -> Page[Row]:
        """For a handler, which declares what its answer is to whoever reads it."""
        return cast("Page[Row]", self)

    def read(self, kind: type[Row]) -> Page[Row]:
        """For who looks into the rows."""
        return Page(
            data=msgspec.json.decode(self.data, type=list[kind]),  # type: ignore[valid-type]
            next_cursor=self.next_cursor,
        )


EMPTY = msgspec.Raw(b"[]")
NO_ROWS: RawPage[Any] = RawPage(data=EMPTY, next_cursor=None)


# Where a list without a cursor begins. A comparison with a bound that is always there can use an index;
# `$1 IS NULL OR id < $1` cannot once the plan is generic, and then deep pages cost what they skip.
FIRST_ID = UUID(int=0)
LAST_ID = UUID(int=2**128 - 1)
FIRST_TIME = datetime.fromisoformat("0001-01-01T00:00:00+00:00")
LAST_TIME = datetime.fromisoformat("9999-12-31T00:00:00+00:00")


def encode_cursor(*keys: str | float | UUID | datetime) -> str:
    keys = tuple(repr(key) if isinstance(key, float) else key for key in keys)  # JSON has no infinity
    return base64.urlsafe_b64encode(msgspec.json.encode(keys)).decode().rstrip("=")


def decode_cursor(cursor: str | None, key: type[Key]) -> Key | None:
    """The single key that a cursor carries; None at the start of a list."""
    if cursor is None:
        return None
    (value,) = _decode(cursor, tuple[key])  # type: ignore[valid-type]
    return value  # type: ignore[no-any-return]


def encode_pair(value: str | float | UUID | datetime, row_id: UUID) -> str:
    """A cursor of a list that is ordered by a value and then by id."""
    return encode_cursor(value, row_id)


def decode_pair(cursor: str | None, key: type) -> tuple[object, UUID] | None:
    if cursor is None:
        return None
    value, row_id = _decode(cursor, tuple[str if key is float else key, UUID])  # type: ignore[misc]
    if key is not float:
        return value, row_id
    try:
        number = float(value)
    except ValueError as error:
        raise _not_a_cursor() from error
    if number != number:
        raise _not_a_cursor()
    return number, row_id


def decode_keys(cursor: str | None, keys: Any) -> Any:
    """What a cursor of several keys carries, `keys` being the type of their tuple; None at the start of a list."""
    return None if cursor is None else _decode(cursor, keys)


def _decode(cursor: str, keys: Any) -> Any:
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        values = msgspec.json.decode(raw, type=keys)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise _not_a_cursor() from error
    if not all(_is_storable(value) for value in values):
        raise _not_a_cursor()
    return values


def _is_storable(value: object) -> bool:
    """Whether PostgreSQL has such a value; the first and last year of dates leave room for a time zone."""
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    if isinstance(value, datetime):
        return 1 < value.year < 9999
    return "\x00" not in str(value)


def _not_a_cursor() -> InvalidInput:
    return InvalidInput.at("/cursor", "invalid_cursor", "This is not a cursor of this list")


OneKey = str | int | UUID | datetime


class Rows(list[Row]):
    """What `within_bytes` left of the rows of a query, and how many there were."""

    found: int = 0

    @classmethod
    def read(cls, records: Sequence[Any], from_row: Callable[[Any], Row]) -> "Rows[Row]":
        rows = cls(from_row(record) for record in records)
        rows.found = records[0]["found"] if records else 0
        return rows


def within_bytes(query: str, most: int = PAGE_BYTES) -> str:
    """A query that orders its rows, with `bytes_of` among its columns, as one that ends where a page is full. The first
    row is always there; values that are left out are not read. The order is the query's: each row is numbered as it
    comes from there, and all that follows goes by that number."""
    assert "ORDER BY" in query, "without an order it is left to chance which rows a page has"
    return f"""
        SELECT page.* FROM (
            SELECT numbered.*, count(*) OVER () AS found,
                   sum(numbered.row_bytes) OVER (ORDER BY numbered.place ROWS UNBOUNDED PRECEDING) AS bytes
            FROM (SELECT q.*, row_number() OVER () AS place FROM ({query}) q) numbered
        ) page WHERE page.place = 1 OR page.bytes <= {most:d} ORDER BY page.place
    """


def bytes_of(*values: str) -> str:
    """The bytes of a row whose large values are these expressions. What is stored as it is, and small, is not looked
    into; a compressed value is, for its size says nothing."""
    return f"({' + '.join([str(ROW_BYTES), *map(_bytes_of, values)])})::bigint AS row_bytes"


def _bytes_of(expression: str) -> str:
    value = f"({expression})"
    return f"""CASE WHEN {value} IS NULL THEN 0
        WHEN pg_column_size({value}) < {SMALL} AND pg_column_compression({value}) IS NULL THEN pg_column_size({value})
        ELSE octet_length(({value})::text) END"""


def json_page(query: str, item: str, limit: int, *keys: str) -> str:
    """A query of at most `limit + 1` rows, such as `within_bytes` takes, as one that yields a page in one row: the JSON of
    its rows, whether more follow, the bytes of the largest, and the columns of the last row that a cursor is made of.
    `item` is an expression of a row `p` (`json_object`); where it is null the row is not shown."""
    last = "".join(f", (array_agg(p.{key} ORDER BY p.place DESC))[1] AS {key}" for key in keys)
    return f"""
        SELECT convert_to('[' || coalesce(string_agg({item}, ',' ORDER BY p.place), '') || ']', 'UTF8') AS data,
               coalesce(max(p.found) > count(*), false) AS more, max(p.row_bytes) AS largest{last}
        FROM ({within_bytes(query)}) p WHERE p.place <= {limit:d}
    """


def read_page(record: Any) -> RawPage[Any]:
    """The page that `json_page` yields."""
    data, more, _, *last = record
    return RawPage(data=msgspec.Raw(data), next_cursor=encode_cursor(*last) if more else None)


def has_more(rows: Sequence[Row], limit: int) -> bool:
    """Whether rows follow the first `limit` of these, of which the caller fetched `limit + 1`."""
    return len(rows) > limit or (isinstance(rows, Rows) and rows.found > len(rows))


def page(rows: Sequence[Row], limit: int, key: Callable[[Row], OneKey | tuple[datetime, UUID]]) -> Page[Row]:
    """A page of `rows`, of which the caller fetched `limit + 1` to know whether more follow."""
    shown = list(rows[:limit])
    if not has_more(rows, limit) or not shown:
        return Page(data=shown, next_cursor=None)
    last = key(shown[-1])
    return Page(data=shown, next_cursor=encode_cursor(*last if isinstance(last, tuple) else (last,)))
