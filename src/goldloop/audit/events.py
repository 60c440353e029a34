"""Events of the audit log."""

from typing import Literal

from goldloop.audit.permissions import AUDIT_READ
from goldloop.kit.events import Payload, declare, topic

AUDIT = topic("audit", read_by=AUDIT_READ)


class AuditExported(Payload, frozen=True, kw_only=True):
    """`narrowed_by` names what the log was narrowed by, empty for all of it."""

    format: Literal["csv", "jsonl"]
    narrowed_by: list[str]


EXPORTED = declare(
    "audit.exported",
    topic=AUDIT,
    subject="workspace",
    payload=AuditExported,
    when="Somebody took the audit log along as a file",
)
