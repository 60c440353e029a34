"""What was there when artifact evals were called knowledge evals: runs, scopes and events have the new names, and there
is a way back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner

VERSION = 12
TENANT, AGENT, RUN, TYPE, RECORD = new_id(), new_id(), new_id(), new_id(), new_id()
SCOPES = ["*.team.read", "knowledge_evals.team.manage"]


@pytest_asyncio.fixture
async def superuser(empty_database_url: str, data_dir: Path) -> AsyncIterator[Any]:
    opened = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def before(empty_database_url: str, superuser: Any) -> AsyncIterator[Any]:
    """A run with a record that fails, a key that may start one, and an event of each kind."""
    opened = await connect(empty_database_url)
    await runner.up(opened, VERSION - 1)
    await superuser.execute("INSERT INTO tenants (id, slug, name) VALUES ($1, 'here', 'Here')", TENANT)
    await superuser.execute(
        "INSERT INTO entity_types (tenant_id, id, slug, name, json_schema, created_by_kind)"
        " VALUES ($1, $2, 'pf_idea', 'Idea', '{}', 'system')",
        TENANT, TYPE,
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO entities (tenant_id, id, type_id, title, content, created_by_kind)"
        " VALUES ($1, $2, $3, 'One', '{}', 'system')",
        TENANT, RECORD, TYPE,
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO knowledge_runs (tenant_id, id, suite, entity_type, rubric_version, total, summary, scored_to,"
        " job_id, created_by_kind) VALUES ($1, $2, 'pf_idea', 'pf_idea', '1', 1, '{}', $3, $3, 'system')",
        TENANT, RUN, new_id(),
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO knowledge_results (tenant_id, run_id, entity_id, urgency, scores, gaps)"
        " VALUES ($1, $2, $3, 0.5, '{}', '[]')",
        TENANT, RUN, RECORD,
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO knowledge_failures (tenant_id, run_id, entity_id, dimension, urgency)"
        " VALUES ($1, $2, $3, 'actionability', 0.5)",
        TENANT, RUN, RECORD,
    )  # fmt: skip
    await superuser.execute(
        "INSERT INTO agents (tenant_id, id, slug, name, created_by_kind) VALUES ($1, $2, 'a', 'Agent', 'system')",
        TENANT, AGENT,
    )  # fmt: skip
    await superuser.executemany(
        "INSERT INTO api_keys (tenant_id, id, name, prefix, role, scopes, agent_id, created_by_kind)"
        " VALUES ($1, $2, $3, 'gl_', 'admin', $4, $5, 'system')",
        [(TENANT, new_id(), "scoped", SCOPES, AGENT), (TENANT, new_id(), "free", None, AGENT)],
    )
    await superuser.executemany(
        "INSERT INTO events (tenant_id, id, name, topic, subject_id, actor_kind) VALUES ($1, $2, $3, $4, $5, 'system')",
        [
            (TENANT, new_id(), "knowledge_run.started", "knowledge_runs", str(RUN)),
            (TENANT, new_id(), "agent.changed", "agents", "a"),
        ],
    )
    yield opened
    opened.terminate()


async def names_of(superuser: Any, kind: str) -> set[str]:
    """Tables, indexes and constraints that have the word in their name."""
    rows = await superuser.fetch(
        """
        SELECT relname FROM pg_class WHERE relname LIKE $1 || '%' AND relnamespace = 'public'::regnamespace
        UNION SELECT conname FROM pg_constraint WHERE conname LIKE $1 || '%'
        """,
        kind,
    )
    return {row["relname"] for row in rows}


async def words(superuser: Any) -> tuple[Any, ...]:
    events = await superuser.fetch("SELECT name, topic FROM events ORDER BY name")
    scopes = await superuser.fetch("SELECT name, scopes FROM api_keys ORDER BY name")
    return [tuple(row) for row in events], [tuple(row) for row in scopes]


async def test_runs_scopes_and_events_have_the_new_names(before: Any, superuser: Any) -> None:
    old = await names_of(superuser, "knowledge_")
    await runner.up(before, VERSION)
    assert await names_of(superuser, "artifact_eval_") == {
        name.replace("knowledge_", "artifact_eval_") for name in old
    }
    assert await names_of(superuser, "knowledge_") == set()
    assert await superuser.fetchval("SELECT suite FROM artifact_eval_runs WHERE id = $1", RUN) == "pf_idea"
    assert await superuser.fetchval("SELECT run_id FROM artifact_eval_failures") == RUN
    assert await words(superuser) == (
        [("agent.changed", "agents"), ("artifact_eval_run.started", "artifact_eval_runs")],
        [("free", None), ("scoped", ["*.team.read", "artifact_evals.team.manage"])],
    )


async def test_there_is_a_way_back(before: Any, superuser: Any) -> None:
    names, wording = await names_of(superuser, "knowledge_"), await words(superuser)
    await runner.up(before, VERSION)
    await runner.down(before, VERSION - 1)
    assert await names_of(superuser, "knowledge_") == names
    assert await words(superuser) == wording
    bound = await superuser.fetch(
        "SELECT relname FROM pg_class WHERE relforcerowsecurity AND relname IN ('events', 'api_keys')"
    )
    assert len(bound) == 2
