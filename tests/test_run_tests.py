"""`make test`: every part runs, whatever failed before it, and the end says what failed."""

import sys
from pathlib import Path

import pytest
from run_tests import Part, run_all

REPORT = '<testsuites><testsuite tests="5" failures="1" errors="1" skipped="1"/></testsuites>'


def part(name: str, code: int, report: Path | None = None) -> Part:
    return Part(name=name, command=[sys.executable, "-c", f"raise SystemExit({code})"], report=report)


def test_a_part_that_fails_does_not_keep_the_others_from_running(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    parts = [
        part("first", 1, tmp_path / "none.xml"),
        part("second", 0),
        part("third", 2, report),
        part("last", 0),
    ]
    assert run_all(parts) == 1
    said = capsys.readouterr().out
    assert [line.split()[1] for line in said.splitlines() if line.startswith("== ")] == [
        "first:",
        "second:",
        "third:",
        "last:",
    ]
    assert "make test: first, third failed" in said
    assert "FAILED: no report" in said
    assert "FAILED: 2 failed, 2 passed, 1 skipped" in said
    assert said.endswith("2 passed, 2 failed, 1 skipped\n")


def test_parts_that_all_pass_are_said_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_all([part("only", 0)]) == 0
    assert "make test: every part passed" in capsys.readouterr().out
