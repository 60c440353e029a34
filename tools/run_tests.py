"""Runs every part of the tests in turn, whatever failed before it, and sums up. `make test` prepares it.

`make check` runs the parts that need no database.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ROOT / ".cache" / "test-reports"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    name: str
    command: list[str]
    folder: Path = ROOT
    report: Path | None = None  # JUnit XML, for the counts in the summary
    beside: bool = (
        False  # keeps one core busy: it begins with the first part, and its output is shown at its turn
    )


def _pytest(name: str, *arguments: str) -> Part:
    report = REPORTS / f"{name}.xml"
    command = [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments]
    return Part(name=name, command=command, report=report)


def _vitest(name: str) -> Part:
    report = REPORTS / f"{name}.xml"
    reporters = ["--reporter=default", "--reporter=junit", f"--outputFile.junit={report}"]
    return Part(name=name, command=["npm", "test", "--", *reporters], folder=ROOT / "web", report=report)


LINT = (
    Part(name="ruff", command=[sys.executable, "-m", "ruff", "check"]),
    Part(name="ruff-format", command=[sys.executable, "-m", "ruff", "format", "--check"]),
    Part(name="mypy", command=[sys.executable, "-m", "mypy"], beside=True),
)
CHECK = (
    *LINT,
    # A file at a time: what one prepares for all its tests is prepared once.
    _pytest("pytest", "-q", "-n", "2", "--dist", "loadfile", "-m", "not database and not slow"),
)
TEST = (
    *LINT,
    Part(name="oxlint", command=["npm", "run", "--silent", "lint"], folder=ROOT / "web"),
    # More than there are cores: many of the slowest wait for processes that start, die and come back.
    _pytest("pytest", "-n", "4", "--dist", "worksteal", "--ignore=tests/e2e"),
    _vitest("vitest"),
    _pytest("pytest-e2e", "-n", "2", "--dist", "loadfile", "tests/e2e"),
)


def environment() -> dict[str, str]:
    """What Python compiles is kept, also where it is told not to: the tests start it hundreds of times."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(ROOT / ".cache" / "bytecode")}


@dataclass(frozen=True, slots=True)
class Running:
    """A part that was begun, and what it has to say so far where that is shown later."""

    process: subprocess.Popen[bytes]
    output: IO[bytes] | None
    started: float

    def finish(self) -> bool:
        passed = self.process.wait() == 0
        if self.output:
            self.output.seek(0)
            print(self.output.read().decode(errors="replace"), end="", flush=True)
            self.output.close()
        return passed


def begin(part: Part) -> Running:
    output = tempfile.TemporaryFile() if part.beside else None  # noqa: SIM115 (finish closes it)
    process = subprocess.Popen(
        part.command, cwd=part.folder, env=environment(), stdout=output, stderr=output and subprocess.STDOUT
    )
    return Running(process, output, time.monotonic())


def counts(report: Path) -> Counter[str]:
    """passed, failed and skipped, as the report has them."""
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    found: Counter[str] = Counter()
    for suite in suites:
        bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped = int(suite.get("skipped", 0))
        found += Counter(passed=int(suite.get("tests", 0)) - bad - skipped, failed=bad, skipped=skipped)
    return found


def in_words(found: Counter[str]) -> str:
    return (
        ", ".join(f"{found[word]} {word}" for word in ("failed", "passed", "skipped") if found[word])
        or "no tests"
    )


def summary(part: Part, passed: bool, seconds: float) -> tuple[str, Counter[str]]:
    """A line about one part, and its counts. One that broke off has no report."""
    found = counts(part.report) if part.report and part.report.exists() else None
    outcome = in_words(found) if found is not None else "clean" if passed else "no report"
    return f"  {part.name:12} {'' if passed else 'FAILED: '}{outcome} in {seconds:.1f}s", found or Counter()


def run_all(parts: Sequence[Part], name: str = "test") -> int:
    lines: list[str] = []
    failed: list[str] = []
    total: Counter[str] = Counter()
    begun = {part.name: begin(part) for part in parts if part.beside}
    for part in sorted(parts, key=lambda part: part.beside):
        print(f"\n== {part.name}: {' '.join(part.command[1:])}", flush=True)
        running = begun.get(part.name) or begin(part)
        passed = running.finish()
        line, found = summary(part, passed, time.monotonic() - running.started)
        lines.append(line)
        total += found
        failed += [] if passed else [part.name]
    outcome = f"{', '.join(failed)} failed" if failed else "every part passed"
    print(f"\nmake {name}: {outcome}", *lines, "", sep="\n")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped", flush=True)
    return 1 if failed else 0


def main(name: str = "test") -> int:
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    return run_all({"test": TEST, "check": CHECK}[name], name)


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(*sys.argv[1:]))
