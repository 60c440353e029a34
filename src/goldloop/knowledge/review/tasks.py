"""The kind of task that reviews feedback."""

import msgspec

from goldloop.knowledge.review import service
from goldloop.tasks.kind_service import TaskKind, register


class ReviewConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """There is nothing to say about it."""


register(
    TaskKind(
        name=service.REVIEW,
        config=ReviewConfig,
        start=service.start,
        default_agent=service.REVIEWER,
        has_work=service.has_work,
        managed=True,
    )
)
