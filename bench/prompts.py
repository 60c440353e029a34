"""Loading the block that prompts carry, beside a bare read of as many rows by the index: from the head of its scope, chosen and
printed without one, and rebuilt with all that is written then.

All of them run in turns on one connection, so that what others do to the machine happens to each of them.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.ground import Ground
from bench.workloads.filling import numbered_id
from bench.workloads.knowledge import BARE, ROWS, fill
from goldloop.kit.db import APP_ROLE, Actor, Database, Tx, open_database
from goldloop.knowledge.model import NOWHERE
from goldloop.knowledge.printing import manifest_of
from goldloop.knowledge.prompts import service, store
from goldloop.knowledge.selection import PER_TYPE, Scope, describe, select
from goldloop.tenants.auth.actors import system_actor

SCOPE = Scope(numbered_id(7))  # an agent with rows of its own
TURNS = 40  # of one round, whose medians are compared
FEW = ROWS // 10
PROMPTS = {
    "prompt-load": f"The block of a scope among {ROWS:,} rows, beside a bare read of 40 of them by the index",
}
HEAD = f"{'prompt':<28}{'rows':>10}{'p50 ms':>9}{'bare ms':>9}{'ratio':>8}{'range':>14}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRow:
    name: str
    rows: int
    p50: float
    bare: float
    ratio: float
    ratio_low: float
    ratio_high: float
    bound: float | None

    @property
    def held(self) -> bool:
        return self.bound is None or self.ratio <= self.bound

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"held": self.held}


async def _bare(tx: Tx) -> None:
    rows = await tx.fetch(BARE, tx.actor.tenant_id, NOWHERE, NOWHERE)
    assert len(rows) == 5 * PER_TYPE


async def _head(tx: Tx) -> None:
    assert await store.find_head(tx, SCOPE) is not None


async def _chosen(tx: Tx) -> None:
    selection = select(await store.list_candidates(tx, SCOPE, PER_TYPE))
    assert describe(selection)
    assert manifest_of([candidate.row for candidate in selection.included]).body


async def _rebuilt(tx: Tx) -> None:
    await service.rebuild(tx, SCOPE)


WAYS: list[tuple[str, Callable[[Tx], Awaitable[None]], float | None]] = [
    ("from its head", _head, 1.0),
    ("chosen and printed", _chosen, 2.0),
    ("rebuilt and kept", _rebuilt, None),
]


async def measure_prompts(ground: Ground, seconds: int) -> list[PromptRow]:
    found = []
    for rows in (FEW, ROWS):
        tenant = await ground.make_tenant()
        await fill(ground, tenant, rows)
        async with open_database(ground.url, role=APP_ROLE, size=1) as db:
            rounds = await _rounds(db, system_actor(tenant.id), seconds)
        found += [
            _row(name, rows, rounds, place, bound if rows == ROWS else None)
            for place, (name, _, bound) in enumerate(WAYS, 1)
        ]
    return found


async def _rounds(db: Database, actor: Actor, seconds: int) -> list[list[float]]:
    """Of each round the medians, the bare read's first. Every one is in a transaction of its own, whose beginning and end are
    not measured."""
    ways = [_bare, *(run for _, run, _ in WAYS)]
    async with db.tx(actor) as tx:
        await service.rebuild(tx, SCOPE)
    rounds: list[list[float]] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or not rounds:
        took: list[list[float]] = [[] for _ in ways]
        for _ in range(TURNS):
            for place, run in enumerate(ways):
                async with db.tx(actor) as tx:
                    began = time.perf_counter()
                    await run(tx)
                    took[place].append(time.perf_counter() - began)
        rounds.append([median(each) for each in took])
    return rounds


def _row(name: str, rows: int, rounds: list[list[float]], place: int, bound: float | None) -> PromptRow:
    ratios = sorted(each[place] / each[0] for each in rounds)
    return PromptRow(
        name=name,
        rows=rows,
        p50=1000 * median(each[place] for each in rounds),
        bare=1000 * median(each[0] for each in rounds),
        ratio=median(ratios),
        ratio_low=ratios[0],
        ratio_high=ratios[-1],
        bound=bound,
    )


def line(row: PromptRow) -> str:
    verdict = "" if row.bound is None else f"  at most {row.bound:g}: {'held' if row.held else 'NOT held'}"
    spread = f"{row.ratio_low:.2f}–{row.ratio_high:.2f}"
    return (
        f"{row.name:<28}{row.rows:>10,}{row.p50:>9.2f}{row.bare:>9.2f}{row.ratio:>8.2f}{spread:>14}{verdict}"
    )
