"""A workspace of a server and a worker, for the stories."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

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
