from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from goldloop.app import build_app
from goldloop.conversations import equipment
from goldloop.conversations.equipment import Equipment
from goldloop.conversations.gate.embedded import EmbeddedDetector
from goldloop.kit.blobs import BlobStore
from goldloop.kit.db import WORKER_ROLE, Database, open_database
from goldloop.kit.embedding import EmbeddedEncoder
from goldloop.live.feed import Feed
from goldloop.tenants.auth import Authenticator
from tests.conversations.chats import Chats, make_chats
from tests.factories import Workspace, make_workspace


@pytest.fixture(autouse=True)
def equipped(tmp_path: Path) -> Iterator[Equipment]:
    """A blob store of the test's own; encoder and detector are those inside the package."""
    held = list(equipment._held)
    made = Equipment(
        blobs=BlobStore(str(tmp_path / "blobs")), embedder=EmbeddedEncoder(), detector=EmbeddedDetector()
    )
    equipment.use(made)
    yield made
    equipment._held[:] = held


@pytest_asyncio.fixture
async def chats(workspace: Workspace) -> Chats:
    return await make_chats(workspace)


@pytest_asyncio.fixture
async def own_chats(fresh_database_url: str) -> AsyncIterator[Chats]:
    """In a database of the test's own, where nobody else leaves work."""
    async with open_database(fresh_database_url, size=6) as db:
        auth = Authenticator(db=db, secret=b"a secret of the tests")
        app = build_app(db, auth, Feed(db=db, url=fresh_database_url, auth=auth))
        async with make_workspace(Database(pool=db.pool, role=WORKER_ROLE), app) as workspace:
            yield await make_chats(workspace)
