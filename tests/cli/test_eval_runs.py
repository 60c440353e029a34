"""`goldloop eval run SET` and `goldloop eval export` as CI uses them, with a server."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import pytest
import pytest_asyncio
from pydantic_ai.messages import ToolCallPart

from goldloop.cli.main import main
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.goldens.test_runs import clerk, make_goldens
from tests.goldens.tried import CAREFUL, HASTY, Tried, tried
from tests.records import Desk, ok
from tests.served import served
from tests.servers import environment

TOOLS = ["entities-read", "responses"]


class Shop(NamedTuple):
    """Four goldens on a server, and what reaches it."""

    evals: Tried
    url: str
    key: str

    async def command(self, *words: str, say: Any = clerk) -> int:
        """The command, and workers beside it until it ends."""
        line = ["eval", *words, "--url", self.url, "--key", self.key]
        running = asyncio.create_task(asyncio.to_thread(main, line))
        while not running.done():
            await self.evals.go_on(say)
            await asyncio.sleep(0.01)
        return await running

    async def runs(self) -> list[Any]:
        listed = await self.evals.admin.get("/api/admin/evals/runs", params={"limit": 200})
        return [run for run in ok(listed)["data"] if run["kind"] != "floor"]


@pytest_asyncio.fixture
async def shop(desk: Desk, worker_db: Database, outside: Outside) -> AsyncIterator[Shop]:
    evals = await tried(desk, worker_db, outside)
    await make_goldens(evals, 4)
    await evals.go_on(clerk)
    _, key = await desk.workspace.make_key(Role.ADMIN)
    async with served(desk.workspace.app) as url:
        yield Shop(evals, url, key)


async def test_the_story_of_a_change(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await shop.command("run", "clerk", "--agent", "clerk@1", "--margin", "0.2") == 0
    told = capsys.readouterr()
    assert "no worse: +0.0 points" in told.out
    assert "12 replays of clerk (version 4) by clerk v1 against clerk v1, about 4,320 tokens" in told.err
    assert "12 of 12 replays, 12 passed" in told.err

    await shop.evals.configure(instructions=HASTY, tool_groups=TOOLS)
    files = ["--junit", str(tmp_path / "junit.xml"), "--summary", str(tmp_path / "summary.md")]
    assert await shop.command("run", "clerk", "--agent", "clerk", "--commit", "abc123", "--json", *files) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["passed"], answer["exit_code"]) == ("regression", False, 1)
    assert (answer["agent"], answer["baseline"], answer["run"]["agent_version"]) == ("clerk", "clerk v1", 2)
    (run, _) = await shop.runs()
    detail = await shop.evals.show(run)
    (report,) = detail["reports"]
    assert answer["run"]["id"] == run["id"]
    assert answer["interval"]["high"] == report["high"]
    assert answer["pass_rate"] == report["passRate"] == 0
    assert [golden["change"] for golden in answer["goldens"]] == ["hard_break"] * 4
    suite = Xml.fromstring((tmp_path / "junit.xml").read_text())[0]
    properties = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert (properties["git_sha"], properties["run"], properties["agent_version"]) == (
        "abc123",
        run["id"],
        "2",
    )
    assert (suite.get("name"), suite.get("failures")) == ("clerk clerk", "5")
    assert (tmp_path / "summary.md").read_text().startswith("### clerk, clerk: failed")


async def test_a_baseline_may_be_that_of_another_run(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    await shop.command("run", "clerk", "--agent", "clerk@1", "--repeats", "1")
    (before,) = await shop.runs()
    await shop.evals.configure(instructions=HASTY, tool_groups=TOOLS)
    capsys.readouterr()
    again = ("run", "clerk", "--agent", "clerk", "--baseline", f"run:{before['id']}", "--json")
    assert await shop.command(*again) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["baseline"]) == ("regression", "clerk v1")
    assert await shop.command("run", "clerk", "--baseline", "run:yesterday") == 4
    assert "run:yesterday is not" in capsys.readouterr().err


async def test_a_regression_is_called_after_fresh_repeats(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    await shop.evals.configure(instructions=HASTY, tool_groups=TOOLS)
    confirm = ("run", "clerk", "--agent", "clerk", "--confirm", "--json")
    assert await shop.command(*confirm) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["repeats"], answer["run"]["confirmed"]) == ("regression", 5, True)
    assert answer["run"]["confirmed_p"] <= 0.01
    assert [(run["repeats"], run["agents"][0]["version"]) for run in await shop.runs()] == [(5, 2), (3, 2)]

    asked = 0

    def unlucky(instructions: str, message: str, results: list[Any]) -> str | ToolCallPart:
        """Hasty in the first twelve replays only."""
        nonlocal asked
        asked += not results
        return clerk(instructions if asked <= 12 else CAREFUL, message, results)

    assert await shop.command(*confirm, say=unlucky) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["passed"], answer["run"]["confirmed"]) == (True, False)
    assert answer["verdict"] != "regression"
    assert "a regression was seen, and 5 fresh repeats do not confirm it" in answer["warnings"]


async def test_after_a_deployment_the_server_asks_again_by_itself(
    shop: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    await shop.evals.configure(instructions=HASTY, tool_groups=TOOLS)
    line = ("run", "clerk", "--agent", "clerk", "--trigger", "post-deploy", "--confirm", "--json")
    assert await shop.command(*line) == 1
    answer = json.loads(capsys.readouterr().out)
    runs = await shop.runs()
    assert [(run["kind"], run["confirmed"]) for run in runs] == [("confirmation", None), ("run", True)]
    assert answer["run"]["id"] == runs[0]["id"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nothing"], 4, "golden_set_not_found"),
        (["empty"], 5, "no_goldens"),
        ([], 4, "say which set"),
        (["clerk", "--agent", "nobody"], 4, "agent_not_found"),
        (["clerk", "--agent", "clerk@x"], 4, "SLUG@VERSION"),
        (["clerk", "--agent", "clerk@9"], 4, "agent_version_not_found"),
        (["clerk", "--mode", "loud"], 4, "invalid_input"),
        (["clerk", "--repeats", "0"], 4, "--repeats is at least 1"),
        (["clerk", "--write-baseline", "x.json"], 4, "--write-baseline is not for goldens of a server"),
        (["clerk", "--file", "x.json"], 4, "SET is not for goldens of a file"),
        (["clerk", "--min-pass-rate", "2"], 4, "between 0 and 1"),
    ],
)
async def test_what_cannot_be_run_has_an_exit_code_and_a_reason(
    shop: Shop, words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if words == ["empty"]:
        (golden, *_) = await make_goldens(shop.evals, 1, "empty")
        ok(await shop.evals.admin.delete(f"/api/admin/evals/golden/{golden['sessionId']}"))
    assert await shop.command("run", *words) == code
    assert message in capsys.readouterr().err
    assert await shop.runs() == []


@pytest.mark.parametrize(
    ("address", "code"), [("http://127.0.0.1:9", 3), ("nonsense", 4), ("http://[", 4), ("", 4)]
)
def test_a_server_that_is_not_there_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, address: str, code: int
) -> None:
    monkeypatch.delenv("GOLDLOOP_URL", raising=False)
    assert main(["eval", "run", "clerk", "--url", address, "--key", "gl_x"]) == code
    assert main(["eval", "export", "clerk", "--url", address, "--key", "gl_x"]) == code


async def test_interrupted_it_takes_the_run_along(shop: Shop) -> None:
    line = [sys.executable, "-m", "goldloop.cli.main", "eval", "run", "clerk"]
    variables = environment() | {"GOLDLOOP_URL": shop.url, "GOLDLOOP_KEY": shop.key}
    process = await asyncio.create_subprocess_exec(*line, env=variables, stderr=subprocess.PIPE)
    assert process.stderr is not None
    first = (await process.stderr.readline()).decode()
    assert first.startswith("run ")
    os.kill(process.pid, signal.SIGINT)
    rest = (await process.stderr.read()).decode()
    assert (await process.wait(), rest) == (2, "the run is cancelled\n")
    (run,) = await shop.runs()
    assert (run["status"], run["stopped"]) == ("cancelled", "cancelled")


AGENTS = """
def careful(run):
    entity, employees = run.message.split()[-2:]
    run.tool("getEntity", entityId=entity)
    run.tool("submitResponse", entityId=entity, values={"employees": int(employees)})
    return f"It has {employees} employees."

def hasty(run):
    entity, employees = run.message.split()[-2:]
    run.tool("getEntity", entityId=entity)
    return f"It has {employees} employees."
"""


async def test_an_exported_set_comes_to_the_same_without_the_server(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exported_clerks.py").write_text(AGENTS)
    assert await shop.command("export", "clerk", "--out", "goldens.json") == 0
    assert "4 goldens of clerk, version 4: goldens.json" in capsys.readouterr().out
    file = json.loads((tmp_path / "goldens.json").read_text())
    assert (file["set"], file["version"], file["baseline"]) == ("clerk", 4, "clerk v1 (hybrid)")
    assert [golden["baseline"] for golden in file["goldens"]] == [{"passes": 5, "runs": 5}] * 4
    assert {golden["floor"] for golden in file["goldens"]} == {"stable"}

    for agent, instructions, code in (("careful", CAREFUL, 0), ("hasty", HASTY, 1)):
        await shop.evals.configure(instructions=instructions, tool_groups=TOOLS)
        line = ("run", "clerk", "--mode", "frozen", "--repeats", "3", "--baseline", "none", "--json")
        assert await shop.command(*line, "--min-pass-rate", "1") == code
        served_answer = json.loads(capsys.readouterr().out)
        local = ["--agent", f"exported_clerks:{agent}", "--repeats", "3", "--json", "--min-pass-rate", "1"]
        assert main(["eval", "run", "--file", "goldens.json", *local]) == code
        answer = json.loads(capsys.readouterr().out)
        for name in ("pass_rate", "counts", "mode"):
            assert answer[name] == served_answer[name], name
        assert by_id(answer) == by_id(served_answer)


def by_id(answer: dict[str, Any]) -> dict[str, Any]:
    return {golden["id"]: (golden["outcomes"], golden["divergence"]) for golden in answer["goldens"]}


async def test_a_set_that_is_not_there_is_not_exported(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await shop.command("export", "nothing") == 4
    assert "golden_set_not_found" in capsys.readouterr().err
    assert await shop.command("export", "clerk", "--out", str(tmp_path / "no" / "such.json")) == 4


MARKED = """
import pytest
from exported_clerks import careful

@pytest.mark.goldloop(set="clerk")
def test_careful(golden):
    golden.check(careful)
"""


async def test_workers_of_pytest_take_the_goldens_of_the_server(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "exported_clerks.py").write_text(AGENTS)
    (tmp_path / "test_marked.py").write_text(MARKED)
    variables = environment() | {
        "GOLDLOOP_URL": shop.url,
        "GOLDLOOP_KEY": shop.key,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    line = [sys.executable, "-m", "pytest", "-p", "goldloop.pytest_plugin", "-p", "xdist", "-n", "2", "-v"]
    process = await asyncio.create_subprocess_exec(*line, cwd=tmp_path, env=variables, stdout=subprocess.PIPE)
    told, _ = await process.communicate()
    assert process.returncode == 0, told.decode()
    assert b"4 passed" in told
    ids = {
        golden["sessionId"] for golden in ok(await shop.evals.admin.get("/api/admin/evals/golden"))["data"]
    }
    assert len(ids) == 4
    assert all(f"test_careful[{golden_id}]" in told.decode() for golden_id in ids)
