from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from tests.chain.story import Story, tell
from tests.conversations.chats import make_chats
from tests.factories import Workspace, make_workspace
from tests.feedback.signals import make_signals
from tests.knowledge.lessons import Lessons
from tests.records import make_desk


async def _tell(workspace: Workspace, outside: Outside) -> Story:
    desk = await make_desk(workspace)
    await desk.make_type()
    signals = await make_signals(desk, await make_chats(workspace, outside))
    return await tell(Lessons(signals, signals.admin))


@pytest_asyncio.fixture(scope="module")
async def told(worker_db: Database, app: Any, outside: Outside) -> AsyncIterator[Story]:
    """For the tests of one file that only look."""
    async with make_workspace(worker_db, app) as workspace:
        yield await _tell(workspace, outside)


@pytest_asyncio.fixture
async def fresh(workspace: Workspace, outside: Outside) -> Story:
    """A test's own."""
    return await _tell(workspace, outside)
