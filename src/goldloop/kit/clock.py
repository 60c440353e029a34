"""The single source of the current time; pure functions get it as an argument."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
