import pytest_asyncio

from goldloop.kit.outside import Outside
from tests.chain.story import Story, tell
from tests.conversations.chats import make_chats
from tests.factories import Workspace
from tests.feedback.signals import make_signals
from tests.knowledge.lessons import Lessons
from tests.records import make_desk


@pytest_asyncio.fixture
async def told(workspace: Workspace, outside: Outside) -> Story:
    desk = await make_desk(workspace)
    await desk.make_type()
    signals = await make_signals(desk, await make_chats(workspace, outside))
    return await tell(Lessons(signals, signals.admin))
