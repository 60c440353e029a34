from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from goldloop.app import build_app
from goldloop.kit.db import Database
from goldloop.kit.egress import Egress
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.webhooks.receivers import Hooks


@pytest.fixture(scope="session")
def near(outside: Outside) -> Outside:
    """An installation that allows receivers on this machine."""
    return replace(outside, egress=Egress(["127.0.0.1"]))


@pytest_asyncio.fixture(scope="session")
async def app(db: Database, auth: Authenticator, database_url: str, near: Outside) -> Any:
    return build_app(db, auth, Feed(db=db, url=database_url, auth=auth), near)


@pytest_asyncio.fixture
async def hooks(workspace: Workspace, near: Outside) -> Hooks:
    return Hooks(workspace, await workspace.client(Role.ADMIN), near)
