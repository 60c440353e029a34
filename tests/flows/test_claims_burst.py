"""A burst of promotions on few claims: every aggregate right in the end, counted seldom and never twice at once."""

import asyncio
import dataclasses
import itertools
import random
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any
from uuid import UUID

import pytest

from goldloop.criteria import service as criteria
from goldloop.criteria.model import CriteriaSetDefinition, Dimension, DimensionType, Kind
from goldloop.entities.records import service as records
from goldloop.entities.relations import service as relations
from goldloop.entities.types import service as types
from goldloop.kit.db import WORKER_ROLE, Actor, Database, connect, open_database
from goldloop.kit.embedded_postgres import HolderKind, embedded_postgres
from goldloop.kit.queue import MARKS, set_marks
from goldloop.migrations import runner
from goldloop.promotion import service as promotion
from goldloop.responses import service as responses
from tests.claims.evidence import CLAIM, SOURCE, SUPPORTS
from tests.factories import make_workspace
from tests.loops import any_number, some
from tests.servers import Program, eventually, open_folder

CLAIMS = 20
SOURCES = 100
PROMOTIONS = 1000
WORKERS = 4
AT_ONCE = 8


@dataclass
class Burst:
    """Who supports what, and what was said in the end."""

    actor: Actor
    claims: list[UUID]
    supports: dict[UUID, list[UUID]]
    proposed: list[tuple[UUID, UUID]] = field(default_factory=list)  # source, response
    newest: dict[UUID, float] = field(default_factory=dict)

    def expected(self, claim: UUID) -> tuple[int, float]:
        sources = [source for source, claims in self.supports.items() if claim in claims]
        return len(sources), fmean(self.newest[source] for source in sources)


@dataclass
class Workers:
    folder: Path
    url: str
    slow: float
    programs: list[Program] = field(default_factory=list)
    killed: dict[int, int] = field(default_factory=dict)
    cut_short: int = 0  # counts that were under way when their worker was killed
    at_work: set[str] = field(default_factory=set)

    @property
    def log(self) -> Path:
        return self.folder / "counted.txt"

    async def start(self) -> None:
        script = str(Path(__file__).with_name("counting_worker.py"))
        program = Program(
            [sys.executable, script, str(self.log)],
            self.folder,
            {"GOLDLOOP_DATABASE_URL": self.url, "COUNTING_SECONDS": str(self.slow)},
        )
        self.programs.append(program)
        await program.line()

    def counting(self) -> list[Program]:
        self.counts()
        return [each for each in self.programs if str(each.process.pid) in self.at_work]

    def kill_one(self, among: list[Program] | None = None) -> None:
        program = random.choice(among or self.programs)
        self.programs.remove(program)
        self.killed[program.process.pid] = (
            time.monotonic_ns()
        )  # another may go on before we are told that it is dead
        program.kill()
        program.close()

    def counts(self) -> list[tuple[str, int, int]]:
        """Claim, begin and end of every time that one was counted; a killed worker's ended when it was killed."""
        found, begun = [], {}
        for line in self.log.read_text().splitlines():
            what, claim, pid, at = line.split()
            if what == "begin":
                begun[claim, pid] = int(at)
            else:
                found.append((claim, begun.pop((claim, pid)), int(at)))
        self.at_work = {pid for _, pid in begun if int(pid) not in self.killed}
        ended = [(claim, begin, self.killed.get(int(pid))) for (claim, pid), begin in begun.items()]
        cut_short = [(claim, begin, end) for claim, begin, end in ended if end is not None]
        self.cut_short = len(cut_short)
        return found + cut_short


@asynccontextmanager
async def stage(slow: float) -> AsyncIterator[tuple[Database, Workers]]:
    with open_folder() as folder:
        async with embedded_postgres(folder / "data", HolderKind.COMMAND) as postgres:
            connection = await connect(postgres.url)
            await runner.up(connection)
            await connection.close()
            workers = Workers(folder, postgres.url, slow)
            try:
                await asyncio.gather(*(workers.start() for _ in range(WORKERS)))
                async with open_database(postgres.url, role=WORKER_ROLE, size=AT_ONCE) as db:
                    yield db, workers
            finally:
                for program in workers.programs:
                    program.close()


async def prepare(db: Database, actor: Actor, rng: random.Random, promotions: int = PROMOTIONS) -> Burst:
    async with db.tx(actor) as tx:
        await types.create(tx, None, "claim", "Claim", CLAIM, {}, {})
        await types.create(tx, None, "source-item", "Source", SOURCE, SUPPORTS, {})
        dimensions = [
            Dimension(key=key, label=key, type=DimensionType.RATING, scale=(0, 10), weight=1)
            for key in ("rigor", "relevance")
        ]
        definition = CriteriaSetDefinition(
            slug="evidence-quality", name="Quality", kind=Kind.ASSESSMENT, dimensions=dimensions
        )
        await criteria.create(tx, None, definition)
        claims = [(await records.create(tx, None, "claim", "Claim", {}, {})).id for _ in range(CLAIMS)]
        supports: dict[UUID, list[UUID]] = {}
        for place in range(SOURCES):
            source = await records.create(tx, None, "source-item", "Source", {}, {})
            supports[source.id] = [claims[place % CLAIMS], claims[rng.randrange(CLAIMS)]]
            for claim in set(supports[source.id]):
                await relations.connect(tx, source.id, None, "supports", claim)
        burst = Burst(actor, claims, supports)
        for place in range(promotions):
            source_id = list(supports)[place % SOURCES]
            values = {"rigor": rng.randint(0, 10), "relevance": rng.randint(0, 10)}
            new = responses.NewResponse(
                entity_id=source_id, values=values, criteria_set_slug="evidence-quality"
            )
            made = await responses.submit(tx, new)
            assert made is not None
            burst.proposed.append((source_id, made.id))
            burst.newest[source_id] = fmean(values.values())
    rng.shuffle(burst.proposed)
    return burst


async def kill_while_counting(workers: Workers) -> bool:
    if among := workers.counting():
        workers.kill_one(among)
    workers.counts()
    return workers.cut_short > 0 or len(workers.programs) == 1


async def promote_all(db: Database, burst: Burst) -> None:
    waiting = list(burst.proposed)

    async def work() -> None:
        while waiting:
            source, response = waiting.pop()
            async with db.tx(burst.actor) as tx:
                await promotion.promote(tx, source, response, ["rigor", "relevance"], None)

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def settled(db: Database, actor: Actor) -> bool:
    async with db.tx(actor) as tx:
        return not await tx.fetchval("SELECT count(*) FROM marks WHERE kind = 'claims.aggregate'")


async def check(db: Database, burst: Burst, workers: Workers, begun_before: int, most: float) -> None:
    async with db.tx(burst.actor) as tx:
        for claim in some(burst.claims):
            content: dict[str, Any] = (await records.access(tx, claim)).content
            found = content["source_count"], content["source_quality_avg"]
            assert found == pytest.approx(burst.expected(claim))
    counts = workers.counts()
    assert len(counts) - begun_before <= most
    by_claim = defaultdict(list)
    for name, begin, end in counts:
        by_claim[name].append((begin, end))
    for name, spans in some(by_claim.items()):
        spans.sort()
        for (_, ended), (began, _) in any_number(itertools.pairwise(spans)):
            assert ended <= began, f"{name} was counted twice at once"


@pytest.mark.parametrize("killed", [False, True], ids=["undisturbed", "workers killed at random"])
async def test_a_burst_of_promotions_ends_with_every_claim_right_and_few_counts(killed: bool) -> None:
    rng = random.Random(20)
    async with stage(0.2) as (db, workers), make_workspace(db) as workspace:
        burst = await prepare(db, workspace.system, rng)
        await eventually(lambda: settled(db, burst.actor), 60)
        before = len(workers.counts())

        async def disturb() -> None:
            while True:
                await asyncio.sleep(rng.uniform(0.2, 1))
                workers.kill_one(workers.counting())
                await workers.start()

        disturbing = asyncio.create_task(disturb()) if killed else None
        await promote_all(db, burst)
        if disturbing:
            await asyncio.sleep(3)  # while they count as well
            disturbing.cancel()
            await asyncio.gather(disturbing, return_exceptions=True)
            if not workers.cut_short:  # they were too fast to be caught
                async with db.tx(burst.actor) as tx:
                    await set_marks(tx, "claims.aggregate", [str(claim) for claim in burst.claims])
                await eventually(lambda: kill_while_counting(workers), 60, every=0.02)
                await workers.start()
            workers.counts()
            assert workers.cut_short, "nobody was killed while counting"
        await eventually(lambda: settled(db, burst.actor), 60)
        await check(db, burst, workers, before, most=PROMOTIONS / 10)


async def test_a_claim_that_is_marked_again_while_it_is_counted_is_not_counted_twice_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Marks that wait for nothing, and counts that take long: workers would meet at every claim."""
    hasty = dataclasses.replace(MARKS["claims.aggregate"], delay=timedelta(0))
    monkeypatch.setitem(MARKS, "claims.aggregate", hasty)
    async with stage(0.2) as (db, workers), make_workspace(db) as workspace:
        burst = await prepare(db, workspace.system, random.Random(21), promotions=300)
        await eventually(lambda: settled(db, burst.actor), 60)
        before = len(workers.counts())
        await promote_all(db, burst)
        await eventually(lambda: settled(db, burst.actor), 120)
        assert len(workers.counts()) - before > CLAIMS
        await check(db, burst, workers, before, most=inf)
