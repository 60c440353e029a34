"""How lists are paged: by an opaque cursor that names the last row seen. Pure."""

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

import msgspec
from litestar.params import QueryParameter

from goldloop.kit.errors import InvalidInput

Row = TypeVar("Row")
Key = TypeVar("Key", str, int, UUID, datetime)

DEFAULT_LIMIT = 50
MAX_LIMIT = 200

Limit = Annotated[int, QueryParameter(ge=1, le=MAX_LIMIT, description="How many rows at most")]
Cursor = Annotated[
    str | None, QueryParameter(max_length=4000, description="`next_cursor` of the page before")
]


class Page(msgspec.Struct, Generic[Row], frozen=True, kw_only=True):
    data: list[Row]
    next_cursor: str | None


# Where a list without a cursor begins. A comparison with a bound that is always there can use an index;
# `$1 IS NULL OR id < $1` cannot once the plan is generic, and then deep pages cost what they skip.
FIRST_ID = UUID(int=0)
LAST_ID = UUID(int=2**128 - 1)
FIRST_TIME = datetime.fromisoformat("0001-01-01T00:00:00+00:00")
LAST_TIME = datetime.fromisoformat("9999-12-31T00:00:00+00:00")


def encode_cursor(*keys: str | int | UUID | datetime) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(keys)).decode().rstrip("=")


def decode_cursor(cursor: str | None, key: type[Key]) -> Key | None:
    """The single key that a cursor carries; None at the start of a list."""
    if cursor is None:
        return None
    (value,) = _decode(cursor, tuple[key])  # type: ignore[valid-type]
    return value  # type: ignore[no-any-return]


def encode_pair(value: str | float | UUID | datetime, row_id: UUID) -> str:
    """A cursor of a list that is ordered by a value and then by id."""
    return encode_cursor(repr(value) if isinstance(value, float) else value, row_id)  # JSON has no infinity


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


def page(rows: Sequence[Row], limit: int, key: Callable[[Row], OneKey | tuple[datetime, UUID]]) -> Page[Row]:
    """A page of `rows`, of which the caller fetched `limit + 1` to know whether more follow."""
    shown = list(rows[:limit])
    if len(rows) <= limit or not shown:
        return Page(data=shown, next_cursor=None)
    last = key(shown[-1])
    return Page(data=shown, next_cursor=encode_cursor(*last if isinstance(last, tuple) else (last,)))
