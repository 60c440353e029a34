import pytest_asyncio

from tests.claims.evidence import Evidence, make_evidence
from tests.records import Desk


@pytest_asyncio.fixture
async def evidence(desk: Desk) -> Evidence:
    return await make_evidence(desk)
