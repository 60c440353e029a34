import pytest_asyncio

from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.otlp.ground import Emitter


@pytest_asyncio.fixture
async def emitter(workspace: Workspace, outside: Outside) -> Emitter:
    return Emitter(workspace, await workspace.client(Role.CONTRIBUTOR), outside)
