import pytest_asyncio

from tests.clinic import Clinic, make_clinic
from tests.records import Desk


@pytest_asyncio.fixture
async def clinic(desk: Desk) -> Clinic:
    return await make_clinic(desk)
