"""The job behind a run: whatever stops it, the next worker goes on, and no record is scored twice or left out."""

import asyncio
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

import pytest

from goldloop.artifact_evals import score_knowledge_artifact
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.rubric_from_loop import with_surface_probe
from goldloop.artifact_evals.surfaces import make_surface_probe
from goldloop.artifact_runs import judges, registry, service
from goldloop.artifact_runs.judges import Judges
from goldloop.artifact_runs.judging import RecordRow, Verdict
from goldloop.artifact_runs.model import ResultFilter
from goldloop.artifact_runs.store import list_results
from goldloop.artifact_runs.surfaces import resolvers
from goldloop.jobs.ending_service import job_ended
from goldloop.jobs.model import JobStatus
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.pagination import LAST_ID
from tests.artifact_evals.folders import write_package
from tests.artifact_runs.library import BAD, GOOD, SUITE, Library
from tests.records import ok

CRASHING = """
from dataclasses import replace
from goldloop.artifact_evals import Check, CheckResult, KnowledgeEvalSuite
from goldloop.artifact_evals.suites.pf_knowledge import SUITE as WORKED


def adapter(record):
    while record["title"].startswith("hang"):
        pass
    if record["title"].startswith("crash"):
        raise ValueError("half a character \\ud800 and \\x00")
    return WORKED.adapter(record)


def rude(artifact):
    return CheckResult(False, 1.0, "\\x00 \\ud800", ("\\x00",))


SUITE = KnowledgeEvalSuite(
    name="acme",
    title="Acme",
    adapter=adapter,
    rubric=replace(WORKED.rubric, actionability=Check(name="rude", run=rude)),
    fixtures=(),
    entity_type=WORKED.entity_type,
)
"""


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BATCH", 3)


async def one_batch(library: Library, run: Any) -> None:
    """What a worker does before it is killed: begin, and one batch; what it has read since is lost with it."""
    db, actor = library.desk.workspace.db, library.desk.workspace.system
    async with db.tx(actor) as tx:
        plan = await service.begin(tx, run_uuid(run))
        assert plan is not None
        verdicts = judged(plan, await service.next_records(tx, plan))
        after = await service.keep(tx, plan, verdicts, more=True)
        assert after is not None
        judged(after, await service.next_records(tx, after))


def judged(plan: service.Plan, rows: list[RecordRow]) -> list[Verdict]:
    process = Judges(plan.task)
    try:
        return process.judge(rows)
    finally:
        process.close()


def run_uuid(run: Any) -> UUID:
    return UUID(run["id"])


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("records", [0, 1, 3, 4, 6, 10])
async def test_batches_of_any_number_cover_every_record_once(library: Library, records: int) -> None:
    made = await library.add(*GOOD[:records])
    run = await library.score()
    assert (run["status"], run["done"], run["total"]) == ("done", records, records)
    assert {r["entity_id"] for r in await library.results(run)} == {record["id"] for record in made}


@pytest.mark.usefixtures("small_batches")
async def test_a_worker_that_dies_is_followed_by_one_that_goes_on_from_the_last_batch(
    library: Library,
) -> None:
    made = await library.add(*GOOD, *BAD.values())
    run = await library.start()
    await one_batch(library, run)
    halfway = await library.show(run)
    assert (halfway["status"], halfway["done"], halfway["finished_at"]) == ("running", 3, None)
    assert len(await library.results(run)) == 3
    started = halfway["started_at"]
    await library.work(run)
    done = await library.show(run)
    assert (done["status"], done["done"], done["started_at"]) == ("done", len(made), started)
    assert sorted(r["entity_id"] for r in await library.results(run)) == sorted(r["id"] for r in made)
    whole = await library.score()
    assert (whole["passed"], whole["dimensions"]) == (done["passed"], done["dimensions"])
    assert await library.results(whole) == await library.results(run)


@pytest.mark.usefixtures("small_batches")
async def test_two_workers_on_one_run_do_not_score_anything_twice(library: Library) -> None:
    made = await library.add(*GOOD)
    run = await library.start()
    await asyncio.gather(*(library.work(run) for _ in range(3)))
    done = await library.show(run)
    assert (done["status"], done["done"], done["passed"]) == ("done", len(made), len(made))
    assert len(await library.desk.events("artifact_eval_run.done")) == 1


@pytest.mark.usefixtures("small_batches")
async def test_a_run_that_is_cancelled_in_the_middle_keeps_what_it_has_and_stops(library: Library) -> None:
    await library.add(*GOOD)
    run = await library.start()
    await one_batch(library, run)
    ok(await library.desk.admin.post(f"/api/artifact-evals/runs/{run['id']}/cancel"))
    await library.work(run)
    shown = await library.show(run)
    assert (shown["status"], shown["done"], shown["total"]) == ("cancelled", 3, len(GOOD))
    assert len(await library.results(run)) == 3


@pytest.mark.usefixtures("small_batches")
async def test_records_that_come_and_go_meanwhile_are_counted_as_they_are_found(library: Library) -> None:
    made = await library.add(*GOOD[:5])
    run = await library.start()
    db, actor = library.desk.workspace.db, library.desk.workspace.system
    async with db.tx(actor) as tx:
        plan = await service.begin(tx, run_uuid(run))
        assert plan is not None
        rows = await service.next_records(tx, plan)
    ok(await library.desk.reviewer.delete(f"/api/entities/{made[0]['id']}"))
    made += await library.add(*GOOD[5:8])
    async with db.tx(actor) as tx:
        await service.keep(tx, plan, judged(plan, rows), more=True)
    await library.work(run)
    done = await library.show(run)
    assert (done["status"], done["done"], done["total"]) == ("done", 7, 7)
    assert {r["entity_id"] for r in await library.results(run)} == {record["id"] for record in made[1:]}


async def test_results_are_those_of_the_pure_function(library: Library) -> None:
    records = [*GOOD, *BAD.values()]
    made = dict(zip((r["id"] for r in await library.add(*records)), records, strict=True))
    run = await library.score()
    known = {"view": frozenset({"product-knowledge"}), "entity-list": frozenset({"pf_knowledge"})}
    rubric = with_surface_probe(SUITE.rubric, make_surface_probe(resolvers(known)))
    found = await library.results(run)
    assert len(found) == len(records)
    for result in found:
        record = {
            **made[result["entity_id"]],
            "id": result["entity_id"],
            "tenant": library.desk.workspace.slug,
        }
        pure = score_knowledge_artifact(SUITE.adapter(record), rubric)
        assert (result["passed"], result["overall"]) == (pure.passed, pure.overall)
        assert result["scores"] == {each.dimension.value: each.score for each in pure.dimensions}
        assert [(g["dimension"], g["reason"], g["importance"]) for g in result["gaps"]] == [
            (gap.dimension.value, gap.reason, gap.importance) for gap in pure.gaps
        ]


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An installed package whose suite misbehaves."""
    monkeypatch.syspath_prepend(write_package(tmp_path / "site", "acme_suites:SUITE", CRASHING))
    monkeypatch.delitem(__import__("sys").modules, "acme_suites", raising=False)
    registry.installed.cache_clear()
    yield
    registry.installed.cache_clear()


@pytest.mark.usefixtures("acme")
async def test_a_suite_of_a_package_that_crashes_on_a_record_fails_that_record_and_no_other(
    library: Library,
) -> None:
    (fine,) = await library.add(GOOD[0])
    (crash,) = await library.add({**GOOD[1], "title": "crash here"})
    run = await library.score("acme")
    assert (run["status"], run["done"], run["passed"]) == ("done", 2, 0)
    first, second = await library.results(run, result="failed")
    assert (first["entity_id"], first["overall"], first["scores"]) == (crash["id"], None, {})
    (gap,) = first["gaps"]
    assert (gap["dimension"], gap["check"], gap["importance"]) == (None, "adapter", 1.0)
    assert gap["reason"].startswith("the adapter crashed: ValueError")
    assert second["entity_id"] == fine["id"], "a failure with a full score is a failure all the same"
    assert second["gaps"][0]["importance"] == 0
    judged = {each["dimension"]: each["passed"] + each["failed"] for each in run["dimensions"]}
    assert set(judged.values()) == {1}


@pytest.mark.usefixtures("acme")
async def test_a_record_on_which_a_suite_hangs_fails_and_the_others_are_scored(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "RECORD_SECONDS", 0.5)
    (hung,) = await library.add({**GOOD[0], "title": "hang here"})
    await library.add(*GOOD[1:3])
    run = await library.score("acme")
    assert (run["status"], run["done"], run["error"]) == ("done", 3, None)
    first = (await library.results(run, result="failed"))[0]
    assert (first["entity_id"], first["scores"]) == (hung["id"], {})
    assert first["gaps"][0]["reason"] == "the suite gave no answer within 0.5 s"


@pytest.mark.usefixtures("acme")
async def test_a_suite_that_hangs_on_record_after_record_fails_the_run_with_what_was_scored(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "RECORD_SECONDS", 0.2)
    await library.add(GOOD[0], *({**GOOD[1], "title": f"hang {number}"} for number in range(5)))
    run = await library.score("acme")
    assert (run["status"], run["total"]) == ("failed", 6)
    assert run["error"].startswith("The suite acme was given up after 3 records, the last of them “hang ")
    assert run["error"].endswith("the suite gave no answer within 0.2 s")
    assert 3 <= run["done"] <= 4
    assert len(await library.results(run)) == run["done"]
    assert (await library.start("acme"))["status"] == "queued", "another can start"


@pytest.mark.usefixtures("acme")
async def test_a_run_of_slow_records_says_how_far_it_is_before_a_batch_is_full(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "SLICE_SECONDS", 0.0)
    await library.add(*GOOD[:4])
    run = await library.start("acme")
    seen: list[int] = []
    keep = service.keep

    async def watched(tx: Tx, *args: Any, **more: Any) -> Any:
        kept = await keep(tx, *args, **more)
        seen.append((await service.access(tx, run_uuid(run))).done)
        return kept

    monkeypatch.setattr(service, "keep", watched)
    await library.work(run)
    assert seen == [1, 2, 3, 4, 4]  # the last look finds no more records
    assert (await library.show(run))["status"] == "done"


async def test_a_suite_or_type_that_is_gone_fails_the_run_with_a_reason(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await library.start()
    monkeypatch.setattr(registry, "find_suite", lambda name: None)
    await library.work(run)
    shown = await library.show(run)
    assert (shown["status"], shown["error"]) == (
        "failed",
        "The suite pf_knowledge is not installed where the worker runs",
    )
    monkeypatch.undo()
    run = await library.start()
    ok(await library.desk.admin.delete("/api/entity-types/pf_knowledge"))
    await library.work(run)
    assert (await library.show(run))["error"] == "The entity type pf_knowledge is gone"


async def test_a_run_whose_job_was_given_up_has_failed_and_another_can_start(library: Library) -> None:
    run = await library.start()
    (found,) = await library.sql("SELECT job_id FROM runs WHERE id = $1", run_uuid(run))
    async with library.desk.workspace.db.tx(library.desk.workspace.system) as tx:
        await emit(tx, job_ended(found["job_id"], service.JOB, JobStatus.FAILED))
    shown = await library.show(run)
    assert (shown["status"], shown["error"]) == (
        "failed",
        "The run was given up: its job ended before it did",
    )
    assert [event["subject_id"] for event in await library.desk.events("artifact_eval_run.failed")] == [
        run["id"]
    ]
    assert (await library.score())["status"] == "done"


async def test_a_run_ends_with_its_job_when_that_is_cancelled_among_the_jobs(library: Library) -> None:
    run = await library.start()
    listed = ok(await library.desk.admin.get("/api/jobs"))["data"]
    (job,) = [job for job in listed if job["name"] == service.JOB]
    ok(await library.desk.admin.post(f"/api/jobs/{job['id']}/cancel"))
    assert (await library.suite())["newest_run"]["status"] == "cancelled"
    assert (await library.score())["id"] != run["id"]


async def test_results_of_the_newest_runs_alone_are_kept(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "KEPT_RUNS", 2)
    monkeypatch.setattr(service, "DROP_BATCH", 2)
    await library.add(*GOOD[:5])
    runs = [await library.score() for _ in range(4)]
    kept = [(await library.show(run))["results_kept"] for run in runs]
    assert kept == [False, False, True, True]
    assert [len(await library.results(run)) for run in runs] == [0, 0, 5, 5]
    assert [(await library.show(run))["passed"] for run in runs] == [5, 5, 5, 5], "what it came to stays"


class Explaining(Tx):
    """Answers a query with nothing, and keeps its plan."""

    plans: ClassVar[list[str]] = []

    async def fetch(self, sql: str, *args: Any) -> Any:
        self.plans.append("\n".join(row[0] for row in await super().fetch(f"EXPLAIN {sql}", *args)))
        return []


async def test_lists_of_results_are_ranges_of_an_index(library: Library) -> None:
    (record,) = await library.add(BAD[KnowledgeDimension.ACTIONABILITY])
    run = await library.score()
    await library.sql(
        """
        INSERT INTO entities (tenant_id, id, type_id, title, created_by_kind)
        SELECT e.tenant_id, gen_random_uuid(), e.type_id, e.title, 'system'
        FROM entities e, generate_series(1, 3000) WHERE e.id = $1
        """,
        UUID(record["id"]),
    )
    await library.sql(
        """
        INSERT INTO artifact_eval_results (tenant_id, run_id, entity_id, urgency, scores, gaps)
        SELECT r.tenant_id, r.run_id, e.id, random(), r.scores, r.gaps
        FROM artifact_eval_results r, entities e WHERE e.id <> r.entity_id
        """
    )
    await library.sql(
        """
        INSERT INTO artifact_eval_failures (tenant_id, run_id, entity_id, dimension, urgency)
        SELECT r.tenant_id, r.run_id, r.entity_id, f.dimension, r.urgency
        FROM artifact_eval_failures f, artifact_eval_results r WHERE r.entity_id <> f.entity_id
        """
    )
    async with library.desk.workspace.db.tx(library.desk.workspace.system) as tx:
        looking = Explaining(connection=tx.connection, actor=tx.actor)
        for wanted in (None, *ResultFilter):
            await list_results(looking, run_uuid(run), wanted, None, (0.2, LAST_ID), 10)
        failed = KnowledgeDimension.ACTIONABILITY
        await list_results(looking, run_uuid(run), None, failed, (0.2, LAST_ID), 10)
    assert len(Explaining.plans) == 4
    for plan in Explaining.plans:
        assert "Seq Scan" not in plan, plan
        assert "artifact_eval_results_urgent" in plan or "artifact_eval_failures_urgent" in plan, plan
