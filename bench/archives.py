"""Exporting a workspace of a million rows, beside a bare `COPY TO` of the same rows, and the memory that it takes.

Both run in turns in a process of their own each time, so that the memory of one is not that of the other.
"""

import asyncio
import json
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from uuid import UUID

from bench.ground import Ground, Tenant
from goldloop.archives.export_service import write_archive
from goldloop.archives.packing import Packer
from goldloop.kit.blobs import BlobStore
from goldloop.kit.db import COPY_SECONDS, WORKER_ROLE, open_database
from goldloop.tenants.auth.actors import system_actor

ROWS = 1_000_000
FEW = ROWS // 10
TURNS = 3
BOUND = 0.5  # of the rate of COPY
MORE_MEMORY = 64  # megabytes that ten times the rows may take beside what few take
ARCHIVES = {
    "archive-export": f"A workspace of {ROWS:,} rows into an archive, beside COPY TO of the same rows"
}
HEAD = f"{'archive':<28}{'rows':>10}{'rows/s':>11}{'copy/s':>11}{'ratio':>8}{'MB':>8}{'copy MB':>9}"

_FILL = """
    INSERT INTO events (tenant_id, id, name, topic, subject_id, payload, actor_kind, actor_id)
    SELECT $1, gen_random_uuid(), 'response.submitted', 'entities', gen_random_uuid()::text,
           jsonb_build_object('entity_id', gen_random_uuid(), 'status', 'submitted', 'score', random(),
                              'note', repeat('some words of a "note" ', 4)),
           'user', gen_random_uuid()
    FROM generate_series(1, $2)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveRow:
    rows: int
    rate: float
    copy_rate: float
    memory: float
    copy_memory: float
    bound: float | None
    few_memory: float | None = None

    @property
    def ratio(self) -> float:
        return self.rate / self.copy_rate

    @property
    def held(self) -> bool:
        grown = self.few_memory is not None and self.memory > self.few_memory + MORE_MEMORY
        return not grown and (self.bound is None or self.ratio >= self.bound)

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {
            "ratio": self.ratio,
            "held": self.held,
        }


def line(row: ArchiveRow) -> str:
    mark = "" if row.held else "  below its bound"
    return (
        f"{'archive-export':<28}{row.rows:>10,}{row.rate:>11,.0f}{row.copy_rate:>11,.0f}{row.ratio:>8.2f}"
        f"{row.memory:>8.0f}{row.copy_memory:>9.0f}{mark}"
    )


async def measure_archives(ground: Ground) -> list[ArchiveRow]:
    found: list[ArchiveRow] = []
    for rows in (FEW, ROWS):
        tenant = await ground.make_tenant()
        await _fill(ground, tenant, rows)
        turns = [[await _turn(ground, tenant, way) for way in ("export", "copy")] for _ in range(TURNS)]
        found.append(
            ArchiveRow(
                rows=rows,
                rate=rows / median(export["seconds"] for export, _ in turns),
                copy_rate=rows / median(copy["seconds"] for _, copy in turns),
                memory=max(export["memory"] for export, _ in turns),
                copy_memory=max(copy["memory"] for _, copy in turns),
                bound=BOUND if rows == ROWS else None,
                few_memory=found[0].memory if found else None,
            )
        )
    return found


async def _fill(ground: Ground, tenant: Tenant, rows: int) -> None:
    async with ground.superuser() as connection:
        await connection.execute(_FILL, tenant.id, rows, timeout=600)
        await connection.execute("VACUUM ANALYZE events", timeout=600)


async def _turn(ground: Ground, tenant: Tenant, way: str) -> dict[str, float]:
    """In a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bench.archives",
        way,
        ground.url,
        str(tenant.id),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    found: dict[str, float] = json.loads(out)
    return found


async def _nobody_looks(done: int, total: int) -> None: ...


async def _run(way: str, url: str, tenant_id: UUID) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "file").open("wb") as file:

        async def put(content: bytes) -> None:
            file.write(content)

        actor = system_actor(tenant_id)
        async with open_database(url, role=WORKER_ROLE, size=2) as db:
            began = time.perf_counter()
            if way == "export":
                blobs = BlobStore(str(Path(folder) / "blobs"))
                await write_archive(db, actor, blobs, Packer(put), personal=True, advance=_nobody_looks)
            else:
                async with db.tx(actor) as tx:
                    query = f"SELECT * FROM events WHERE tenant_id = '{tenant_id}'"
                    await tx.connection.copy_from_query(query, output=put, timeout=COPY_SECONDS)
            seconds = time.perf_counter() - began
    return {"seconds": seconds, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_run(sys.argv[1], sys.argv[2], UUID(sys.argv[3])))))
