"""`goldloop chain` with a server."""

import asyncio
import json

import pytest
import pytest_asyncio

from goldloop.cli.main import main
from goldloop.tenants.model import Role
from tests.records import Desk
from tests.served import served
from tests.servers import free_port


@pytest_asyncio.fixture
async def value(desk: Desk) -> str:
    """The ref of a value that cites a page."""
    record = await desk.make_record(title="Acme")
    source = {"type": "web", "url": "https://acme.test/report", "title": "Report"}
    response = await desk.submit(record, {"employees": 50}, field_meta={"employees": {"sources": [source]}})
    await desk.promote(response, "employees")
    return f"field:{record['id']}/employees"


async def run(url: str, key: str, *words: str) -> int:
    return await asyncio.to_thread(main, ["chain", *words, "--url", url, "--key", key])


async def test_it_shows_what_a_value_rests_on_and_what_rests_on_a_source(
    desk: Desk, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, key = await desk.workspace.make_key(Role.ADMIN)
    async with served(desk.workspace.app) as url:
        assert await run(url, key, value) == 0
        back = capsys.readouterr().out
        assert "source:web:https://acme.test/report" in back
        assert "behind it." in back
        source = "source:web:https://acme.test/report"
        assert await run(url, key, source, "--direction", "forward", "--json") == 0
        forward = json.loads(capsys.readouterr().out)
        assert forward["start"] == source
        assert [node["kind"] for node in forward["nodes"]] == ["source", "response", "field"]
        assert await run(url, key, source, "--direction", "forward", "--nodes", "2") == 0
        assert "There is more than is shown" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "exit_code", "code"),
    [
        (["nothing"], 2, "invalid_input"),
        (["source:web:https://nowhere.test"], 4, "node_not_found"),
        (["source:web:https://nowhere.test", "--depth", "0"], 2, "invalid_input"),
    ],
)
async def test_what_names_nothing_ends_with_a_code(
    desk: Desk, capsys: pytest.CaptureFixture[str], words: list[str], exit_code: int, code: str
) -> None:
    _, key = await desk.workspace.make_key(Role.ADMIN)
    async with served(desk.workspace.app) as url:
        assert await run(url, key, *words, "--json") == exit_code
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


async def test_keys_and_servers_that_do_not_work_end_with_a_code(
    desk: Desk, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, narrow = await desk.workspace.make_key(Role.ADMIN, scopes=["entities.team.read"])
    async with served(desk.workspace.app) as url:
        assert await run(url, narrow, value) == 1
    assert await run(f"http://127.0.0.1:{free_port()}", narrow, value) == 5
    assert await run("nowhere", narrow, value) == 2
    assert "forbidden" in capsys.readouterr().err
