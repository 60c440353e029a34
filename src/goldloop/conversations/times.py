"""Moments that clients send: which of them can be, and how they are written. Pure."""

from datetime import UTC, datetime, timedelta

from goldloop.kit.errors import InvalidInput

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
AHEAD = timedelta(days=1)  # for a clock that is wrong; a moment further on would top every list for long


def check_moment(path: str, moment: datetime | None, now: datetime) -> None:
    """Of something that happened."""
    if moment is not None and not EARLIEST <= moment <= now + AHEAD:
        raise InvalidInput.at(path, "out_of_range", "A time is after 1970 and not in the future")


def written(moment: datetime) -> str:
    """RFC 3339 in UTC, to the microsecond where there are any."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
