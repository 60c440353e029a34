"""A cache of parsed definitions keyed by row version, so that a hot write need not read and parse them each time.

It needs no invalidation: the caller names the version that it just read, and gets that one or nothing.
"""

from collections import OrderedDict
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

T = TypeVar("T")


class State(NamedTuple):
    """One version of a row. The time tells apart two with the same number, of which one was rolled back."""

    tenant_id: UUID
    id: UUID
    version: int
    updated_at: datetime


class VersionCache(Generic[T]):
    """Keeps the `size` entries that were used last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._parsed: OrderedDict[State, T] = OrderedDict()

    def get(self, state: State) -> T | None:
        found = self._parsed.get(state)
        if found is not None:
            self._parsed.move_to_end(state)
        return found

    def put(self, state: State, parsed: T) -> None:
        self._parsed[state] = parsed
        self._parsed.move_to_end(state)
        if len(self._parsed) > self._size:
            self._parsed.popitem(last=False)
