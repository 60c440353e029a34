"""Whatever is killed in the middle of a promotion, the promotion happened as a whole or not at all."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_asyncio

from goldloop.kit.db import WORKER_ROLE, Database, connect, open_database
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.tenants.model import Role
from tests.factories import Workspace, make_workspace
from tests.loops import some
from tests.promotion.invariants import check_record
from tests.records import COMPANY, Desk, ok
from tests.servers import GOLDLOOP, Program, eventually, free_port, open_folder

FIELDS = ["name", "employees", "summary"]
KILLS = 3
AT_ONCE = 4


def marked(mark: int) -> dict[str, Any]:
    """Values that all carry the same mark, so that a mixture of two promotions shows."""
    return {"name": f"Mark {mark}", "employees": mark, "summary": str(mark)}


@dataclass
class Line:
    """One record into which one client promotes mark after mark; what the server acknowledged, and what it began."""

    record: str
    begun: int = 0
    acknowledged: int = 0
    times: int = 0  # acknowledged

    async def write(self, client: httpx.AsyncClient) -> None:
        path = f"/api/entities/{self.record}/responses"
        while True:
            mark = self.begun + 1
            answer = await client.post(path, json={"values": marked(mark)})
            assert answer.status_code == 201, answer.text
            self.begun = mark
            answer = await client.post(f"{path}/{answer.json()['id']}/promote", json={"fields": FIELDS})
            assert answer.status_code == 200, answer.text
            self.acknowledged, self.times = mark, self.times + 1


@asynccontextmanager
async def serving(folder: Path, url: str) -> AsyncIterator[tuple[Program, str]]:
    """A server on a database that outlives it."""
    port = free_port()
    argv = [*GOLDLOOP, "serve", "--json", "--port", str(port), "--data-dir", str(folder / str(port))]
    program = Program(argv, folder, {"GOLDLOOP_DATABASE_URL": url})
    try:
        await program.line()
        address = f"http://127.0.0.1:{port}"

        async def answers() -> bool:
            async with httpx.AsyncClient() as client:
                return (await client.get(f"{address}/healthz")).status_code == 200

        await eventually(answers, 20)
        yield program, address
    finally:
        program.close()


def holding(secret: str, address: str) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.AsyncClient(base_url=address, headers=headers, timeout=20)


async def make_lines(client: httpx.AsyncClient) -> list[Line]:
    new = {"slug": "company", "name": "Company", "json_schema": COMPANY}
    ok(await client.post("/api/entity-types", json=new))
    bodies = [{"type": "company", "title": f"Line {number}"} for number in range(AT_ONCE)]
    return [Line(ok(await client.post("/api/entities", json=body))["id"]) for body in bodies]


async def promote_until_killed(
    program: Program, client: httpx.AsyncClient, lines: list[Line], many: int
) -> None:
    before = sum(line.times for line in lines)
    tasks = [asyncio.create_task(line.write(client)) for line in lines]

    async def enough() -> bool:
        failed = [task.exception() for task in tasks if task.done()]
        assert not failed, failed
        return sum(line.times for line in lines) >= before + many

    await eventually(enough, 30, every=0.002)
    program.kill()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(end, httpx.HTTPError) for end in some(ended)), ended


async def check_line(db: Database, workspace: Workspace, line: Line) -> None:
    async with db.tx(workspace.system) as tx:
        content = await check_record(tx, line.record)
    mark = content.get("employees", 0)
    assert content == (marked(mark) if mark else {}), "all fields of one promotion, or none"
    assert line.acknowledged <= mark <= line.begun, "what was acknowledged is there"


async def test_promotions_of_a_server_that_is_killed_happened_as_a_whole_or_not_at_all(
    fresh_database_url: str,
) -> None:
    with open_folder() as folder:
        async with (
            open_database(fresh_database_url, role=WORKER_ROLE, size=4) as db,
            make_workspace(db) as workspace,
            AsyncExitStack() as stack,
        ):
            _, secret = await workspace.make_key(Role.OWNER)
            starting = (stack.enter_async_context(serving(folder, fresh_database_url)) for _ in range(KILLS))
            servers = await asyncio.gather(*starting)  # each is killed in its turn
            clients = [await stack.enter_async_context(holding(secret, at)) for _, at in servers]
            lines = await make_lines(clients[0])
            for kill in range(KILLS):
                await promote_until_killed(servers[kill][0], clients[kill], lines, 10 + 7 * kill)
                await eventually(lambda: _nobody_else_connected(db), 10)
                for line in lines:
                    await check_line(db, workspace, line)
            acknowledged = sum(line.times for line in lines)
            assert acknowledged >= KILLS * 10
            async with db.tx(workspace.system) as tx:
                promoted = await tx.fetchval("SELECT count(*) FROM events WHERE name = 'response.promoted'")
            assert acknowledged <= promoted <= acknowledged + KILLS * AT_ONCE


async def _nobody_else_connected(db: Database) -> bool:
    """The server's transactions have ended with it."""
    async with db.pool.acquire() as connection:
        return bool(
            await connection.fetchval(
                """
                SELECT count(*) = 0 FROM pg_stat_activity
                WHERE datname = current_database() AND state LIKE '%in transaction%' OR
                      (datname = current_database() AND state = 'active' AND pid <> pg_backend_pid())
                """
            )
        )


@pytest_asyncio.fixture
async def superusers(data_dir: Path, database_url: str) -> AsyncIterator[tuple[Any, Any]]:
    """One connection that holds a lock, another that looks and terminates."""
    url = superuser_url(data_dir, urlsplit(database_url).path.lstrip("/"))
    holder, watcher = await connect(url), await connect(url)
    yield holder, watcher
    await holder.close()
    await watcher.close()


async def waiting(watcher: Any, function: str) -> int | None:
    """The backend in which a function waits for a lock."""
    pid: int | None = await watcher.fetchval(
        """
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1
        """,
        f"%{function}(%",
    )
    return pid


LOCKS = {
    "before anything is written": (
        "SELECT FROM entity_types WHERE id = (SELECT type_id FROM entities WHERE id = $1) FOR UPDATE"
    ),
    "when the content is written and a displaced status is not": (
        "SELECT FROM entity_responses WHERE entity_id = $1 AND promoted_fields <> '{}' FOR UPDATE"
    ),
    "when all is written but the event": "LOCK TABLE events IN ACCESS EXCLUSIVE MODE",
}


async def everything(desk: Desk, record: Any, responses: list[Any]) -> Any:
    return (
        await desk.show(record),
        await desk.sources(record),
        [await desk.history(record, name) for name in FIELDS],
        [await desk.response(response) for response in responses],
        await desk.events("response.promoted"),
        await desk.events("response.promotion_undone"),
    )


@pytest.mark.parametrize("moment", LOCKS)
@pytest.mark.parametrize("function", ["promote_field_values", "undo_promotion"])
async def test_a_backend_terminated_in_the_middle_leaves_nothing_half_written(
    desk: Desk, superusers: tuple[Any, Any], moment: str, function: str
) -> None:
    holder, watcher = superusers
    record = await desk.make_record()
    responses = [await desk.submit(record, marked(mark)) for mark in (1, 2)]
    await desk.promote(responses[0], *FIELDS)
    act: Callable[[], Coroutine[Any, Any, httpx.Response]] = lambda: desk.try_promote(responses[1], *FIELDS)  # noqa: E731
    if function == "undo_promotion":
        await desk.promote(responses[1], *FIELDS)
        act = lambda: desk.try_undo_response(responses[1])  # noqa: E731
    before = await everything(desk, record, responses)

    async with holder.transaction():
        await holder.execute(LOCKS[moment], *([record["id"]] if "$1" in LOCKS[moment] else []))
        acting = asyncio.create_task(act())
        pid = await eventually(lambda: waiting(watcher, function), 10, every=0.01)
        assert await watcher.fetchval("SELECT pg_terminate_backend($1)", pid)
        answer = await acting
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert await everything(desk, record, responses) == before

    again = await act()
    assert again.status_code == 200, again.text
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await check_record(tx, record["id"])
