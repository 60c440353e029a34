"""Whatever is killed, what was acknowledged is kept, and the rest goes on by itself."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest_asyncio

from goldloop.jobs import service as jobs
from goldloop.jobs.model import JobDetail, JobStatus
from goldloop.kit.db import WORKER_ROLE, open_database
from goldloop.kit.embedded_postgres import status
from goldloop.kit.ids import new_id
from goldloop.kit.queue import MAX_ATTEMPTS
from tests.factories import make_workspace
from tests.servers import (
    GOLDLOOP,
    Program,
    Server,
    eventually,
    free_port,
    open_folder,
    running_server,
    start_server,
)


@dataclass
class Load:
    """Clients that make keys all the time, and remember what the server said to each."""

    url: str
    secret: str
    acknowledged: list[str] = field(default_factory=list)
    answers: Counter[Any] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def __aenter__(self) -> "Load":
        self.tasks = [asyncio.create_task(self._write()) for _ in range(4)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _write(self) -> None:
        headers = {"Authorization": f"Bearer {self.secret}"}
        async with httpx.AsyncClient(base_url=self.url, headers=headers, timeout=20) as client:
            while True:
                key_id = str(new_id())
                try:
                    answer = await client.post(
                        "/api/keys", json={"id": key_id, "name": "load", "role": "viewer"}
                    )
                except httpx.HTTPError as error:
                    self.answers[type(error).__name__] += 1
                    await asyncio.sleep(0.05)
                    continue
                self.answers[answer.status_code] += 1
                if answer.status_code == 201:
                    self.acknowledged.append(key_id)
                elif answer.status_code != 503 or answer.json()["code"] != "unavailable":
                    self.unexpected.append(answer.text)

    async def written(self, number: int, seconds: float = 20) -> None:
        wanted = len(self.acknowledged) + number

        async def enough() -> bool:
            return len(self.acknowledged) >= wanted

        await eventually(enough, seconds)


async def kept_keys(server: Server, secret: str) -> set[str]:
    found: set[str] = set()
    cursor: str | None = None
    async with server.client(secret) as client:
        while True:
            page = {"limit": "200", **({"cursor": cursor} if cursor else {})}
            body = (await client.get("/api/keys", params=page)).json()
            found |= {key["id"] for key in body["data"]}
            if (cursor := body["next_cursor"]) is None:
                return found


async def owner_key(server: Server) -> str:
    async with server.database() as db, make_workspace(db) as workspace:
        return (await workspace.make_key())[1]


@pytest_asyncio.fixture(scope="module")
async def server() -> AsyncIterator[Server]:
    async with running_server() as started:
        yield started


async def test_what_a_killed_server_acknowledged_is_there_after_the_next_start() -> None:
    with open_folder() as folder:
        first = await start_server(folder)
        try:
            secret = await owner_key(first)
            async with Load(first.url, secret) as load:
                await load.written(30)
                first.program.kill()
            assert load.unexpected == []
        finally:
            first.program.close()
        second = await start_server(folder)
        try:
            assert second.hello["password"] is None, "it is not taken for a first start"
            assert set(load.acknowledged) <= await kept_keys(second, secret)
            async with second.client(secret) as client:
                made = await client.post("/api/keys", json={"name": "after", "role": "viewer"})
            assert made.status_code == 201
        finally:
            second.program.close()


async def test_a_killed_database_costs_no_acknowledged_write_and_the_server_goes_on_by_itself(
    server: Server,
) -> None:
    secret = await owner_key(server)
    async with Load(server.url, secret) as load:
        await load.written(20)
        for _ in range(2):
            before = status(server.data_dir).pid
            server.kill_postgres()
            await eventually(partial(_other_pid, server, before), 20)
            await load.written(20)
        async with server.client() as client:
            await eventually(lambda: _answers(client, "/readyz", 200))
    assert load.unexpected == [], "while the database is away every answer is a 503"
    assert set(load.answers) <= {201, 503}
    assert load.answers[503] > 0, "nobody noticed: the test proves nothing"
    assert set(load.acknowledged) <= await kept_keys(server, secret)
    assert await _a_new_key_is_seen_used(server)


async def _other_pid(server: Server, before: int | None) -> bool:
    state = status(server.data_dir)
    return state.running and state.pid != before


async def _answers(client: httpx.AsyncClient, path: str, code: int) -> bool:
    return (await client.get(path)).status_code == code


async def _a_new_key_is_seen_used(server: Server) -> bool:
    """Jobs run again too: one of them records when a key was last used."""
    secret = await owner_key(server)
    async with server.client(secret) as client:

        async def used() -> bool:
            keys = (await client.get("/api/keys")).json()["data"]
            return keys[0]["last_used_at"] is not None

        return await eventually(used, 20)


async def test_while_the_database_is_away_answers_are_503_problems(server: Server) -> None:
    secret = await owner_key(server)
    seen = set()
    async with server.client(secret) as client:
        server.kill_postgres()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            answer = await client.get("/api/workspace")
            seen.add(answer.status_code)
            if answer.status_code == 503:
                assert answer.headers["content-type"].startswith("application/problem+json")
                assert answer.json()["code"] == "unavailable"
            elif 503 in seen:
                break
        assert (await client.get("/healthz")).status_code == 200
    assert seen <= {200, 503}
    await eventually(lambda: _is_ready(server), 20)


async def _is_ready(server: Server) -> bool:
    async with server.client() as client:
        return await _answers(client, "/readyz", 200)


WORKER = """
import asyncio, json, os, sys
from datetime import timedelta
from pathlib import Path

from goldloop.cli.main import main
from goldloop.jobs import runner
from goldloop.kit.queue import job

runner.HEARTBEAT_SECONDS, runner.HEARTBEAT_LOST, runner.SWEEP_SECONDS = 0.3, timedelta(seconds=6), 0.5

@job("test.once_killed")
async def once_killed(db, actor, *, folder):
    before = Path(folder) / "began"
    killed = not before.exists()
    before.touch()  # first: whoever reads the line below kills at once
    print(json.dumps({"began": os.getpid()}), flush=True)
    if killed:
        await asyncio.sleep(60)
    (Path(folder) / "done").write_text(str(os.getpid()))

sys.exit(main(["worker", "--json"]))
"""


async def test_a_job_whose_worker_process_is_killed_runs_again_on_another(fresh_database_url: str) -> None:
    with open_folder() as folder:
        extra = {"GOLDLOOP_DATABASE_URL": fresh_database_url}
        first = Program([sys.executable, "-c", WORKER], folder, extra)
        second = None
        try:
            assert (await first.line())["role"] == "worker"
            async with (
                open_database(fresh_database_url, role=WORKER_ROLE, size=2) as db,
                make_workspace(db) as made,
            ):
                async with db.tx(made.system) as tx:
                    job_id = new_id()  # queued as `enqueue` does, for a job that only the workers know
                    await tx.execute(
                        "SELECT enqueue_job($1, 'test.once_killed', $2, NULL, $3, 0, 'default')",
                        job_id,
                        {"folder": str(folder)},
                        MAX_ATTEMPTS,
                    )
                killed = (await first.line())["began"]
                first.kill()

                async def shown() -> JobDetail:
                    async with db.tx(made.system) as tx:
                        return await jobs.access(tx, job_id)

                assert (await shown()).status is JobStatus.DOING, "a dead worker says nothing"
                second = Program([sys.executable, "-c", WORKER], folder, extra)
                assert (await second.line())["role"] == "worker"
                assert (await second.line())["began"] != killed
                done = await eventually(lambda: _if_done(shown), 60)
            assert (folder / "done").read_text() == str(second.process.pid)
            assert (done.attempts, [f.type for f in done.failures]) == (2, ["WorkerLost"])
        finally:
            first.close()
            if second is not None:
                second.close()


async def _if_done(show: Callable[[], Any]) -> JobDetail | None:
    found: JobDetail = await show()
    return found if found.status is JobStatus.SUCCEEDED else None


async def test_a_second_server_on_a_data_folder_says_so_and_leaves(server: Server) -> None:
    second = Program(
        [*GOLDLOOP, "serve", "--json", "--port", str(free_port()), "--data-dir", str(server.data_dir)],
        server.data_dir.parent,
    )
    try:
        line = await second.line()
        assert line["error"]["code"] == "data_folder_in_use"
        assert f"goldloop serve (pid {server.program.process.pid})" in line["error"]["message"]
        assert await second.ended() == 3
    finally:
        second.close()
    assert await _is_ready(server)


MOMENTS: list[Callable[[Path], bool]] = [
    lambda data: data.exists(),
    lambda data: any(data.rglob("PG_VERSION")),
    lambda data: status(data).running,
    lambda data: (data / "first-password.txt").exists(),
]


async def test_a_first_start_killed_at_any_moment_is_made_good_by_the_next() -> None:
    with open_folder() as folder:
        data = folder / "data"
        port = free_port()
        for reached in MOMENTS:
            argv = [*GOLDLOOP, "serve", "--json", "--port", str(port), "--data-dir", str(data)]
            program = Program(argv, folder)
            try:
                await eventually(partial(_holds, reached, data), 30, every=0.002)
                program.kill()
            finally:
                program.close()
        server = await start_server(folder, port)
        try:
            password = server.hello["password"] or (data / "first-password.txt").read_text().strip()
            async with server.client() as client:
                signed_in = await client.post(
                    "/api/session", json={"email": "owner@goldloop.local", "password": password}
                )
            assert signed_in.status_code == 201
            assert [w["slug"] for w in signed_in.json()["workspaces"]] == ["main"]
        finally:
            server.program.close()


async def _holds(condition: Callable[[Path], bool], data: Path) -> bool:
    try:
        return condition(data)
    except OSError:
        return False  # it is just being made
