"""`goldloop export` and `goldloop import`: a workspace as one file, and a workspace made of such a file."""

import argparse
import asyncio
import fcntl
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

import msgspec

from goldloop.archives import import_service
from goldloop.archives.export_service import Written, write_archive
from goldloop.archives.import_service import Imported
from goldloop.archives.packing import Packer
from goldloop.archives.reading import ArchiveReader
from goldloop.cli.feedback import import_feedback
from goldloop.cli.opening import checked_slug, opened_database, settings_of, tenant_actor
from goldloop.cli.output import CommandError, Exit, Output
from goldloop.kit.blobs import BlobStore
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.ids import new_id
from goldloop.outside import blobs_of
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces

PROGRESS_SECONDS = 1.0


async def export(arguments: argparse.Namespace, output: Output) -> None:
    """Into a file beside it first: one of that name is whole, whatever ended the command before. What one that was killed left
    there is written over: the moment that it was read at is gone with it."""
    path = Path(arguments.file)
    if path.exists():
        raise CommandError(f"{path} exists already", Exit.CONFLICT, "file_exists")
    part = path.with_name(path.name + ".part")
    with _opened(part) as file:
        if file.seek(0, os.SEEK_END):
            output.note(f"an export into {path} was cut off before: it is begun anew")
            file.truncate(0)
            file.seek(0)
        try:
            written = await _write(arguments, output, file)
            file.flush()
            os.fsync(file.fileno())
            os.link(part, path)  # refuses where somebody made the file meanwhile
        except FileExistsError as error:
            raise CommandError(f"{path} exists already", Exit.CONFLICT, "file_exists") from error
        except asyncio.CancelledError:
            output.note(f"the export was cut off and {path} is not there: the same command begins anew")
            raise
        finally:
            with suppress(OSError):
                part.unlink()
    manifest = written.manifest
    output.result(
        {"file": str(path), "size": written.size, **msgspec.to_builtins(manifest)},
        f"{path}: {manifest.rows} rows of {len(manifest.tables)} tables and {manifest.blobs.rows} blobs, as they were at "
        f"{manifest.made_at:%Y-%m-%d %H:%M:%S} UTC; {written.size} bytes",
    )


def _opened(part: Path) -> BinaryIO:
    try:
        file = os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT, 0o600), "wb")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return file
    except BlockingIOError as error:
        raise CommandError(f"another command writes {part}", Exit.CONFLICT, "file_exists") from error
    except OSError as error:
        raise CommandError(f"cannot write {part}: {error.strerror}", Exit.USAGE, "cannot_write") from error


async def _write(arguments: argparse.Namespace, output: Output, file: BinaryIO) -> Written:
    async def put(content: bytes) -> None:
        file.write(content)

    async with opened_database(arguments) as db:
        actor = await tenant_actor(db, arguments.tenant)
        blobs = blobs_of(settings_of(arguments))
        return await write_archive(db, actor, blobs, Packer(put), personal=True, advance=_Progress(output))


class _Progress:
    """A line on standard error that says how far it is, where a person looks at it."""

    def __init__(self, output: Output) -> None:
        self.shown = not output.as_json and sys.stderr.isatty()
        self.next = time.monotonic() + PROGRESS_SECONDS

    async def __call__(self, done: int, total: int) -> None:
        if self.shown and time.monotonic() >= self.next:
            self.next = time.monotonic() + PROGRESS_SECONDS
            print(f"\r{done} of {total} rows", end="\n" if done >= total else "", file=sys.stderr, flush=True)


async def import_file(arguments: argparse.Namespace, output: Output) -> None:
    """An archive, unless a kind of feedback stands before the file."""
    if len(arguments.names) == 2:
        if arguments.tasks == "off":
            raise CommandError("--tasks is for archives: feedback brings none", Exit.USAGE, "usage")
        await import_feedback(arguments, output)
        return
    if arguments.rule or arguments.neutral_rest:
        raise CommandError("--rule and --neutral-rest are for feedback: name its kind", Exit.USAGE, "usage")
    slug = checked_slug(arguments.tenant)
    reader = ArchiveReader(Path(arguments.names[0]))
    try:
        async with opened_database(arguments) as db:
            found = await import_archive(
                db,
                blobs_of(settings_of(arguments)),
                reader,
                slug,
                dry_run=arguments.dry_run,
                tasks_off=arguments.tasks == "off",
            )
    finally:
        reader.close()
    output.result({**found._asdict(), "dry_run": arguments.dry_run}, _text(found, dry_run=arguments.dry_run))


async def import_archive(
    db: Database,
    blobs: BlobStore,
    reader: ArchiveReader,
    slug: str,
    *,
    dry_run: bool,
    tasks_off: bool = False,
) -> Imported:
    """All is checked before anything is written, blobs are written before rows, and rows in one transaction."""
    known = await workspaces.find_id(db, slug)
    tenant_id = known or await _free_id(db, reader.manifest.workspace.id)
    actor = system_actor(tenant_id, "command line")
    async with db.tx(actor) as tx:
        schema = await import_service.read_schema(tx)
        if known:
            await import_service.check_empty(tx)
    reader.check(schema)
    blob_count = 0 if dry_run else await import_service.put_blobs(blobs, reader, tenant_id)
    async with _rolled_back(db, actor) if dry_run else db.tx(actor) as tx:
        if known:
            await import_service.check_empty(tx)
        else:
            await import_service.make_workspace(tx, reader, slug)
        loaded = await import_service.load(tx, reader, blobs.address(""), tasks_off=tasks_off)
    return Imported(
        tenant_id,
        slug,
        known is None,
        loaded.rows,
        reader.manifest.blobs.rows if dry_run else blob_count,
        loaded.invited,
    )


async def _free_id(db: Database, wanted: UUID) -> UUID:
    """That of the archive, unless this installation has such a workspace already: a copy has an id of its own."""
    async with db.tx(system_actor(wanted)) as tx:
        return new_id() if await workspaces.find(tx) else wanted


class _NotKept(Exception):
    """Ends a transaction of which nothing is to stay."""


@asynccontextmanager
async def _rolled_back(db: Database, actor: Actor) -> AsyncIterator[Tx]:
    with suppress(_NotKept):
        async with db.tx(actor) as tx:
            yield tx
            raise _NotKept


def _text(found: Imported, *, dry_run: bool) -> str:
    would = "would be " if dry_run else ""
    lines = [
        f"{found.slug} ({found.tenant_id}): {found.rows} rows and {found.blobs} blobs {would}imported into "
        f"{'a new' if found.is_new else 'the empty'} workspace"
    ]
    if found.invited:
        lines.append(
            f"{found.invited} people come as invited. To let one in: "
            f"goldloop user password --tenant {found.slug} --email EMAIL"
        )
    lines.append("API keys come revoked; secrets of agents and webhooks do not come: make and set them anew.")
    return "\n".join(lines)
