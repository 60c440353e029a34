"""Tests that are marked `goldloop`, as pytest runs them where the package is installed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import environment

MODULE = """
import pytest

def good(run):
    run.tool("set_price", id=run.message)
    return "The price is 5."

def bad(run):
    return "The price is 5."

@pytest.mark.goldloop(set="prices")
def test_good(golden):
    assert golden.replay(good).passed

@pytest.mark.goldloop(set="prices")
def test_bad(golden):
    assert golden.replay(bad).passed

@pytest.mark.goldloop(set="prices")
def test_checked(golden):
    golden.check(bad)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    goldens = [
        {
            "id": f"g{n}",
            "session": {
                "type": "chat",
                "status": "completed",
                "events": [
                    {"type": "user.message", "payload": {"text": f"item {n}"}},
                    {"type": "tool.call", "payload": {"id": 1, "name": "set_price", "arguments": {"id": f"item {n}"}}},
                    {"type": "tool.result", "payload": {"id": 1, "result": {"ok": True}}},
                    {"type": "agent.message", "payload": {"text": "The price is 5."}},
                ],
            },
        }
        for n in (2, 0, 1)
    ]  # fmt: skip
    file = {"format": "goldloop-goldens-1", "set": "prices", "goldens": goldens}
    (tmp_path / "goldloop.json").write_text(json.dumps(file))
    (tmp_path / "test_prices.py").write_text(MODULE)
    return tmp_path


def run(folder: Path, *words: str) -> tuple[int, str]:
    variables = environment() | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    line = [sys.executable, "-m", "pytest", "-p", "goldloop.pytest_plugin", "-p", "no:cacheprovider", *words]
    done = subprocess.run(line, cwd=folder, env=variables, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_a_marked_test_runs_with_each_golden_by_its_id(folder: Path) -> None:
    code, told = run(folder, "-v")
    assert code == 1
    assert re.findall(r"::(test_good\[\w+\]) PASSED", told) == [
        "test_good[g0]",
        "test_good[g1]",
        "test_good[g2]",
    ]
    assert "6 failed, 3 passed" in told
    assert "where False = <failed: The golden's set_price was not done" in told
    assert "\nThe golden's set_price was not done; set_price was not called" in told


def test_workers_of_xdist_collect_the_same(folder: Path) -> None:
    code, told = run(folder, "-p", "xdist", "-n", "2", "-k", "good")
    assert (code, "3 passed" in told) == (0, True), told


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "goldloop.json").write_text("{"), "goldloop: "),
        (lambda f: (f / "goldloop.json").unlink(), "GOLDLOOP_URL"),
        (lambda f: (f / "test_prices.py").write_text(MODULE.replace("prices", "other")), "has the set prices"),
        (
            lambda f: (f / "test_prices.py").write_text(
                "import pytest\n@pytest.mark.goldloop(set='prices')\ndef test_x(): pass\n"
            ),
            "does not take golden",
        ),
    ],
)  # fmt: skip
def test_goldens_that_cannot_be_read_are_a_wrong_command_line(
    folder: Path, change: object, message: str
) -> None:
    assert callable(change)
    change(folder)
    code, told = run(folder)
    assert (code != 0, message in told) == (True, True), told


def test_nothing_of_goldloop_is_imported_where_no_test_is_marked(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(
        "import sys\n\ndef test_x():\n    assert not {'goldloop.evals', 'goldloop.client', 'httpx'} & sys.modules.keys()\n"
    )
    code, told = run(tmp_path)
    assert code == 0, told
