"""Which tests `make check` runs: found from what they ask for."""

import pytest

from goldloop.kit.db import Database
from tests.conftest import needs_database
from tests.factories import Workspace


@pytest.fixture
def indirect(workspace: Workspace) -> str:
    return workspace.slug


def is_marked(request: pytest.FixtureRequest, name: str) -> bool:
    return request.node.get_closest_marker(name) is not None


def test_one_that_asks_for_nothing_is_run(request: pytest.FixtureRequest) -> None:
    assert not is_marked(request, "database")
    assert not is_marked(request, "slow")


async def test_one_that_asks_for_the_database_is_left_out(
    request: pytest.FixtureRequest, db: Database
) -> None:
    assert is_marked(request, "database")


async def test_one_that_asks_for_it_through_a_fixture_is_left_out(
    request: pytest.FixtureRequest, indirect: str
) -> None:
    assert is_marked(request, "database")


@pytest.mark.parametrize("module", ["tests.cli.test_cli", "tests.kit.test_embedded_postgres"])
def test_a_file_that_starts_servers_itself_is_left_out(
    request: pytest.FixtureRequest, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not needs_database(request.node)
    started = __import__(module, fromlist=["x"])
    monkeypatch.setattr(type(request.node), "module", property(lambda _: started))
    assert needs_database(request.node)
