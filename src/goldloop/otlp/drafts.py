"""Events as they are derived, before they have a session: what they are called, where they come in the order. Pure.

An event may be derived from one span now and from another, better one later: `keys` are all the names that it may have
been given, its own first. What is there under one of them is not added again.
"""

import hashlib
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

_NAMESPACE = UUID("5f0f7f3e-6f1c-5d0e-9d7f-0a6f8d1f4c11")  # of ids of events that come from spans


class Rank(IntEnum):
    """The order of what happened at the same moment."""

    USER = 0
    RESULT_OF_MESSAGES = 1
    MODEL = 2
    AGENT = 3
    CALL = 4
    RESULT = 5
    EVALUATION = 6


class Draft(NamedTuple):
    type: str
    at: int
    rank: Rank
    depth: int
    payload: dict[str, Any]
    keys: tuple[str, ...]
    is_unsure: bool = False  # a span that may yet come would tell it better

    @property
    def id(self) -> UUID:
        return event_id(self.keys[0])

    @property
    def known_as(self) -> tuple[UUID, ...]:
        return tuple(event_id(key) for key in self.keys)


@lru_cache(maxsize=4096)  # each is asked for several times while a trace is derived
def event_id(key: str) -> UUID:
    return uuid5(_NAMESPACE, key)


def digest(value: Any) -> str:
    """Short and the same for the same value."""
    encoded = (
        value.encode(errors="replace")
        if isinstance(value, str)
        else msgspec.json.encode(value, order="sorted")
    )
    return hashlib.sha256(encoded).hexdigest()[:24]


def in_order(drafts: list[Draft]) -> list[Draft]:
    return sorted(drafts, key=lambda draft: (draft.at, draft.rank, draft.depth, draft.keys))
