"""What a section of the settings is."""

from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


class Section(NamedTuple, Generic[S]):
    """A part of the settings of a workspace. Its type has a default for every field: what a workspace never set, or what
    is newer than its row, has that."""

    name: str
    type: type[S]


class Stored(NamedTuple):
    """A section as a workspace has it. The time tells apart two of the same version, of which one was rolled back."""

    version: int
    updated_at: datetime
    value: dict[str, Any] | None  # None where it is that of the version that was asked for
