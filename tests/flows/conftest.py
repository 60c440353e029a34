"""A workspace of a server and a worker, for the stories."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
import pytest_asyncio

from goldloop.app import build_app
from goldloop.jobs.marks import MarkRunner
from goldloop.jobs.runner import JobRunner
from goldloop.kit.db import WORKER_ROLE, open_database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import MARKS
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from tests.factories import Workspace, make_workspace
from tests.records import Desk, make_desk
from tests.servers import GOLDLOOP, Program, free_port, open_folder


@pytest_asyncio.fixture
async def at_work(
    fresh_database_url: str, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Workspace]:
    """On a database of its own. What a request leaves to be done is done while the story goes on, and at once."""
    for kind, definition in MARKS.items():
        monkeypatch.setitem(MARKS, kind, replace(definition, delay=timedelta(0)))
    async with open_database(fresh_database_url, size=12) as db:
        auth = Authenticator(db=db, secret=b"a secret of the tests")
        marks = MarkRunner(db, outside)
        feed = Feed(db=db, url=fresh_database_url, auth=auth, on_mark=marks.notified)
        app = build_app(db, auth, feed, outside)
        jobs = JobRunner(db, fresh_database_url, 2, outside)
        tasks = [asyncio.create_task(each) for each in (feed.run(), marks.run(), jobs.run())]
        try:
            async with make_workspace(db.in_role(WORKER_ROLE), app) as workspace:
                yield workspace
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def desk_on(url: str, outside: Outside) -> AsyncIterator[Desk]:
    """A workspace of a server without a worker."""
    async with open_database(url, size=8) as db:
        auth = Authenticator(db=db, secret=b"a secret of the tests")
        app = build_app(db, auth, Feed(db=db, url=url, auth=auth), outside)
        async with make_workspace(db.in_role(WORKER_ROLE), app) as workspace:
            desk = await make_desk(workspace)
            await desk.make_type()
            yield desk


@pytest_asyncio.fixture
async def apart(fresh_database_url: str, outside: Outside) -> AsyncIterator[tuple[Desk, httpx.AsyncClient]]:
    """A server and a worker as processes of their own: a workspace, and a client of the server."""
    port = free_port()
    extra = {
        "GOLDLOOP_DATABASE_URL": fresh_database_url,
        "GOLDLOOP_ALLOWED_HOSTS": "127.0.0.1",
        "GOLDLOOP_WORKER_CONCURRENCY": "1",
        "GOLDLOOP_PUBLIC_URL": f"http://127.0.0.1:{port}/",
    }
    with open_folder() as folder:
        programs = [
            Program([*GOLDLOOP, "worker", "--json"], folder, extra),
            Program([*GOLDLOOP, "api", "--json", "--port", str(port)], folder, extra),
        ]
        try:
            for program in programs:
                await program.line()
            async with desk_on(fresh_database_url, outside) as desk:
                headers = {"Authorization": f"Bearer {(await desk.workspace.make_key())[1]}"}
                async with httpx.AsyncClient(
                    base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60
                ) as client:
                    yield desk, client
        finally:
            for program in programs:
                program.close()
