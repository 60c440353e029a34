from collections.abc import AsyncIterator

import pytest_asyncio

from goldloop.app import build_app
from goldloop.kit.db import WORKER_ROLE, Database, open_database
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from tests.conversations.chats import Chats, make_chats
from tests.factories import Workspace, make_workspace


@pytest_asyncio.fixture
async def chats(workspace: Workspace, outside: Outside) -> Chats:
    return await make_chats(workspace, outside)


@pytest_asyncio.fixture
async def own_chats(fresh_database_url: str, outside: Outside) -> AsyncIterator[Chats]:
    """In a database of the test's own, where nobody else leaves work."""
    async with open_database(fresh_database_url, size=6) as db:
        auth = Authenticator(db=db, secret=b"a secret of the tests")
        app = build_app(db, auth, Feed(db=db, url=fresh_database_url, auth=auth), outside)
        async with make_workspace(Database(pool=db.pool, role=WORKER_ROLE), app) as workspace:
            yield await make_chats(workspace, outside)
