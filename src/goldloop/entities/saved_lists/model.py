"""Types and errors of saved lists."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from goldloop.entities.fields import MAX_FIELD_NAME
from goldloop.kit.errors import Conflict, NotFound
from goldloop.tenants.model import Party

MAX_COLUMNS = 20  # fields side by side: more are not read

Columns = Annotated[
    list[Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_FIELD_NAME)]],
    msgspec.Meta(max_length=MAX_COLUMNS),
]


class SavedListNotFound(NotFound):
    code, title = "saved_list_not_found", "There is no such saved list for you in this workspace"


class SavedListExists(Conflict):
    code, title = "saved_list_exists", "A saved list with this id exists with other content"


class ListQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a list of records is asked for, in the words of `GET /api/entities`; `columns` are fields of the type."""

    type: Annotated[str, msgspec.Meta(min_length=1, max_length=63)] | None = None
    q: Annotated[str, msgspec.Meta(min_length=1, max_length=500)] | None = None
    min_score: Annotated[float, msgspec.Meta(ge=0, le=100)] | None = None
    waits: bool | None = None
    sort: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_FIELD_NAME + 20)] | None = None
    columns: Columns = []


class SavedList(msgspec.Struct, frozen=True, kw_only=True):
    """A list that somebody keeps. `own` is whether the caller does; others see it where it is `shared`."""

    id: UUID
    name: str
    query: ListQuery
    shared: bool
    own: bool
    version: int
    created_at: datetime
    updated_at: datetime
    created_by: Party


class ListColumns(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a type that somebody has as columns, in their order."""

    columns: list[str]
