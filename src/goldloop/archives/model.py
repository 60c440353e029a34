"""Types and errors of archives."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.jobs.model import RunStatus
from goldloop.kit.errors import Conflict, GoldloopError, InvalidInput, NotFound
from goldloop.tenants.model import Party

FORMAT = "goldloop-archive"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
BLOBS = "blobs.jsonl"
PLACEHOLDER = "{tenant}"  # where the id of the workspace is in a key of a blob


class ArchiveNotFound(NotFound):
    code, title = "archive_not_found", "There is no such archive in this workspace"


class ArchiveExists(Conflict):
    code, title = "archive_exists", "This id is taken by another run"


class ArchiveOpen(Conflict):
    code, title = "archive_open", "An archive of this workspace is being written"


class ArchiveDuringErasure(Conflict):
    code, title = (
        "archive_during_erasure",
        "Something is being deleted, of which an archive would have a part still",
    )


class ArchiveOver(Conflict):
    code, title = "archive_over", "Only an archive that is being written can be cancelled"


class ArchiveNotReady(Conflict):
    code, title = "archive_not_ready", "This archive is not there to be downloaded"


class RangeNotThere(GoldloopError):
    status, code, title = 416, "range_not_there", "The file ends before these bytes"


class BadArchive(InvalidInput):
    code, title = "bad_archive", "The file is no archive that can be imported here"


class WorkspaceNotEmpty(Conflict):
    code, title = "workspace_not_empty", "An archive is imported into a new or an empty workspace"


class Column(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    type: str
    nullable: bool
    has_default: bool
    generated: bool
    identity: bool


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A foreign key to another table."""

    to: str
    deferrable: bool


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A tenant table, as the catalogue has it."""

    name: str
    columns: list[Column]
    references: list[Reference]


class Schema(msgspec.Struct, frozen=True, kw_only=True):
    """`version` is the newest migration, `sha256` that of the tables and their columns."""

    version: int
    sha256: str


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    slug: str
    name: str
    created_at: datetime


class FileSum(msgspec.Struct, frozen=True, kw_only=True):
    """What a file of an archive holds: lines, bytes before compression, and their sha256."""

    rows: int
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The last file of an archive: what is in the others, and what was left out and why."""

    format: str
    format_version: int
    goldloop: str
    schema: Schema
    made_at: datetime
    workspace: Workspace
    tables: dict[str, FileSum]
    blobs: FileSum
    left_out: dict[str, str]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())


class ArchivedTable(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    rows: int


class TableLeftOut(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    reason: str


class ArchiveContents(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive holds: `made_at` is the moment at which all of it was true."""

    made_at: datetime
    schema_version: int
    tables: list[ArchivedTable]
    blobs: int
    left_out: list[TableLeftOut]


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """`done` of `total` rows are written. `size` and `contents` are there when it is done; after `expires_at` it is gone."""

    id: UUID
    status: RunStatus
    done: int
    total: int
    size: int | None
    contents: ArchiveContents | None
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None
    created_by: Party


def contents_of(manifest: Manifest) -> ArchiveContents:
    return ArchiveContents(
        made_at=manifest.made_at,
        schema_version=manifest.schema.version,
        tables=[
            ArchivedTable(name=name, rows=each.rows)
            for name, each in sorted(manifest.tables.items())
            if each.rows
        ],
        blobs=manifest.blobs.rows,
        left_out=[
            TableLeftOut(name=name, reason=reason) for name, reason in sorted(manifest.left_out.items())
        ],
    )


def as_json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)
