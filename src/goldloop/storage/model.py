"""Types of storage."""

from uuid import UUID

import msgspec


class MeasureQueued(msgspec.Struct, frozen=True, kw_only=True):
    """The job that measures; what it found is shown with the limits."""

    job_id: UUID
