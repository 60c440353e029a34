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
    output = capsys.readouterr().out
    assert [line.split()[1] for line in output.splitlines() if line.startswith("== ")] == [
        "first:",
        "second:",
        "third:",
        "last:",
    ]
    assert "make test: first, third failed" in output
    assert "FAILED: no report" in output
    assert "FAILED: 2 failed, 2 passed, 1 skipped" in output
    assert output.endswith("2 passed, 2 failed, 1 skipped\n")


def test_a_part_beside_the_others_is_shown_after_them_and_counts_as_they_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    aside = [sys.executable, "-c", "print('what it found'); raise SystemExit(1)"]
    assert run_all([Part(name="aside", command=aside, beside=True), part("only", 0)]) == 1
    output = capsys.readouterr().out
    assert output.index("== only:") < output.index("== aside:") < output.index("what it found")
    assert "make test: aside failed" in output


def test_parts_that_all_pass_are_said_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_all([part("only", 0)]) == 0
    assert "make test: every part passed" in capsys.readouterr().out
