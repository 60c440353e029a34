from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest_asyncio

from goldloop.kit.db import Database, connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.outside import Outside
from tests.goldens.tried import Tried, tried
from tests.records import Desk


@pytest_asyncio.fixture
async def superuser(data_dir: Path, database_url: str) -> AsyncIterator[Any]:
    """Whom no policy holds back."""
    name = urlsplit(database_url).path.lstrip("/")
    connection = await connect(superuser_url(data_dir, name))
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)
