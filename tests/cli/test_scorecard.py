"""`goldloop scorecard` as people and programs use it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from goldloop.cli.main import main
from tests.artifact_evals.folders import write_suite
from tests.servers import GOLDLOOP, environment


def test_it_holds_and_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scorecard"]) == 0
    out = capsys.readouterr().out
    assert "4 suites, 66 fixtures: all hold" in out
    assert "\033" not in out


def test_a_failure_is_explained_and_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_suite(tmp_path / "evals", holds=False)
    assert main(["scorecard", "--folder", str(folder)]) == 1
    out = capsys.readouterr().out
    assert "FAIL  not decided: should pass, but fails on `safety_human_gate`" in out
    assert "safety_human_gate: `decided_by` names nobody, and it is accepted" in out
    assert out.splitlines()[-2] == "1 of 1 suite fails"


def test_json_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_suite(tmp_path / "evals", holds=False)
    assert (
        main(["scorecard", "--folder", str(folder), "--suite", "ours", "--suite", "pf_idea", "--json"]) == 1
    )
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 1
    summary = json.loads(out)
    assert {suite["suite"]: suite["passed"] for suite in summary["suites"]} == {
        "ours": False,
        "pf_idea": True,
    }


def test_out_writes_both_summaries_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        assert main(["scorecard", "--out", str(tmp_path / name / "deep")]) == 0
    first, second = tmp_path / "a" / "deep", tmp_path / "b" / "deep"
    assert f"wrote {first / 'summary.json'} and {first / 'summary.md'}" in capsys.readouterr().out
    for name in ("summary.json", "summary.md"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert json.loads((first / "summary.json").read_text())["passed"] is True
    assert (
        (first / "summary.md")
        .read_text()
        .startswith("# Knowledge scorecard\n\n**4 suites, 66 fixtures: all hold**")
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("--suite nope", "suites_not_loaded"),
        ("--folder /nowhere/at/all", "suites_not_loaded"),
        ("--out /dev/null/x", "cannot_write"),
    ],
)
def test_what_cannot_be_done_ends_with_2(line: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scorecard", "--json", *line.split()]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


@pytest.mark.parametrize(
    ("extra", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_only_on_a_terminal_that_wants_it(extra: dict[str, str], coloured: bool) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*GOLDLOOP, "scorecard", "--suite", "pf_idea"],
        env=environment() | {"TERM": "xterm"} | extra,
        stdout=theirs,
        timeout=60,
    )
    os.close(theirs)
    assert (done.returncode, b"\033[32mPASS" in os.read(ours, 10_000)) == (0, coloured)
    os.close(ours)


def test_a_reader_that_leaves_is_no_error() -> None:
    line = f"{sys.executable} -m goldloop.cli.main scorecard --json | true"
    done = subprocess.run(["bash", "-c", line], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
