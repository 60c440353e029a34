"""Types of importing records."""

from typing import Any
from uuid import UUID

import msgspec


class RowFault(msgspec.Struct, frozen=True, kw_only=True):
    """`row` counts as a spreadsheet does, the head being 1; `column` is null where the whole row is meant."""

    row: int
    column: str | None
    code: str
    message: str


class RecordPreview(msgspec.Struct, frozen=True, kw_only=True):
    """A row as the record that it is, or would be."""

    row: int
    title: str
    content: dict[str, Any]
    existing: bool


class RecordImport(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a file, or would: `new` records were made where `imported` is true, and otherwise none. `existing` ones are
    there already, just as the file has them. `errors` are the first 100, `errors_omitted` how many more there are; with one of
    them nothing is imported. `preview` are the first records, `left_out` the columns that say nothing about a new one."""

    type: str
    imported: bool
    rows: int
    new: int
    existing: int
    columns: list[str]
    left_out: list[str]
    errors: list[RowFault]
    errors_omitted: int
    preview: list[RecordPreview]
    ids: list[UUID]
