import pytest_asyncio

from tests.artifact_runs.library import Library
from tests.factories import Workspace
from tests.records import make_desk


@pytest_asyncio.fixture
async def library(workspace: Workspace) -> Library:
    """The workspace with the type `pf_knowledge` and its view."""
    made = Library(desk=await make_desk(workspace))
    await made.make_type()
    return made
