"""Parses durations such as `12h`, `30d`, `1y`. Pure."""

import re
from datetime import timedelta

from goldloop.kit.errors import InvalidInput

_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}
_LONGEST = timedelta(days=365 * 20)


def parse_duration(text: str) -> timedelta:
    match = re.fullmatch(r"(\d{1,9})([mhdwy])", text.strip())
    duration = int(match[1]) * _UNITS[match[2]] if match and int(match[1]) < 10_000_000 else timedelta(0)
    if not timedelta(0) < duration <= _LONGEST:
        raise InvalidInput.at(
            "--expires",
            "invalid_duration",
            "A lifetime is a number with m, h, d, w or y, such as 30d, up to 20 years",
        )
    return duration
