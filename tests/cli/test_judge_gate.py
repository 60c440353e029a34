"""`goldloop eval run --min-judge-pass-rate`: refused without a licensed judge, and held to the corrected rate with one."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import pytest
import pytest_asyncio

from goldloop.cli.main import main
from goldloop.goldens.judging import service as judging_service
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.goldens.judges.bench import JUDGES, Bench
from tests.goldens.judging.test_service import clerk, configure_judge, judging, make_rubric
from tests.goldens.tried import Tried, tried
from tests.records import Desk, ok
from tests.runtimes.openai_server import speaking_like_openai
from tests.runtimes.scripted import work
from tests.runtimes.small_model import calling
from tests.served import served


class Court(NamedTuple):
    """A set of one golden with a rubric, on a server, and what reaches it."""

    evals: Tried
    bench: Bench
    url: str
    key: str

    async def command(self, *words: str) -> int:
        """The command, and workers beside it that replay and judge until it ends."""
        line = ["eval", "run", "judged", "--baseline", "none", *words, "--url", self.url, "--key", self.key]
        running = asyncio.create_task(asyncio.to_thread(main, line))
        while not running.done():
            await self.evals.go_on(clerk)
            await self.evals.drain(judging_service.MARK)
            query: dict[str, Any] = {"purpose": "judging", "status": "queued", "limit": 200}
            for session in ok(await self.evals.admin.get("/api/sessions", params=query))["data"]:
                outside = calling(self.evals.outside, "127.0.0.1")
                await work(self.evals.db, self.evals.desk.workspace, outside, session)
            await asyncio.sleep(0.01)
        return await running

    async def license(self) -> None:
        """By sixty verdicts that a person shares."""
        judge = await self.bench.only_judge()
        await self.bench.label_all(await self.bench.person(), await self.bench.draw(judge, size=60))
        ok(await self.bench.admin.post(f"{JUDGES}/{judge['id']}/licences"))


@pytest_asyncio.fixture
async def court(desk: Desk, worker_db: Database, outside: Outside) -> AsyncIterator[Court]:
    evals = await tried(desk, worker_db, outside)
    rubric = await make_rubric(evals, "clear")
    session = await evals.run(clerk, "How many employees has it?")
    golden = await evals.promote(session, criteriaSetId=rubric["id"], floor=False, set="judged")
    bench = Bench(desk.workspace, evals.admin, rubric, golden, evals.agent)
    _, key = await desk.workspace.make_key(Role.ADMIN)
    async with served(desk.workspace.app) as url:
        yield Court(evals, bench, url, key)


async def test_a_gate_rests_on_a_licensed_judge_and_on_no_other(
    court: Court, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gate: tuple[Any, ...] = ("--min-judge-pass-rate", "0.5")
    assert await court.command(*gate) == 4
    assert "no judge has judged replays of judged" in capsys.readouterr().err
    with speaking_like_openai(lambda *_: judging(clear="fully")) as model:
        await configure_judge(court.evals, model="openai:judge", base_url=model.url)
        assert await court.command("--repeats", "2") == 0
        await court.bench.judge([True, False] * 30, model="judge", goldens=10)
        await court.evals.go_on(clerk)
        capsys.readouterr()
        assert await court.command(*gate) == 4
        judge = await court.bench.only_judge()
        refused = capsys.readouterr().err
        assert "the judge by Answers (judge) has no licence (none)" in refused
        assert f"{court.url}/admin/agent-review/evals/judges/{judge['id']}" in refused
        assert len(model.asked) == 2, "and nothing was spent"

        await court.license()
        files = ["--junit", str(tmp_path / "junit.xml"), "--summary", str(tmp_path / "summary.md")]
        assert await court.command(*gate, "--repeats", "12", "--json", *files) == 0
        answer = json.loads(capsys.readouterr().out)
        (judged,) = answer["judged"]
        assert (judged["licence"], judged["rate"], judged["method"]) == ("licensed", 1.0, "rogan_gladen")
        run = await court.evals.show(answer["run"])
        (rate,) = run["judging"]["rates"]
        assert (judged["corrected"], judged["low"]) == (rate["corrected"]["rate"], rate["corrected"]["low"])
        suite = Xml.fromstring((tmp_path / "junit.xml").read_text())[0]
        properties = {each.get("name"): each.get("value") for each in suite.iter("property")}
        assert (properties["judge_1"], properties["judge_1_licence"]) == ("Answers", "licensed")
        assert "judge by Answers (licensed): 12 of 12 pass" in (tmp_path / "summary.md").read_text()

        assert await court.command("--min-judge-pass-rate", "0.999", "--repeats", "12") == 1
        assert "the lower end of the corrected rate by Answers is" in capsys.readouterr().out


async def test_without_the_option_a_judge_only_advises(
    court: Court, capsys: pytest.CaptureFixture[str]
) -> None:
    with speaking_like_openai(lambda *_: judging(clear="not_at_all")) as model:
        await configure_judge(court.evals, model="openai:judge", base_url=model.url)
        assert await court.command("--repeats", "2", "--min-pass-rate", "1") == 0
    capsys.readouterr()
    assert await court.command("--min-judge-pass-rate", "2") == 4
    assert "lies between 0 and 1" in capsys.readouterr().err
