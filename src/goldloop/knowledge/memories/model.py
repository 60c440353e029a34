"""The type of a memory."""

from datetime import datetime
from uuid import UUID

import msgspec

from goldloop.tenants.model import Party

MEMORY_CHARACTERS = 2000


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What agents are to remember about the person whose it is."""

    id: UUID
    content: str
    created_by: Party
    created_at: datetime
