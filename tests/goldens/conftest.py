import pytest_asyncio

from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.conversations.chats import make_chats
from tests.factories import Workspace
from tests.feedback.signals import make_signals
from tests.goldens.shelf import Shelf
from tests.knowledge.lessons import Lessons
from tests.otlp.ground import Emitter
from tests.records import make_desk


@pytest_asyncio.fixture
async def shelf(workspace: Workspace) -> Shelf:
    return Shelf(workspace, await workspace.client(Role.ADMIN))


@pytest_asyncio.fixture
async def emitter(workspace: Workspace, outside: Outside) -> Emitter:
    return Emitter(workspace, await workspace.client(Role.CONTRIBUTOR), outside)


@pytest_asyncio.fixture
async def lessons(workspace: Workspace, outside: Outside) -> Lessons:
    desk = await make_desk(workspace)
    await desk.make_type()
    signals = await make_signals(desk, await make_chats(workspace, outside))
    return Lessons(signals, signals.admin)
