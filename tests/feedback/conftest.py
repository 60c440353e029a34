import pytest_asyncio

from goldloop.kit.outside import Outside
from tests.conversations.chats import make_chats
from tests.factories import Workspace
from tests.feedback.signals import Signals, make_signals
from tests.records import make_desk


@pytest_asyncio.fixture
async def signals(workspace: Workspace, outside: Outside) -> Signals:
    desk = await make_desk(workspace)
    await desk.make_type()
    return await make_signals(desk, await make_chats(workspace, outside))
