"""SQL of archives. The only writer of `archives`."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.archives.model import Archive, ArchiveDuringErasure, Manifest, contents_of
from goldloop.jobs.model import Run
from goldloop.jobs.run_store import COLUMNS
from goldloop.jobs.run_store import from_row as run_from_row
from goldloop.kit.db import Tx

KIND = "archive"
_SELECT = f"""
    SELECT {COLUMNS}, a.attempt, a.size, a.manifest, a.expires_at
    FROM runs r JOIN archives a ON a.tenant_id = r.tenant_id AND a.id = r.id
    WHERE r.tenant_id = $1 AND a.tenant_id = $1 AND r.kind = '{KIND}' AND a.removed_at IS NULL
"""


class Stored(NamedTuple):
    """An archive with what only its worker and its readers need."""

    shown: Archive
    run: Run
    attempt: UUID | None


def from_row(row: Any) -> Stored:
    run = run_from_row(row)
    manifest = msgspec.convert(row["manifest"], Manifest) if row["manifest"] else None
    shown = Archive(
        id=run.id,
        status=run.status,
        done=run.done,
        total=run.total,
        size=row["size"],
        contents=contents_of(manifest) if manifest else None,
        error=run.error_message,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.ended_at,
        expires_at=row["expires_at"],
        created_by=run.created_by,
    )
    return Stored(shown, run, row["attempt"])


async def insert(tx: Tx, archive_id: UUID) -> None:
    await tx.execute("INSERT INTO archives (tenant_id, id) VALUES ($1, $2)", tx.actor.tenant_id, archive_id)


async def find(tx: Tx, archive_id: UUID) -> Stored | None:
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2", tx.actor.tenant_id, archive_id)
    return from_row(row) if row else None


async def lock(tx: Tx, archive_id: UUID) -> Stored | None:
    row = await tx.fetchrow(f"{_SELECT} AND r.id = $2 FOR NO KEY UPDATE OF r", tx.actor.tenant_id, archive_id)
    return from_row(row) if row else None


async def list_newest_first(tx: Tx, before: tuple[object, UUID], limit: int) -> list[Stored]:
    rows = await tx.fetch(
        f"{_SELECT} AND (r.created_at, r.id) < ($2, $3) ORDER BY r.created_at DESC, r.id DESC LIMIT $4",
        tx.actor.tenant_id,
        *before,
        limit,
    )
    return [from_row(row) for row in rows]


async def check_nothing_is_erased(tx: Tx) -> None:
    """What is being deleted is hidden, and what hangs on it goes row by row: an archive of that moment would keep what is
    to be gone, and could not be imported. What retention lets go is not hidden, and hangs together at any moment."""
    opened = await tx.fetchval(
        "SELECT e.id FROM erasures e WHERE e.tenant_id = $1 AND e.ended_at IS NULL AND e.kind <> 'retention' LIMIT 1",
        tx.actor.tenant_id,
    )
    if opened is not None:
        raise ArchiveDuringErasure(conflict={"erasure_id": str(opened)})


async def set_written(
    tx: Tx, archive_id: UUID, attempt: UUID, size: int, manifest: Manifest, expires_at: datetime
) -> None:
    await tx.execute(
        """
        UPDATE archives SET attempt = $3, size = $4, manifest = $5, expires_at = $6
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        archive_id,
        attempt,
        size,
        msgspec.to_builtins(manifest),
        expires_at,
    )


async def set_removed(tx: Tx, archive_id: UUID, at: datetime) -> None:
    await tx.execute(
        "UPDATE archives SET removed_at = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        archive_id,
        at,
    )
