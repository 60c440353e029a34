"""`goldloop eval run` as CI uses it."""

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from goldloop.cli.main import main
from goldloop.evals.golden_files import Baseline, read_goldens

AGENTS = """
def good(run):
    print("this is no part of the answer")
    run.tool("set_price", id=run.message, price=5)
    return "The price is 5."

def bad(run):
    return "The price is 5."
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ten goldens and two agents; each test imports the module under a name of its own."""
    monkeypatch.chdir(tmp_path)
    goldens = [
        {
            "id": f"g{n}",
            "session": {
                "type": "chat",
                "status": "completed",
                "facts": ["5"],
                "events": [
                    {"type": "user.message", "payload": {"text": f"item {n}"}},
                    {
                        "type": "tool.call",
                        "payload": {
                            "id": 1,
                            "name": "set_price",
                            "arguments": {"id": f"item {n}", "price": 5},
                        },
                    },
                    {"type": "tool.result", "payload": {"id": 1, "result": {"ok": True}}},
                    {"type": "agent.message", "payload": {"text": "The price is 5."}},
                ],
            },
        }
        for n in range(10)
    ]
    file = {"format": "goldloop-goldens-1", "set": "prices", "goldens": goldens}
    (tmp_path / "goldens.json").write_text(json.dumps(file))
    (tmp_path / "price_agents.py").write_text(textwrap.dedent(AGENTS))
    return tmp_path


def run(*more: str, agent: str = "price_agents:good", file: str = "goldens.json") -> int:
    return main(["eval", "run", "--file", file, "--agent", agent, *more])


def test_the_story_of_a_change(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--repeats", "3", "--write-baseline", "baseline.json") == 0
    assert "pass rate 100.0%, without a baseline" in capsys.readouterr().out
    kept = [golden.baseline for golden in read_goldens(folder / "baseline.json").goldens]
    assert kept == [Baseline(passes=3, runs=3)] * 10

    worse = ["--repeats", "3", "--junit", "junit.xml", "--summary", "summary.md", "--json"]
    assert run(*worse, agent="price_agents:bad", file="baseline.json") == 1
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["passed"], answer["exit_code"]) == ("regression", False, 1)
    assert answer["interval"]["high"] < 0
    assert {golden["change"] for golden in answer["goldens"]} == {"hard_break"}
    assert answer["goldens"][0]["divergence"] == "The golden's set_price was not done"
    assert '<failure type="gate"' in (folder / "junit.xml").read_text()
    assert (folder / "summary.md").read_text().startswith("### prices, price_agents:bad: failed")

    assert run("--repeats", "3", "--margin", "0.2", file="baseline.json") == 0
    assert "no worse: +0.0 points" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (["--min-pass-rate", "1"], 0),
        (["--min-pass-rate-lower", "0.9"], 1),
        (["--min-pass-rate", "1.5"], 4),
        (["--repeats", "0"], 4),
        (["--junit", "no/such/folder.xml"], 4),
    ],
)
def test_exit_codes(folder: Path, more: list[str], code: int) -> None:
    assert run(*more) == code


@pytest.mark.parametrize(
    "agent", ["price_agents", "price_agents:none", "nowhere_at_all:f", "price_agents:__doc__"]
)
def test_an_agent_that_cannot_be_loaded_is_a_wrong_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str], agent: str
) -> None:
    assert run(agent=agent) == 4
    assert "goldloop: " in capsys.readouterr().err


def test_a_file_without_goldens_is_told_apart(folder: Path) -> None:
    (folder / "none.json").write_text('{"set": "none", "goldens": []}')
    assert run(file="none.json") == 5
    assert run(file="missing.json") == 4
