"""`goldloop scorecard` as people and programs use it."""

import json
import os
import pty
import signal
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
    assert "4 suites, 69 fixtures: all hold" in out
    assert "\033" not in out


def test_a_failure_is_explained_and_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_suite(tmp_path / "evals", holds=False)
    assert main(["scorecard", "--folder", str(folder)]) == 1
    out = capsys.readouterr().out
    assert "FAIL  not decided: should pass, but fails on `safety_human_gate`" in out
    assert "safety_human_gate: `decided_by` names nobody, and it is accepted" in out
    assert out.splitlines()[-2] == "1 of 1 suite fails"


def change(folder: Path, more: str) -> Path:
    suite = folder / "suite.py"
    suite.write_text(suite.read_text().replace("del WORKED", f"import os, sys, time\n{more}\ndel WORKED"))
    return folder


ADAPTER = """
def odd(record, worked=WORKED.adapter):
    {does}
    return worked(record)
import msgspec
SUITE = msgspec.structs.replace(SUITE, adapter=odd)
"""


@pytest.mark.parametrize("does", ["while True: pass", "time.sleep(1000)"])
def test_a_suite_that_hangs_ends_with_1_and_names_the_fixture(
    does: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = change(write_suite(tmp_path / "evals"), ADAPTER.format(does=does))
    line = ["scorecard", "--folder", str(folder), "--suite", "ours", "--suite", "pf_idea", "--timeout", "0.5"]
    assert main(line) == 1
    out = capsys.readouterr().out
    name = "Show where a refund is"
    assert f"FAIL  {name}: gave no answer within 0.5 s: the adapter or a check hangs on it" in out
    assert f"not judged, because “{name}” gave no answer" in out
    assert "pf_idea  4/4" in out, "the other suite is judged"


def test_the_limit_gives_back_an_alarm_that_was_set(tmp_path: Path) -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, 1000.0)
    try:
        assert main(["scorecard", "--suite", "pf_idea"]) == 0
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert left > 800, "more than the limits of all fixtures together: it is the alarm of before"
        signal.raise_signal(signal.SIGALRM)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]


@pytest.mark.parametrize(
    ("more", "ends"),
    [(ADAPTER.format(does="sys.exit(0)"), 1), ("sys.exit(0)", 2)],
    ids=["while it judges", "while it is imported"],
)
def test_a_suite_that_exits_does_not_end_with_0(
    more: str, ends: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = change(write_suite(tmp_path / "evals"), more)
    assert main(["scorecard", "--folder", str(folder)]) == ends
    captured = capsys.readouterr()
    assert "SystemExit" in captured.out + captured.err


def test_what_a_suite_prints_is_no_part_of_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = change(
        write_suite(tmp_path / "evals"), "print('imported')" + ADAPTER.format(does="print('judged')")
    )
    assert main(["scorecard", "--folder", str(folder), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["passed"] is True
    assert "imported" in captured.err
    assert "judged" in captured.err


def test_a_terminal_that_cannot_show_a_character_is_no_reason_to_fail(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "evals", "für_書", holds=False)
    done = subprocess.run(
        [*GOLDLOOP, "scorecard", "--folder", str(folder)],
        env=environment({"PYTHONIOENCODING": "ascii"}),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "f\\xfcr_\\u66f8" in done.stdout


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
        .startswith("# Artifact evals scorecard\n\n**4 suites, 69 fixtures: all hold**")
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
        timeout=120,
    )
    os.close(theirs)
    assert (done.returncode, b"\033[32mPASS" in os.read(ours, 10_000)) == (0, coloured)
    os.close(ours)


def test_a_reader_that_leaves_is_no_error() -> None:
    line = f"{sys.executable} -m goldloop.cli.main scorecard --json | true"
    done = subprocess.run(
        ["bash", "-c", line], env=environment(), capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
