"""Routes of the audit log: `/api/audit`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Stream

from goldloop.audit import files, service
from goldloop.audit.model import (
    AuditDetail,
    AuditEntry,
    AuditEntryNotFound,
    AuditFilter,
    DeclaredEvent,
    DeclaredEvents,
    FileFormat,
)
from goldloop.audit.permissions import AUDIT_READ
from goldloop.kit.db import ActorKind
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import EVENTS
from goldloop.kit.http import LEAVES_EVENT, Db, PathId, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, MAX_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit, When
from goldloop.kit.text import ID_PATTERN
from goldloop.kit.times import moment
from goldloop.tenants.auth.api import Who, needs

MOST_NAMES = 20  # of one search; a topic has fewer

Names = Annotated[
    list[Annotated[str, msgspec.Meta(max_length=100)]] | None,
    QueryParameter(name="name", max_items=MOST_NAMES, description="Names of events, one of which it must be"),
]
Topic = Annotated[
    str | None, QueryParameter(max_length=100, description="All events of a topic, such as `members`")
]
Subject = Annotated[
    str | None,
    QueryParameter(max_length=500, pattern=ID_PATTERN, description="What it happened to, by its id"),
]
Address = Annotated[
    str | None,
    QueryParameter(max_length=100, pattern=ID_PATTERN, description="The network address of whoever asked"),
]


def _filter(
    name: list[str] | None,
    topic: str | None,
    since: str | None,
    until: str | None,
    **equal: object,
) -> AuditFilter:
    """The names of a topic are those declared under it; what is no event is a typing error."""
    for place, given in enumerate(name or []):
        if given not in EVENTS:
            raise InvalidInput.at(f"/name/{place}", "unknown_event", f"There is no event {given!r}")
    names = name
    if topic is not None:
        under = [event.name for event in EVENTS.values() if event.topic == topic]
        if not under:
            raise InvalidInput.at("/topic", "unknown_topic", f"There is no topic {topic!r}")
        names = under if name is None else [given for given in name if given in under]
    bounds = {"since": moment("since", since), "until": moment("until", until)}
    return AuditFilter(names=None if names is None else tuple(names), **bounds, **equal)  # type: ignore[arg-type]


@get(
    "/",
    opt=needs(AUDIT_READ),
    responses=problems(),
    summary="Who did what, when, with which key and from where, newest first",
)
async def list_audit(
    db: Db,
    actor: Who,
    name: Names = None,
    topic: Topic = None,
    actor_kind: FromQuery[ActorKind | None] = None,
    actor_id: FromQuery[UUID | None] = None,
    key_id: FromQuery[UUID | None] = None,
    subject_id: Subject = None,
    address: Address = None,
    since: When = None,
    until: When = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[AuditEntry]:
    equal = {"actor_kind": actor_kind, "actor_id": actor_id, "key_id": key_id}
    wanted = _filter(name, topic, since, until, **equal, subject_id=subject_id, address=address)
    async with db.tx(actor) as tx:
        return await service.list_entries(tx, wanted, cursor, limit)


@get(
    "/export",
    opt=needs(AUDIT_READ) | LEAVES_EVENT,
    responses=problems(),
    summary="The same as a file: a table for spreadsheets, or a line of JSON an entry",
    media_type="text/csv",
)
async def export_audit(
    db: Db,
    actor: Who,
    name: Names = None,
    topic: Topic = None,
    actor_kind: FromQuery[ActorKind | None] = None,
    actor_id: FromQuery[UUID | None] = None,
    key_id: FromQuery[UUID | None] = None,
    subject_id: Subject = None,
    address: Address = None,
    since: When = None,
    until: When = None,
    format: FromQuery[FileFormat] = "csv",
) -> Stream:
    equal = {"actor_kind": actor_kind, "actor_id": actor_id, "key_id": key_id}
    wanted = _filter(name, topic, since, until, **equal, subject_id=subject_id, address=address)
    async with db.tx(actor) as tx:
        await service.note_export(tx, wanted, format)
    kind = "text/csv; charset=utf-8" if format == "csv" else "application/x-ndjson"
    named = {"Content-Disposition": f'attachment; filename="audit.{format}"'}

    async def read(cursor: str | None) -> Page[AuditEntry]:
        async with db.reading().tx(actor) as tx:
            return await service.list_entries(tx, wanted, cursor, MAX_LIMIT)

    return Stream(files.as_file(read, format), media_type=kind, headers=named)


@get("/events", opt=needs(AUDIT_READ), responses=problems(), summary="All events that there are, by name")
async def list_audit_events() -> DeclaredEvents:
    declared = sorted(EVENTS.values(), key=lambda event: event.name)
    return DeclaredEvents(
        data=[
            DeclaredEvent(name=event.name, topic=event.topic, subject=event.subject, when=event.when)
            for event in declared
        ]
    )


@get(
    "/{entry_id:uuid}",
    opt=needs(AUDIT_READ),
    responses=problems(AuditEntryNotFound),
    summary="One entry, with what it was before and after where that is known",
)
async def show_audit_entry(entry_id: PathId, db: Db, actor: Who) -> AuditDetail:
    async with db.tx(actor) as tx:
        return await service.show(tx, entry_id)


router = Router(
    "/api/audit",
    route_handlers=[list_audit, export_audit, list_audit_events, show_audit_entry],
    tags=["audit"],
)
