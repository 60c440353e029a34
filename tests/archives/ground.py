"""Archives as files, and two installations to carry them between."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from goldloop.archives.export_service import Written, write_archive
from goldloop.archives.import_service import Imported
from goldloop.archives.packing import Packer
from goldloop.archives.reading import ArchiveReader
from goldloop.cli.archives import import_archive
from goldloop.kit.blobs import BlobStore
from goldloop.kit.db import Database
from goldloop.tenants.auth.actors import system_actor


async def nobody_looks(done: int, total: int) -> None: ...


@dataclass(frozen=True)
class Installation:
    """A database, as the worker's role, and a blob store."""

    db: Database
    blobs: BlobStore

    async def export(self, tenant_id: UUID, path: Path, *, personal: bool = True) -> Written:
        with path.open("wb") as file:

            async def put(content: bytes) -> None:
                file.write(content)

            return await write_archive(
                self.db,
                system_actor(tenant_id),
                self.blobs,
                Packer(put),
                personal=personal,
                advance=nobody_looks,
            )

    async def take(
        self, path: Path, slug: str, *, dry_run: bool = False, tasks_off: bool = False
    ) -> Imported:
        reader = ArchiveReader(path)
        try:
            return await import_archive(
                self.db, self.blobs, reader, slug, dry_run=dry_run, tasks_off=tasks_off
            )
        finally:
            reader.close()

    async def rows(self, tenant_id: UUID, table: str, *, of: UUID | None = None) -> Any:
        """A table's rows, in an order of their own, without the id of the workspace and of that it is a copy `of`."""
        async with self.db.tx(system_actor(tenant_id)) as tx:
            await tx.execute("SET LOCAL app.archive = 'open'")
            return await tx.fetchrow(
                f"""
                SELECT count(*) AS count, md5(string_agg(x.line, '|' ORDER BY x.line)) AS digest
                FROM (SELECT replace(replace((to_jsonb(t) - 'tenant_id')::text, $1::text, ''), $2::text, '') AS line
                      FROM {table} t WHERE tenant_id = $1::text::uuid) x
                """,
                str(tenant_id),
                str(of or tenant_id),
            )
