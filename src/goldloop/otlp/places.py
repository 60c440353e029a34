"""Where what spans tell goes: the ids, moments and names that they give, as sessions and conversations take them. Pure."""

import re
from datetime import UTC, datetime, timedelta

from goldloop.conversations.ids import is_id as fits_index
from goldloop.conversations.model import ID_CHARACTERS
from goldloop.conversations.times import AHEAD, EARLIEST
from goldloop.kit.text import HIDDEN, PATH_ID_PATTERN, is_id

_PATH_ID = re.compile(PATH_ID_PATTERN)
_HIDDEN = re.compile(f"[{HIDDEN}]+")
_SLUG = re.compile(r"[^a-z0-9]+")
NO_PROJECT = "opentelemetry"  # of a program that has no name


def moment(nanoseconds: int, received: datetime) -> datetime:
    """A time that a span tells, as far as that can be; else when the span came. A wrong clock is no reason to lose it."""
    try:
        claimed = EARLIEST + timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return received
    return claimed if EARLIEST < claimed <= received + AHEAD else received


def external_id(session: str) -> str:
    """The id of a session as it is shown and searched: on one line, with nothing in it that nobody sees."""
    shown = _HIDDEN.sub(" ", session).strip()[:ID_CHARACTERS].strip()
    return shown if shown and is_id(shown) else f"session {session.encode(errors='replace').hex()[:100]}"


def path_id(text: str | None) -> str | None:
    """Where it can be part of an address, else None."""
    if text and len(text) <= ID_CHARACTERS and _PATH_ID.search(text) and fits_index(text):
        return text
    return None


def label(text: str | None) -> str | None:
    return text if text and len(text) <= ID_CHARACTERS and is_id(text) and fits_index(text) else None


def slug(name: str) -> str:
    """A name as the registry of agents might have it."""
    return _SLUG.sub("-", name.lower()).strip("-")


def in_utc(at: datetime) -> datetime:
    return at.astimezone(UTC)
