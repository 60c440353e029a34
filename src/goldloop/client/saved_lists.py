"""Lists of records under a name, and the columns that somebody has."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.list_types import ListQuery, SavedList
from goldloop.client.workspace import given


class _Columns(msgspec.Struct, frozen=True):
    columns: list[str]


_Names = list[str]  # `list` is the name of a method below


class SavedListMethods(Resource[Kind]):
    @operation("POST", "/api/saved-lists", safe=True)
    def create(
        self, name: str, query: ListQuery | Mapping[str, Any], *, shared: bool = False, id: Id | None = None
    ) -> Call[SavedList]:
        return Call(SavedList, body={"name": name, "query": query, "shared": shared, "id": id or new_id()})

    @listing("/api/saved-lists")
    def list(self) -> Call[Page[SavedList]]:
        """One's own and those that are shared, by name."""
        return Call(Page[SavedList])

    @operation("GET", "/api/saved-lists/{list_id}")
    def show(self, list_id: Id) -> Call[SavedList]:
        return Call(SavedList, (list_id,))

    @operation("PATCH", "/api/saved-lists/{list_id}")
    def change(
        self,
        list_id: Id,
        version: int | None = None,
        *,
        name: str | None = None,
        query: ListQuery | Mapping[str, Any] | None = None,
        shared: bool | None = None,
    ) -> Call[SavedList]:
        """`version` is the one that was read; what is None stays as it is; `query` replaces the whole query."""
        optional = {"version": version, "name": name, "query": query, "shared": shared}
        return Call(SavedList, (list_id,), body=given(optional))

    @operation("DELETE", "/api/saved-lists/{list_id}")
    def remove(self, list_id: Id) -> Call[None]:
        return Call(None, (list_id,))

    @operation("GET", "/api/entity-types/{slug}/columns")
    def columns(self, slug: str) -> "Call[_Names]":
        """The fields of a type that the key's holder has as columns of its list."""
        return Call(_Columns, (slug,), read=lambda answer: answer.columns)

    @operation("PUT", "/api/entity-types/{slug}/columns")
    def choose_columns(self, slug: str, columns: Sequence[str]) -> "Call[_Names]":
        return Call(_Columns, (slug,), body={"columns": [*columns]}, read=lambda answer: answer.columns)
