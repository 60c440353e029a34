"""What was there before runs had a table of their own: they keep their state, those whose job is over end, default criteria
sets that nobody had read are queued to be made, and there is a way back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner

VERSION = 13
TENANT, TYPE, OTHER, PLACE = new_id(), new_id(), new_id(), new_id()
DONE, WAITING, CANCELLED, LOST = new_id(), new_id(), new_id(), new_id()
STATUS = {DONE: "done", WAITING: "queued", CANCELLED: "queued", LOST: "running"}
JOB_STATUS = {DONE: "succeeded", WAITING: "todo", CANCELLED: "cancelled", LOST: None}


@pytest_asyncio.fixture
async def superuser(empty_database_url: str, data_dir: Path) -> AsyncIterator[Any]:
    opened = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def before(empty_database_url: str, superuser: Any) -> AsyncIterator[Any]:
    """Runs in every state, each with its job; and two types, one of which has its default set."""
    opened = await connect(empty_database_url)
    await runner.up(opened, VERSION - 1)
    await superuser.execute("INSERT INTO tenants (id, slug, name) VALUES ($1, 'here', 'Here')", TENANT)
    await superuser.executemany(
        "INSERT INTO entity_types (tenant_id, id, slug, name, json_schema, created_by_kind)"
        " VALUES ($1, $2, $3, $3, '{}', 'system')",
        [(TENANT, TYPE, "kept"), (TENANT, OTHER, "bare")],
    )
    await superuser.execute(
        "INSERT INTO criteria_sets (tenant_id, id, slug, name, kind, dimensions, is_default, entity_type_version,"
        " created_by_kind) VALUES ($1, $2, 'default-kept', 'Kept fields', 'record', '[]', true, 1, 'system')",
        TENANT, new_id(),
    )  # fmt: skip
    for place, (run, status) in enumerate(STATUS.items()):
        job = new_id()
        await superuser.execute(
            "INSERT INTO artifact_eval_runs (tenant_id, id, suite, entity_type, rubric_version, status, total, done, passed,"
            " summary, scored_to, error, job_id, created_by_kind)"
            " VALUES ($1, $2, $3, 'kept', '1', $4, 5, 2, 1, '{}', $5, NULL, $6, 'system')",
            TENANT, run, f"suite {place}", status, PLACE, job,
        )  # fmt: skip
        if JOB_STATUS[run]:
            await superuser.execute("SET search_path = procrastinate, public")
            await superuser.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, args, status) VALUES"
                " ('default', 'artifact_evals.score', jsonb_build_object('id', $1::text, 'tenant_id', $2::text), 'todo')",
                str(job), str(TENANT),
            )  # fmt: skip
            await superuser.execute(
                "UPDATE procrastinate_jobs SET status = $2::procrastinate_job_status WHERE args ->> 'id' = $1",
                str(job), JOB_STATUS[run],
            )  # fmt: skip
            await superuser.execute("SET search_path = public")
    yield opened
    opened.terminate()


async def test_runs_keep_their_state_and_end_where_their_job_is_over(before: Any, superuser: Any) -> None:
    await runner.up(before, VERSION)
    rows = await superuser.fetch(
        """
        SELECT r.id, r.status, r.error_code, r.done, r.total, r.resume_point, r.subject, a.passed
        FROM runs r JOIN artifact_eval_runs a ON a.tenant_id = r.tenant_id AND a.id = r.id
        """
    )
    assert {row["id"]: (row["status"], row["error_code"]) for row in rows} == {
        DONE: ("done", None),
        WAITING: ("queued", None),
        CANCELLED: ("cancelled", None),
        LOST: ("failed", "job_ended"),
    }
    kept = {(row["done"], row["total"], row["resume_point"], row["passed"]) for row in rows}
    assert kept == {(2, 5, str(PLACE), 1)}
    assert {row["subject"] for row in rows} == {f"suite {place}" for place in range(4)}


async def test_a_default_set_that_is_missing_is_queued_to_be_made(before: Any, superuser: Any) -> None:
    await runner.up(before, VERSION)
    queued = await superuser.fetch(
        "SELECT args FROM procrastinate.procrastinate_jobs WHERE task_name = 'criteria.sync_default'"
    )
    assert [(row["args"]["tenant_id"], row["args"]["payload"]) for row in queued] == [
        (str(TENANT), {"slug": "bare"})
    ]


async def test_there_is_a_way_back(before: Any, superuser: Any) -> None:
    await runner.up(before, VERSION)
    await runner.down(before, VERSION - 1)
    rows = await superuser.fetch("SELECT id, suite, status, scored_to, done, passed FROM artifact_eval_runs")
    assert {row["id"]: row["status"] for row in rows} == {
        DONE: "done",
        WAITING: "queued",
        CANCELLED: "cancelled",
        LOST: "failed",
    }
    assert {(row["scored_to"], row["done"], row["passed"]) for row in rows} == {(PLACE, 2, 1)}
