"""A replay is seen in its own rows and nowhere else: whatever its agent does, everything that is not the replay's is, byte by byte,
what it was, and nobody but the agent's model is called."""

import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from goldloop.kit.db import Database, connect
from goldloop.kit.egress import Egress
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.outside import Outside
from goldloop.runtimes.language_models import LanguageModels
from goldloop.runtimes.model import MODELS
from tests.goldens.tried import EVALS, Tried
from tests.records import Desk, ok
from tests.runtimes.openai_server import Call, Messages, Step, speaking_like_openai
from tests.runtimes.scripted import configured

REPLAY = "(SELECT r.id FROM public.sessions r WHERE r.purpose = 'replay')"
# The rows that a replay may make, by their tables, and why. Of each other table every row is compared.
ITS_OWN = {
    "public.sessions": "t.purpose = 'replay'",  # it is a session
    "public.session_events": f"t.session_id IN {REPLAY}",  # what happened in it
    "public.session_words": f"t.session_id IN {REPLAY}",  # what it is found by
    "public.runs": f"t.id IN {REPLAY}",  # that a worker ran it
    "procrastinate.procrastinate_jobs": "t.task_name = 'sessions.run'",  # the job of that
    "procrastinate.procrastinate_events": """t.job_id IN (
        SELECT j.id FROM procrastinate.procrastinate_jobs j WHERE j.task_name = 'sessions.run')""",
    "public.eval_runs": "true",  # what the replays came to
    "public.eval_replays": "true",
    "public.marks": "t.attempts > 0",  # what another test left that fails, and is tried again while the replay's work is
    "public.run_usage": "true",  # what it cost, which a budget counts
    "public.events": f"""(t.topic = 'sessions' AND t.subject_id IN (SELECT id::text FROM {REPLAY} r))
        OR (t.topic = 'eval_runs' AND t.subject_id IN (SELECT e.id::text FROM public.eval_runs e))""",  # that all this happened
}
# What its run makes at the end of a replay that failed, and no replay of its own doing.
FAILED = "(SELECT f.id FROM public.feedback f WHERE f.source_key LIKE 'replay:%')"
OF_ITS_RUN = {
    "public.feedback": f"t.id IN {FAILED}",
    "public.feedback_words": f"t.feedback_id IN {FAILED}",
    "public.marks": f"{ITS_OWN['public.marks']} OR t.kind = 'feedback.place'",  # it is to be placed among others
    "public.events": f"{ITS_OWN['public.events']} OR (t.topic = 'feedback' AND t.subject_id IN (SELECT id::text FROM {FAILED} f))",
}

CONNECTED: list[Any] = []  # where this process has connected to


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        CONNECTED.append(arguments[1][:2])


sys.addaudithook(_note)


@pytest_asyncio.fixture
async def superuser(data_dir: Path, database_url: str) -> AsyncIterator[Any]:
    """Sees every table of the test's database."""
    connection = await connect(superuser_url(data_dir, urlsplit(database_url).path.lstrip("/")))
    yield connection
    await connection.close()


async def content(superuser: Any, apart: dict[str, str]) -> dict[str, str]:
    """A hash of each table that the catalogue names, without the rows that are set apart."""
    names = await superuser.fetch(
        """
        SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
        """
    )
    found = {name for (name,) in names}
    assert set(apart) <= found, "a table that is set apart is there"
    return {
        name: await superuser.fetchval(
            f"""
            SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), ''))
            FROM {name} t WHERE NOT ({apart.get(name, "false")})
            """
        )
        for name in sorted(found)
    }


class Clerk:
    """A model that reads and writes what its message names, and whatever else it is told to try."""

    def __init__(self) -> None:
        self.tries: list[Call] = []

    def says(self, messages: Messages, answered: int) -> Step:
        record = next(m["content"] for m in messages if m["role"] == "user").split()[-1]
        read = Call("getEntity", "r", {"entityId": record})
        write = Call("submitResponse", "w", {"entityId": record, "values": {"employees": 12}})
        steps: list[Step] = [[read], *([each] for each in self.tries), [write], "It has 12 employees."]
        return steps[min(answered, len(steps) - 1)]


@pytest.fixture
def clerk() -> Clerk:
    return Clerk()


@pytest.fixture
def model(clerk: Clerk) -> Iterator[Any]:
    with speaking_like_openai(clerk.says) as served:
        yield served


@pytest_asyncio.fixture
async def golden(
    desk: Desk, worker_db: Database, outside: Outside, model: Any
) -> AsyncIterator[tuple[Tried, Any, Any]]:
    """Of an agent on a model that is asked over the network, in a workspace that sends its evaluations somewhere."""
    admin = await desk.workspace.client()
    ok(await admin.put("/api/exports/otlp", json={"url": "https://93.184.215.14/v1/logs"}))
    groups = ["entities-read", "responses"]
    slug = await configured(desk.workspace, model="openai:scripted", base_url=model.url, tool_groups=groups)
    models = LanguageModels(None, Egress(["127.0.0.1"]))
    asking = replace(outside, ports={**outside.ports, MODELS: models})
    evals = Tried(desk, worker_db, asking, admin, slug)
    record = await desk.make_record({"name": "Acme"})
    session = await evals.run(None, f"Set the employees of {record['id']}", entity_id=record["id"])
    assert session["status"] == "completed", session["error"]
    promoted = await evals.promote(session, floor=False)
    await evals.go_on(None)  # what other workspaces have left is done before
    yield evals, promoted, record


@pytest.mark.parametrize("mode", ["frozen", "hybrid", "live"])
async def test_a_replay_changes_nothing_but_its_own_rows_and_calls_nobody_but_the_model(
    golden: tuple[Tried, Any, Any], superuser: Any, model: Any, database_url: str, mode: str
) -> None:
    evals, promoted, _ = golden
    before, asked = await content(superuser, ITS_OWN), len(model.asked)
    CONNECTED.clear()
    body = {"goldenSessionId": promoted["sessionId"], "mode": mode, "repeats": 2, "baseline": "none"}
    run = ok(await evals.admin.post(f"{EVALS}/runs", json=body))
    assert await evals.go_on(None) == 2
    ended = await evals.show(run)
    assert (ended["status"], ended["passed"]) == ("completed", 2)
    after = await content(superuser, ITS_OWN)
    assert {name for name in after if before[name] != after[name]} == set()
    address, database = urlsplit(model.url), urlsplit(database_url)
    assert set(CONNECTED) - {(database.hostname, database.port)} == {(address.hostname, address.port)}
    assert len(model.asked) == asked + 2 * 3


@pytest.mark.parametrize("mode", ["frozen", "hybrid", "live"])
async def test_a_replay_that_fails_leaves_feedback_of_its_run_and_nothing_else(
    golden: tuple[Tried, Any, Any], superuser: Any, clerk: Clerk, mode: str
) -> None:
    evals, promoted, record = golden
    own = {**ITS_OWN, **OF_ITS_RUN}
    before = await content(superuser, own)
    clerk.tries = [
        Call("listEntityTypes", "a", {}),
        Call("submitResponse", "b", {"entityId": record["id"], "values": {"employees": -5}}),
        Call("submitResponse", "c", {"entityId": record["id"], "values": {"employees": 77}}),
        Call("nothing", "d", {}),
    ]
    body = {"goldenSessionId": promoted["sessionId"], "mode": mode, "baseline": "none"}
    run = ok(await evals.admin.post(f"{EVALS}/runs", json=body))
    assert await evals.go_on(None) == 1
    (replay,) = ok(await evals.admin.get(f"{EVALS}/runs/{run['id']}/replays"))["data"]
    after = await content(superuser, own)
    assert {name for name in after if before[name] != after[name]} == set()
    feedback = ok(await evals.admin.get("/api/feedback"))["data"]
    assert [row["session_id"] for row in feedback] == [replay["id"]] * (replay["outcome"] == "failed")
    assert ok(await evals.admin.get(f"{EVALS}/candidates"))["data"] == []
