"""Writes an archive: every table at one moment, then the blobs that rows of that moment may name, then the manifest.

A blob is written before the row that names it, so what is there after the moment holds all that was named at it.
"""

import base64
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple
from uuid import UUID

from goldloop import __version__
from goldloop.archives import row_store, store
from goldloop.archives.model import (
    BLOBS,
    FORMAT,
    FORMAT_VERSION,
    MANIFEST,
    PLACEHOLDER,
    FileSum,
    Manifest,
    Schema,
    Table,
    Workspace,
    as_json,
)
from goldloop.archives.packing import Packer
from goldloop.archives.selection import schema_of, select
from goldloop.kit.blobs import BlobStore
from goldloop.kit.db import Actor, Database, Tx
from goldloop.migrations.files import migrations
from goldloop.tenants.workspaces import service as workspaces

FOLDER = "archives"  # of the blob store, below the workspace's: archives are no part of an archive
Advance = Callable[[int, int], Awaitable[None]]


class Written(NamedTuple):
    manifest: Manifest
    size: int


class Plan(NamedTuple):
    """What is there to be written, as it is at the moment of the archive."""

    workspace: Workspace
    schema: Schema
    tables: list[Table]
    left_out: dict[str, str]
    rows: int


async def write_archive(
    db: Database, actor: Actor, blobs: BlobStore, packer: Packer, *, personal: bool, advance: Advance
) -> Written:
    """`personal`: with what people alone see of the workspace, for the operator. `advance` is told how many rows of how many
    are written."""
    try:
        async with db.snapshot(actor) as tx:
            if personal:
                await row_store.open_personal(tx)
            await store.check_nothing_is_erased(tx)
            made_at = await tx.moment()
            plan = await _plan(tx, personal=personal)
            tables = {
                table.name: await _write_table(tx, table, packer, plan.rows, advance) for table in plan.tables
            }
        blob_sum = await _write_blobs(blobs, actor.tenant_id, packer)
        manifest = Manifest(
            format=FORMAT,
            format_version=FORMAT_VERSION,
            goldloop=__version__,
            schema=plan.schema,
            made_at=made_at,
            workspace=plan.workspace,
            tables=tables,
            blobs=blob_sum,
            left_out=plan.left_out,
        )
        await packer.begin(MANIFEST)
        await packer.add(as_json(manifest))
        await packer.end()
        return Written(manifest, await packer.finish())
    finally:
        await packer.close()


async def _plan(tx: Tx, *, personal: bool) -> Plan:
    all_tables = await row_store.tables(tx)
    tables, left_out = select(all_tables, personal=personal)
    found = await workspaces.access(tx)
    await row_store.spread(tx)
    return Plan(
        Workspace(id=found.id, slug=found.slug, name=found.name, created_at=found.created_at),
        schema_of(all_tables, migrations()[-1].version),
        tables,
        left_out,
        sum([await row_store.count(tx, table) for table in tables]),
    )


async def _write_table(tx: Tx, table: Table, packer: Packer, total: int, advance: Advance) -> FileSum:
    async def take(piece: bytes) -> None:
        await packer.add(piece)
        await advance(packer.rows, total)

    await packer.begin(f"tables/{table.name}.jsonl")
    await row_store.copy_out(tx, table, take)
    return await packer.end()


async def _write_blobs(blobs: BlobStore, tenant_id: UUID, packer: Packer) -> FileSum:
    await packer.begin(BLOBS)
    async for key in _keys(blobs, tenant_id):
        content = await blobs.get(key)
        if content is not None:  # deleted since it was listed: so was what named it
            await packer.add(blob_line(key.replace(str(tenant_id), PLACEHOLDER), content))
    return await packer.end()


def blob_line(key: str, content: bytes) -> bytes:
    digest = hashlib.sha256(content).hexdigest()
    return b'{"key":"%s","sha256":"%s","data":"%s"}\n' % (
        key.encode(),
        digest.encode(),
        base64.b64encode(content),
    )


async def _keys(blobs: BlobStore, tenant_id: UUID) -> AsyncIterator[str]:
    """Of the blobs of a workspace, except for its archives."""
    for folder in (f"{tenant_id}/", f"turn-logs/{tenant_id}/"):
        async for key in blobs.keys(folder):
            if not key.startswith(f"{tenant_id}/{FOLDER}/"):
                yield key
