import pytest_asyncio

from tests.conversations.chats import Chats, make_chats
from tests.factories import Workspace


@pytest_asyncio.fixture
async def chats(workspace: Workspace) -> Chats:
    return await make_chats(workspace)
