"""Times in query parameters, and bounds of windows of time. Pure."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec

from goldloop.kit.errors import InvalidInput
from goldloop.kit.pagination import FIRST_TIME, LAST_TIME

_Moment = Annotated[datetime, msgspec.Meta(tz=True)]


def moment(name: str, value: str | None) -> datetime | None:
    """The time in a query parameter, read here because the framework takes a number for a time."""
    if value is None:
        return None
    try:
        return in_utc(msgspec.convert(value, _Moment))
    except msgspec.ValidationError as error:
        raise InvalidInput.at(f"/{name}", "invalid_value", "A time is RFC 3339, with a time zone") from error


def in_utc(moment: datetime) -> datetime:
    """The bound of a window; one beyond what a calendar holds is the end of it."""
    try:
        in_zone = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
        return (
            in_zone
            if FIRST_TIME <= in_zone <= LAST_TIME
            else FIRST_TIME
            if in_zone < FIRST_TIME
            else LAST_TIME
        )
    except OverflowError:
        return FIRST_TIME if moment.year < 5000 else LAST_TIME
