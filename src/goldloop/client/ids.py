"""The ids that the client chooses, so that a create can be sent twice. The server's own are made the same way."""

import os
import time
from uuid import UUID

Id = UUID | str


def new_id() -> UUID:
    """A UUIDv7: sorts by the time it was made."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & 0xFFFF_FFFF_FFFF) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76  # version 7
    value = value & ~(0x3 << 62) | 0x2 << 62  # RFC 9562 variant
    return UUID(int=value)
