"""`goldloop eval experiment SET`, with a server: the figures are those of the API and the page."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest
import pytest_asyncio

from goldloop.cli.main import main
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.goldens.experiments.lab import EXPERIMENTS, HELPS, Lab, make_lab, play
from tests.goldens.tried import tried
from tests.records import Desk, ok
from tests.served import served


class Bench(NamedTuple):
    lab: Lab
    url: str
    key: str

    async def command(self, *words: str) -> int:
        """The command, and what workers do beside it until it ends."""
        line = ["eval", "experiment", *words, "--url", self.url, "--key", self.key]
        running = asyncio.create_task(asyncio.to_thread(main, line))
        while not running.done():
            await play(self.lab.evals.desk.workspace, self.lab.rows[HELPS]["id"])
            await asyncio.sleep(0.01)
        return await running

    async def experiments(self) -> list[Any]:
        listed: list[Any] = ok(await self.lab.admin.get(EXPERIMENTS))["data"]
        return listed


@pytest_asyncio.fixture
async def bench(desk: Desk, worker_db: Database, outside: Outside) -> AsyncIterator[Bench]:
    lab = await make_lab(await tried(desk, worker_db, outside), 2)
    await lab.write(HELPS)
    _, key = await desk.workspace.make_key(Role.ADMIN)
    async with served(desk.workspace.app) as url:
        yield Bench(lab, url, key)


async def test_what_it_would_take_then_what_it_found(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await bench.command("clerk", "--replays", "40", "--dry-run") == 0
    told = capsys.readouterr()
    assert "4 rows on 2 goldens" in told.out
    assert "40 replays: 40 to run, 0 there already" in told.out
    assert "each row that shows an effect takes up to 80 replays more, about 19,200 tokens" in told.out
    assert "finds a row worth 20 points:" in told.out
    assert await bench.command("clerk", "--replays", "40", "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out) == await bench.lab.foresee(replays=40)
    assert await bench.experiments() == []

    assert await bench.command("clerk", "--agent", "clerk@2", "--replays", "40", "--wait") == 0
    told = capsys.readouterr()
    assert "4 rows on 2 goldens of clerk (version 2) by clerk v2, 40 replays, about 9,600 tokens" in told.err
    assert "helps, confirmed" in told.out
    assert "+100.0 (" in told.out
    assert "1 help, 0 harm, 0 flagged and not confirmed, 3 no effect found, 0 unmeasured" in told.out

    assert await bench.command("clerk", "--replays", "40", "--wait", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    (again, _) = await bench.experiments()
    shown = await bench.lab.show(again)
    assert {name: value for name, value in answer.items() if name != "exit_code"} == shown
    assert (answer["exit_code"], answer["reused"], answer["replays"]) == (0, 40, 80)


async def test_it_begins_and_goes_on_without_whoever_began_it(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await bench.command("clerk", "--replays", "8", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in await bench.experiments()] == [answer["id"]]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["nothing"], 4, "golden_set_not_found"),
        (["clerk", "--agent", "clerk@x"], 4, "SLUG@VERSION"),
        (["clerk", "--replays", "1"], 4, "--replays is at least 2"),
        (["clerk", "--dry-run", "--wait"], 4, "begins nothing"),
    ],
)
async def test_what_is_asked_wrongly_is_said(
    bench: Bench, capsys: pytest.CaptureFixture[str], words: list[str], code: int, says: str
) -> None:
    assert await bench.command(*words, "--json") == code
    told = capsys.readouterr()
    assert says in told.out + told.err
