"""Ten thousand workspaces of very different size on one installation: whether a shard, the queue or a workspace starves.

Marks are left as a skewed load leaves them and taken by the product's own runner, each workspace in its turn: counted is how
many were taken before each workspace was served for the first time. Where workspaces lie on shards is asked of PostgreSQL's
own hash, which Citus divides into equal parts. Requests are let in by the product's own quota of connections. What is counted
are turns and shares, which a busy machine does not change.
"""

import asyncio
import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from bench.ground import Ground
from bench.workloads.filling import numbered_id_sql
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.connection_quota import ConnectionQuota, quota_for
from goldloop.kit.db import Tx
from goldloop.kit.queue import MARKS, mark

TENANTS = 10_000
LARGEST = 3_000  # marks of the largest; the one of rank n has a part of them by n ** STEEP, and at least one
STEEP = 1.1
SHARDS = 32
POOL = 16
KIND = "bench.turn"
MANY_WORKSPACES = {
    "many-workspaces": f"{TENANTS:,} workspaces with a skewed load: shares of shards, and turns until each is served"
}
HEAD = f"{'many workspaces':<58}{'figure':>14}{'bound':>10}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesRow:
    name: str
    figure: float
    bound: float | None = None  # at most

    @property
    def held(self) -> bool:
        return self.bound is None or self.figure <= self.bound

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def line(row: SharesRow) -> str:
    bound = "" if row.bound is None else f"{row.bound:,.2f}"
    return f"{row.name:<58}{row.figure:>14,.2f}{bound:>10}"


def loads() -> list[int]:
    """Of each workspace, by rank."""
    return [max(1, round(LARGEST / rank**STEEP)) for rank in range(1, TENANTS + 1)]


async def measure_many_workspaces(ground: Ground) -> list[SharesRow]:
    return [*await _shards(ground), *await _turns(ground), *await _connections()]


async def _shards(ground: Ground) -> list[SharesRow]:
    """Of workspaces, and of their load: a workspace is on one shard, so none can be smaller than its largest workspace."""
    async with ground.superuser() as connection:
        rows = await connection.fetch(
            f"""
            SELECT ((uuid_hash({numbered_id_sql("n")})::bigint + 2147483648) * {SHARDS} / 4294967296)::int AS shard
            FROM generate_series(1, {TENANTS}) n
            """
        )
    places = [row["shard"] for row in rows]
    load = loads()
    of_shard: Counter[int] = Counter()
    for shard, each in zip(places, load, strict=True):
        of_shard[shard] += each
    fair = sum(load) / SHARDS
    beside = max(of_shard.values()) - max(load)
    return [
        SharesRow(name="shards without a workspace", figure=SHARDS - len(of_shard), bound=0),
        SharesRow(
            name="workspaces on the fullest shard, to the mean",
            figure=max(Counter(places).values()) * SHARDS / TENANTS,
            bound=1.3,
        ),
        SharesRow(name="load of the largest workspace, to that of a mean shard", figure=max(load) / fair),
        SharesRow(
            name="what stands beside it on the busiest shard, to the mean", figure=beside / fair, bound=1.5
        ),
    ]


async def _turns(ground: Ground) -> list[SharesRow]:
    taken: list[UUID] = []

    @mark(KIND, cap=1, in_process=1, durable=False)
    async def note(tx: Tx, key: str) -> None:
        taken.append(tx.actor.tenant_id)

    try:
        await _leave_marks(ground)
        runner = MarkRunner(ground.db, outside=None)  # type: ignore[arg-type]  # nothing outside is asked
        began = time.process_time()
        await runner.drain(MARKS[KIND])
        seconds = time.process_time() - began
    finally:
        del MARKS[KIND]
    served: dict[UUID, int] = {}
    for place, tenant in enumerate(taken):
        served.setdefault(tenant, place)
    return [
        SharesRow(name="marks left, each taken once", figure=len(taken), bound=sum(loads())),
        SharesRow(name="workspaces not served", figure=TENANTS - len(served), bound=0),
        SharesRow(
            name="marks taken before the last workspace was served",
            figure=max(served.values()),
            bound=TENANTS,
        ),
        SharesRow(name="microseconds of the worker for a mark", figure=seconds / len(taken) * 1e6),
    ]


async def _leave_marks(ground: Ground) -> None:
    async with ground.superuser() as connection:
        await connection.execute(
            f"""
            INSERT INTO tenants (id, slug, name)
            SELECT {numbered_id_sql("n")}, 'many-' || n, 'Many' FROM generate_series(1, {TENANTS}) n
            """
        )
        await connection.execute(
            f"""
            INSERT INTO marks (tenant_id, id, kind, key, due_at)
            SELECT {numbered_id_sql("w.n")}, gen_random_uuid(), '{KIND}', w.n || '-' || k, now() - interval '1 second'
            FROM unnest($1::int[]) WITH ORDINALITY w (load, n), generate_series(1, w.load) k
            """,
            loads(),
        )


async def _connections() -> list[SharesRow]:
    """The largest workspace asks with as much as it has, the others once each: how many turns they wait for a connection."""
    quota = ConnectionQuota(quota_for(POOL))
    greedy, turn = UUID(int=1), 0
    waits: list[int] = []

    async def ask(tenant: UUID) -> None:
        nonlocal turn
        asked = turn
        if not quota.try_acquire(tenant):
            await quota.wait(tenant, 3600)
        if tenant != greedy:
            waits.append(turn - asked)
        turn += 1
        await asyncio.sleep(0)
        quota.release(tenant)

    async with asyncio.TaskGroup() as group:
        for _ in range(LARGEST):
            group.create_task(ask(greedy))
        for rank in range(2, TENANTS + 1):
            group.create_task(ask(UUID(int=rank)))
    return [
        SharesRow(
            name="connections that one workspace leaves to the others, of 16",
            figure=POOL - quota.most,
        ),
        SharesRow(
            name="turns that others waited behind it for their connection", figure=max(waits), bound=POOL
        ),
    ]
