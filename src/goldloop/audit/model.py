"""Types and errors of the audit log."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import ActorKind
from goldloop.kit.errors import NotFound
from goldloop.tenants.model import Party

FileFormat = Literal["csv", "jsonl"]


class AuditEntryNotFound(NotFound):
    code, title = "audit_entry_not_found", "There is no such entry in the audit log of this workspace"


class Via(StrEnum):
    """How somebody came: with an API key, signed in or with a token of a page, or nobody asked (jobs, commands)."""

    KEY = "key"
    PAGE = "page"
    BACKGROUND = "background"


class AuditKey(msgspec.Struct, frozen=True, kw_only=True):
    """`name` is null for one that is gone."""

    id: UUID
    name: str | None


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of the event log. `address` is the network address of whoever asked, and `request_id` what the server's log
    calls that request; both are null for what nobody asked for."""

    id: UUID
    name: str
    topic: str
    subject_id: str
    actor: Party
    via: Via
    key: AuditKey | None
    address: str | None
    request_id: str | None
    payload: dict[str, Any]
    created_at: datetime


class AuditChange(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a fact changed. `present` and `present_before` tell null from nothing at all."""

    what: str
    before: Any
    after: Any
    present_before: bool = True
    present: bool = True


class AuditDetail(AuditEntry, frozen=True, kw_only=True):
    """`changes` is null where nobody knows what it was before."""

    changes: list[AuditChange] | None


class DeclaredEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event that there is: what it happens to, and when."""

    name: str
    topic: str
    subject: str
    when: str


class DeclaredEvents(msgspec.Struct, frozen=True, kw_only=True):
    data: list[DeclaredEvent]


class AuditFilter(NamedTuple):
    """What the log is narrowed by; None narrows nothing. `names` are those of events, one of which it must be."""

    actor_kind: ActorKind | None = None
    actor_id: UUID | None = None
    key_id: UUID | None = None
    names: tuple[str, ...] | None = None
    subject_id: str | None = None
    address: str | None = None
    since: datetime | None = None
    until: datetime | None = None
