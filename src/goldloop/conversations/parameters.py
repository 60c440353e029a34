"""The path and query parameters that routes of conversations share. Pure."""

from datetime import datetime
from typing import Annotated

import msgspec
from litestar.params import PathParameter, QueryParameter

from goldloop.conversations.model import ID_CHARACTERS, Moment
from goldloop.conversations.times import in_utc
from goldloop.kit.errors import InvalidInput
from goldloop.kit.text import PATH_ID_PATTERN

PathText = Annotated[str, PathParameter(min_length=1, max_length=ID_CHARACTERS, pattern=PATH_ID_PATTERN)]
Named = Annotated[str | None, QueryParameter(min_length=1, max_length=ID_CHARACTERS)]
When = Annotated[
    str | None,
    QueryParameter(
        max_length=40, description="RFC 3339, with a time zone", schema_extra={"format": "date-time"}
    ),
]


def moment(name: str, value: str | None) -> datetime | None:
    """The time in a query parameter, read here because the framework takes a number for a time."""
    if value is None:
        return None
    try:
        return in_utc(msgspec.convert(value, Moment))
    except msgspec.ValidationError as error:
        raise InvalidInput.at(f"/{name}", "invalid_value", "A time is RFC 3339, with a time zone") from error
