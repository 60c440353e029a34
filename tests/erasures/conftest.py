import pytest_asyncio

from goldloop.kit.outside import Outside
from tests.erasures.planted import Ground, make_ground
from tests.records import Desk


@pytest_asyncio.fixture
async def ground(desk: Desk, outside: Outside) -> Ground:
    return await make_ground(desk, outside)
