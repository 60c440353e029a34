"""A worker that is killed while it scores records: another goes on from its last batch, and nothing is scored twice."""

import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from goldloop.artifact_evals import score_knowledge_artifact
from goldloop.artifact_evals.suites import pf_knowledge
from goldloop.artifact_runs import registry, service, store
from goldloop.artifact_runs.model import ArtifactEvalRun
from goldloop.entities.types import service as types
from goldloop.jobs import service as jobs
from goldloop.jobs.model import Job, JobStatus
from goldloop.kit.db import WORKER_ROLE, Actor, Database, open_database
from goldloop.kit.pagination import LAST_ID
from goldloop.migrations.files import PACKAGE
from tests.artifact_evals.folders import write_package
from tests.factories import make_workspace
from tests.servers import GOLDLOOP, Program, eventually, open_folder

RECORDS = 3 * service.BATCH + 7
WORKED = pf_knowledge.SUITE
GOOD = {**WORKED.fixtures[0].record["content"], "surface": "entity-list:pf_knowledge"}
BARE = {**GOOD, "sources": []}  # every fifth
SUITE = """
import os, time
import msgspec
from goldloop.artifact_evals.suites.pf_knowledge import SUITE as WORKED


def adapter(record):
    with open(os.environ["JUDGED"], "a") as log:
        log.write(f"{record['id']} {os.getpid()}\\n")
    time.sleep(0.005)
    return WORKED.adapter(record)


SUITE = msgspec.structs.replace(WORKED, name="acme", adapter=adapter)
"""


class Stage:
    """A database that outlives the workers on it, and what they judged."""

    def __init__(self, folder: Path, url: str, site: Path) -> None:
        self.folder, self.url, self.site = folder, url, site
        self.programs: list[Program] = []
        self.log = folder / "judged.txt"

    async def start_worker(self) -> Program:
        settings = {
            "GOLDLOOP_DATABASE_URL": self.url,
            "PYTHONPATH": os.pathsep.join([str(self.site), str(PACKAGE.parent)]),
            "JUDGED": str(self.log),
        }
        argv = [*GOLDLOOP, "worker", "--json", "--data-dir", str(self.folder / "data")]
        program = Program(argv, self.folder, settings)
        self.programs.append(program)
        await program.line()
        return program

    def judged(self) -> list[tuple[str, str]]:
        """Each record that was judged and the process that did, in their order."""
        if not self.log.exists():
            return []
        return [(line.split()[0], line.split()[1]) for line in self.log.read_text().splitlines()]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An installed package with a slow suite that notes what it judges, here as in the workers."""
    folder = write_package(tmp_path / "site", "acme_suites:SUITE", SUITE)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "acme_suites", raising=False)
    registry.installed.cache_clear()
    yield folder
    registry.installed.cache_clear()


@asynccontextmanager
async def staged(url: str, site: Path) -> AsyncIterator[tuple[Stage, Database, Actor]]:
    with open_folder() as folder:
        stage = Stage(folder, url, site)
        async with open_database(url, role=WORKER_ROLE, size=4) as db, make_workspace(db) as workspace:
            try:
                yield stage, db, workspace.system
            finally:
                for program in stage.programs:
                    program.close()


async def fill(db: Database, actor: Actor) -> None:
    kind = WORKED.entity_type
    assert kind is not None
    async with db.tx(actor) as tx:
        made = await types.create(tx, None, kind.slug, kind.name, kind.json_schema, {}, {})
        await tx.execute(
            """
            INSERT INTO entities (tenant_id, id, type_id, title, content, created_by_kind)
            SELECT $1, gen_random_uuid(), $2, 'Record ' || n, CASE n % 5 WHEN 0 THEN $4::jsonb ELSE $3::jsonb END, 'system'
            FROM generate_series(1, $5) AS n
            """,
            actor.tenant_id,
            made.id,
            GOOD,
            BARE,
            RECORDS,
        )


async def show(db: Database, actor: Actor, run: ArtifactEvalRun) -> ArtifactEvalRun:
    async with db.tx(actor) as tx:
        return await service.access(tx, run.id)


async def scored(db: Database, actor: Actor, run: ArtifactEvalRun) -> set[UUID]:
    async with db.tx(actor) as tx:
        found = await store.list_results(tx, run.id, None, None, (2.0, LAST_ID), RECORDS + 1)
    assert len({result.entity_id for result, _ in found}) == len(found)
    return {result.entity_id for result, _ in found}


def runs(pid: int) -> bool:
    """A process that has ended and that nobody has looked after yet does not run."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_run_whose_worker_is_killed_is_finished_by_another_from_the_last_batch(
    fresh_database_url: str, site: Path
) -> None:
    async with staged(fresh_database_url, site) as (stage, db, actor):
        await fill(db, actor)
        first = await stage.start_worker()
        async with db.tx(actor) as tx:
            run = await service.start(tx, "acme", None)

        async def amid() -> ArtifactEvalRun | None:
            """Past a batch, and within the next."""
            found = await show(db, actor, run)
            assert found.status.is_open, found
            within = len(stage.judged()) > found.done + 20
            return found if found.done >= service.BATCH and within else None

        await eventually(amid, 60, every=0.01)
        first.kill()
        halfway = await show(db, actor, run)
        kept = await scored(db, actor, run)
        assert service.BATCH <= halfway.done == len(kept) < RECORDS
        assert halfway.status == "running"

        async def nobody_judges() -> bool:
            return not any(runs(int(pid)) for _, pid in stage.judged())

        await eventually(nobody_judges, 20)
        before = stage.judged()
        await stage.start_worker()

        async def over() -> ArtifactEvalRun | None:
            found = await show(db, actor, run)
            return None if found.status.is_open else found

        done = await eventually(over, 90)
        assert (done.status, done.done, done.total) == ("done", RECORDS, RECORDS)
        assert (done.passed, done.started_at) == (RECORDS - RECORDS // 5, halfway.started_at)
        assert len(await scored(db, actor, run)) == RECORDS
        after = stage.judged()[len(before) :]
        assert {UUID(record) for record, _ in after}.isdisjoint(kept), "what was kept is not judged again"
        assert len(after) == RECORDS - len(kept)
        assert max(Counter(record for record, _ in before + after).values()) == 2, "the batch that was lost"

        sources = next(each for each in done.dimensions if each.dimension == "source_grounding")
        pure = score_knowledge_artifact(
            WORKED.adapter({**WORKED.fixtures[0].record, "content": BARE}), WORKED.rubric
        )
        assert pure.failed == ("source_grounding",)
        assert (sources.passed, sources.failed) == (done.passed, RECORDS // 5)

        async def ended() -> Job | None:
            """Its run is over a moment before."""
            async with db.tx(actor) as tx:
                listed = (await jobs.list_jobs(tx, None, None, 50)).data
            (found,) = [each for each in listed if each.name == service.JOB]
            return None if found.status is JobStatus.DOING else found

        job = await eventually(ended, 60)
        assert (job.status, job.attempts) == (JobStatus.SUCCEEDED, 2)
