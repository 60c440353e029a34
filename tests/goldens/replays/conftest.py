import pytest_asyncio

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from tests.goldens.tried import Tried, tried
from tests.records import Desk


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)
