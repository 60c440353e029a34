"""Routes of erasures: `/api/erasures`."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from goldloop.erasures import service
from goldloop.erasures.model import (
    Erasure,
    ErasureExists,
    ErasureKind,
    ErasureNotFound,
    ErasurePreview,
    NotConfirmed,
    NothingToErase,
    OnlyPeopleErase,
    Subject,
)
from goldloop.erasures.permissions import ERASURES_MANAGE
from goldloop.kit.db import ERASER_ROLE
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.tenants.auth.api import Auth, Who, needs

ClientId = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]

UserQuery = Annotated[
    str | None, QueryParameter(max_length=200, description="An end user; an empty one asks for all")
]

# What names the subject of each kind.
_NAMED_BY = {
    ErasureKind.CONVERSATION: ("project", "conversation_id"),
    ErasureKind.SESSION: ("session_id",),
    ErasureKind.RECORD: ("entity_id",),
    ErasureKind.RESPONSES: ("entity_id",),
    ErasureKind.END_USER: ("user_id",),
    ErasureKind.WORKSPACE: (),
}


class ErasureSubject(Wire, frozen=True):
    """`project` and `conversation_id` name a conversation, `session_id` a session, `entity_id` a record (also for its
    `responses`), `user_id` an end user."""

    kind: ErasureKind
    project: ClientId | None = None
    conversation_id: ClientId | None = None
    session_id: UUID | None = None
    entity_id: UUID | None = None
    user_id: ClientId | None = None

    def subject(self) -> Subject:
        if self.kind not in _NAMED_BY:
            raise InvalidInput.at("/kind", "not_for_asking", "What retention lets go is not asked for")
        wanted = _NAMED_BY[self.kind]
        missing = [name for name in wanted if getattr(self, name) is None]
        named = ("project", "conversation_id", "session_id", "entity_id", "user_id")
        beside = [name for name in named if name not in wanted and getattr(self, name) is not None]
        faults = [
            Fault(path=f"/{name}", code="missing", message=f"This names what is to go: {self.kind}")
            for name in missing
        ] + [
            Fault(path=f"/{name}", code="unexpected", message=f"This names no {self.kind}") for name in beside
        ]
        if faults:
            raise InvalidInput(errors=faults)
        return Subject(kind=self.kind, name=tuple(str(getattr(self, name)) for name in wanted))


class NewErasure(ErasureSubject, frozen=True):
    """What is to go. A workspace is confirmed by its slug (`confirm`)."""

    confirm: ClientId | None = None
    id: UUID | None = None


class _Counted(Exception):
    """Takes a preview out of the transaction that it wrote to count, which is rolled back by it."""

    def __init__(self, preview: ErasurePreview) -> None:
        self.preview = preview


@post(
    "/",
    opt=needs(ERASURES_MANAGE),
    responses=problems(NothingToErase, ErasureExists, NotConfirmed, OnlyPeopleErase, body=True),
    summary="Delete something for good, with all that was made of it; it is hidden at once",
)
async def request_erasure(data: JSONBody[NewErasure], db: Db, actor: Who, auth: Auth) -> Erasure:
    async with db.in_role(ERASER_ROLE).tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        return await service.request(tx, data.subject(), data.id, data.confirm)


@post(
    "/preview",
    opt=needs(ERASURES_MANAGE),
    responses=problems(NothingToErase, body=True),
    status_code=200,
    summary="Say what an erasure would take, and what would stay and why",
)
async def preview_erasure(data: JSONBody[ErasureSubject], db: Db, actor: Who) -> ErasurePreview:
    try:
        async with db.in_role(ERASER_ROLE).tx(actor) as tx:
            raise _Counted(await service.preview(tx, data.subject()))
    except _Counted as counted:
        return counted.preview


@get(
    "/",
    opt=needs(ERASURES_MANAGE),
    responses=problems(),
    summary="List erasures, newest first; of an end user by `user_id`, also when it is over",
)
async def list_erasures(
    db: Db,
    actor: Who,
    user_id: UserQuery = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> Page[Erasure]:
    subject = Subject(kind=ErasureKind.END_USER, name=(user_id,)) if user_id else None
    async with db.tx(actor) as tx:
        return await service.list_erasures(tx, subject, cursor, limit)


@get(
    "/{erasure_id:uuid}",
    opt=needs(ERASURES_MANAGE),
    responses=problems(ErasureNotFound),
    summary="Show how far an erasure is, what went, and what stays and why",
)
async def show_erasure(erasure_id: PathId, db: Db, actor: Who) -> Erasure:
    async with db.tx(actor) as tx:
        return await service.access(tx, erasure_id)


router = Router(
    "/api/erasures",
    route_handlers=[request_erasure, preview_erasure, list_erasures, show_erasure],
    tags=["erasures"],
)
