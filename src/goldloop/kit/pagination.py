"""How lists are paged: by an opaque cursor that names the last row seen. Pure."""

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Generic, TypeVar
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
    str | None, QueryParameter(max_length=1000, description="`next_cursor` of the page before")
]


class Page(msgspec.Struct, Generic[Row], frozen=True, kw_only=True):
    data: list[Row]
    next_cursor: str | None


# Where a list without a cursor begins. A comparison with a bound that is always there can use an index;
# `$1 IS NULL OR id < $1` cannot once the plan is generic, and then deep pages cost what they skip.
FIRST_ID = UUID(int=0)
LAST_ID = UUID(int=2**128 - 1)


def encode_cursor(*keys: str | int | UUID | datetime) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(keys)).decode().rstrip("=")


def decode_cursor(cursor: str | None, key: type[Key]) -> Key | None:
    """The single key that a cursor carries; None at the start of a list."""
    if cursor is None:
        return None
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        (value,) = msgspec.json.decode(raw, type=tuple[key])  # type: ignore[valid-type]
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise InvalidInput.at("/cursor", "invalid_cursor", "This is not a cursor of this list") from error
    if "\x00" in str(value) or (isinstance(value, int) and not -(2**63) <= value < 2**63):
        raise InvalidInput.at("/cursor", "invalid_cursor", "This is not a cursor of this list")
    return value


def page(rows: Sequence[Row], limit: int, key: Callable[[Row], str | int | UUID | datetime]) -> Page[Row]:
    """A page of `rows`, of which the caller fetched `limit + 1` to know whether more follow."""
    shown = list(rows[:limit])
    more = len(rows) > limit
    return Page(data=shown, next_cursor=encode_cursor(key(shown[-1])) if more and shown else None)
