"""Makes a workspace of an archive: its rows under the same ids, in one transaction, so that nothing of it is there until all is.

An act of the operator alone. An archive says who did what and when, and which rows are accepted: whoever may write one may write
anything, so it is not taken over HTTP. It runs under row-level security with the rights of the worker, so that whatever a file
says, rows come into no other workspace.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import asyncpg
import msgspec

from goldloop.archives import events, row_store
from goldloop.archives.model import PLACEHOLDER, BadArchive, Manifest, Schema, Table, WorkspaceNotEmpty
from goldloop.archives.reading import ArchiveReader
from goldloop.archives.selection import PERSONAL, schema_of, select
from goldloop.kit.blobs import BlobStore
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.migrations.files import migrations
from goldloop.sessions.large_payloads import payload_folder
from goldloop.tasks import service as tasks
from goldloop.tenants.members import service as members
from goldloop.tenants.workspaces import service as workspaces

LINES = 2000  # in one statement
LINES_BYTES = 4 << 20  # of them, unless one alone has more
# What every workspace has from the beginning, and a person who looks at it adds.
MAY_BE_THERE = {"memberships", "parties", "events", "api_keys", "list_columns"}
# Agents of the system, as every workspace is made with them: those of the archive take their place. What tells them apart.
MADE_ANEW = {"agent_versions": "version > 1", "agents": "NOT is_system"}


class Imported(NamedTuple):
    tenant_id: UUID
    slug: str
    is_new: bool
    rows: int
    blobs: int
    invited: int


class Loaded(NamedTuple):
    rows: int
    invited: int


class _Member(msgspec.Struct, frozen=True):
    user_id: UUID
    email: str


async def read_schema(tx: Tx) -> Schema:
    return schema_of(await row_store.tables(tx), migrations()[-1].version)


async def put_blobs(blobs: BlobStore, reader: ArchiveReader, tenant_id: UUID) -> int:
    """Before the rows that name them. What is left of an import that failed is below an id that nobody has, or is written
    again by the next."""
    count = 0
    for blob in reader.blobs():
        await blobs.put(blob.key.replace(PLACEHOLDER, str(tenant_id)), blob.content)
        count += 1
    return count


async def check_empty(tx: Tx) -> None:
    tables, _ = select(await row_store.tables(tx), personal=True)
    await row_store.open_personal(tx)
    for table in tables:
        if table.name in MADE_ANEW:
            found = await row_store.count_own(tx, table.name, MADE_ANEW[table.name])
        else:
            found = 0 if table.name in MAY_BE_THERE else await row_store.count(tx, table)
        if found:
            raise WorkspaceNotEmpty(
                f"{WorkspaceNotEmpty.title}; this one has {found} rows in {table.name}",
                conflict={"table": table.name, "rows": found},
            )


async def load(tx: Tx, reader: ArchiveReader, address: str, *, tasks_off: bool = False) -> Loaded:
    """All rows of an archive that was checked. `address` is what that of a blob begins with. With `tasks_off` no task runs
    until somebody switches it on: those of a copy would run beside those that it was made of."""
    manifest = reader.manifest
    await row_store.open_for_import(tx)
    tables = _tables(manifest, await row_store.tables(tx))
    moment = await tx.moment()
    invited = await _take_members(tx, reader)
    await row_store.clear(tx, list(MADE_ANEW))
    for table in tables:
        await _load_table(tx, reader, table, moment, address)
    if foreign := await row_store.find_foreign_blob(tx, payload_folder(tx.actor.tenant_id)):
        raise BadArchive(f"session_events names {foreign[:100]!r}, which is no blob of the workspace")
    await tasks.plan_all(tx, off=tasks_off)
    await note_import(tx, manifest)
    await row_store.raise_sequences(tx, tables)
    return Loaded(manifest.rows, invited)


async def note_import(tx: Tx, manifest: Manifest) -> None:
    """The one event of an import: what happened before is in the log as it was, and nobody is told of it again."""
    payload = events.ArchiveImported(slug=manifest.workspace.slug, rows=manifest.rows)
    await emit(tx, events.IMPORTED.of(tx.actor.tenant_id, payload))


def _tables(manifest: Manifest, here: list[Table]) -> list[Table]:
    """Those of the archive, in the order in which they are written."""
    selected, _ = select(here, personal=True)
    if missing := {table.name for table in selected} - PERSONAL.keys() - manifest.tables.keys():
        raise BadArchive(f"It lacks {', '.join(sorted(missing))}")
    if odd := manifest.tables.keys() - {table.name for table in selected}:
        raise BadArchive(f"{', '.join(sorted(odd))} cannot be imported")
    return [table for table in selected if table.name in manifest.tables]


async def _load_table(tx: Tx, reader: ArchiveReader, table: Table, moment: datetime, address: str) -> None:
    place = 0
    for lines in _batches(reader.lines(table.name)):
        try:
            written = await row_store.write(tx, table, lines, moment, address)
        except (
            asyncpg.DataError,
            asyncpg.IntegrityConstraintViolationError,
            asyncpg.InsufficientPrivilegeError,
        ) as error:
            raise BadArchive(
                f"Lines {place + 1} to {place + len(lines)} of {table.name} cannot be written: {error}"
            ) from error
        place += len(lines)
        if written != len(lines) and table.name not in MAY_BE_THERE:
            raise BadArchive(f"{table.name} has {len(lines) - written} rows twice")


def _batches(lines: Iterator[bytes]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for line in lines:
        if batch and (len(batch) >= LINES or size + len(line) > LINES_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(_text(line))
        size += len(line)
    if batch:
        yield batch


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise BadArchive(f"A line is not UTF-8: {error}") from error


async def _take_members(tx: Tx, reader: ArchiveReader) -> int:
    """Whoever is a member here already and in the archive, by their address, is the one of the archive from now on. How many
    people come as invited."""
    invited = 0
    for line in reader.lines("memberships"):
        try:
            theirs = msgspec.json.decode(line, type=_Member)
        except msgspec.MsgspecError as error:
            raise BadArchive(f"A line of memberships is none: {error}") from error
        invited += not await members.take_id(tx, theirs.email, theirs.user_id)
    return invited


async def make_workspace(tx: Tx, reader: ArchiveReader, slug: str) -> None:
    """The transaction's own tenant, new, with the name and the age of the archive's."""
    theirs = reader.manifest.workspace
    await workspaces.create_bare(tx, slug, theirs.name, theirs.created_at)
