"""Definitions as they were parsed last, so that a hot write need not read and parse them each time.

Safe without any notice of changes: whoever asks names the state that it just read, and gets that or nothing.
"""

from collections import OrderedDict
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

T = TypeVar("T")


class State(NamedTuple):
    """One state of a row. The time tells apart two of the same version, of which one was rolled back."""

    tenant_id: UUID
    id: UUID
    version: int
    updated_at: datetime


class Recent(Generic[T]):
    """The states used last, at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: OrderedDict[State, T] = OrderedDict()

    def get(self, state: State) -> T | None:
        found = self._held.get(state)
        if found is not None:
            self._held.move_to_end(state)
        return found

    def put(self, state: State, parsed: T) -> None:
        self._held[state] = parsed
        self._held.move_to_end(state)
        if len(self._held) > self._size:
            self._held.popitem(last=False)
