"""What a suite does to the process that it judges in, and that the worker is none the worse for it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from goldloop.artifact_evals.suites.pf_knowledge import SUITE
from goldloop.artifact_runs import judges
from goldloop.artifact_runs.judges import Judges
from goldloop.artifact_runs.judging import RecordRow, Task
from goldloop.artifact_runs.surfaces import KnownSurfaces
from tests.artifact_evals.folders import write_package
from tests.servers import environment

CONTENT = SUITE.fixtures[0].record["content"]
MODULE = """
import os, re, signal, sys, time
import msgspec
from goldloop.artifact_evals.suites.pf_knowledge import SUITE as WORKED


def adapter(record):
    exec(record["title"])
    return WORKED.adapter(record)


SUITE = msgspec.structs.replace(WORKED, name="acme", adapter=adapter)
"""
FINE = "pass"
SURFACES: KnownSurfaces = {"view": frozenset({"product-knowledge"})}


def row(number: int, does: str) -> RecordRow:
    return RecordRow(id=UUID(int=number), title=does, content=CONTENT)


Judging = Callable[..., Judges]


@pytest.fixture(autouse=True)
def in_one_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "SLICE_SECONDS", 60.0)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Judging]:
    """Judges with a suite that does what the title of a record says."""
    made: list[Judges] = []

    def make(
        module: str = MODULE, seconds: float = 1.0, loading: float = 30.0, suite: str = "acme"
    ) -> Judges:
        site = write_package(tmp_path / f"site{len(made)}", "acme_suites:SUITE", module)
        task = Task(
            suite=suite,
            entity_type="pf_knowledge",
            tenant="northwind",
            surfaces=SURFACES,
            path=(str(site), *sys.path),
            seconds=seconds,
            loading_seconds=loading,
        )
        made.append(Judges(task))
        return made[-1]

    yield make
    for each in made:
        each.close()


def reasons(found: Judges, *does: str) -> list[str]:
    """What is said of each record; empty for one that passes."""
    verdicts = found.judge([row(number, each) for number, each in enumerate(does)])
    assert [verdict.entity_id.int for verdict in verdicts] == list(range(len(verdicts)))
    return [verdict.gaps[0].reason if verdict.gaps else "" for verdict in verdicts]


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("while True: pass", "the suite gave no answer within 1 s"),
        ("time.sleep(1000)", "the suite gave no answer within 1 s"),
        ("re.match('(a*)*b', 'a' * 60)", "the suite gave no answer within 1 s"),
        (
            "while True:\n  try: time.sleep(9)\n  except BaseException: pass",
            "the suite gave no answer within 1 s",
        ),
        ("signal.alarm(0)\nwhile True: pass", "the suite gave no answer within 1 s"),
        ("os.fork() or time.sleep(1000)\nos._exit(7)", "the suite gave no answer within 1 s"),
        ("os._exit(7)", "the suite ended its process with code 7"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "the suite's process was ended by SIGKILL"),
        ("sys.exit(0)", "the adapter crashed: SystemExit “0”"),
        ("1 / 0", "the adapter crashed: ZeroDivisionError “division by zero”"),
        ("def f(): f()\nglobals()['f'] = f\nf()", "the adapter crashed: RecursionError"),
    ],
)
def test_a_record_that_ends_the_process_or_hangs_has_that_as_its_reason_and_the_next_is_judged(
    does: str, reason: str, start: Judging
) -> None:
    found = start()
    before, ending, after = reasons(found, FINE, does, FINE)
    assert (before, after, found.fault) == ("", "", None)
    assert ending.startswith(reason)


def test_a_suite_that_loses_a_few_records_is_given_up(start: Judging) -> None:
    found = start(seconds=1)
    hangs = "while True: pass"
    assert len(reasons(found, hangs, FINE, hangs, hangs, FINE)) == 4, "what comes after is not judged"
    assert found.fault == (
        "The suite acme was given up after 3 records, the last of them “while True: pass”: "
        "the suite gave no answer within 1 s"
    )


def test_what_a_suite_prints_is_no_answer(start: Judging) -> None:
    noisy = "print('{}'); os.write(1, b'null\\n'); sys.stdout.flush(); os.system('echo []')"
    assert reasons(start(seconds=10), noisy, FINE) == ["", ""]


def test_a_suite_does_not_see_our_settings(start: Judging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDLOOP_DATABASE_URL", "postgresql://secret")
    monkeypatch.setenv("ACME_SETTING", "theirs")
    ours = "assert not [name for name in os.environ if name.startswith('GOLDLOOP_')]"
    assert reasons(start(), ours, "assert os.environ['ACME_SETTING'] == 'theirs'") == ["", ""]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"suite": "gone"}, "there is no suite gone"),
        ({"module": "raise RuntimeError('half installed')"}, "RuntimeError: half installed"),
        ({"module": "while True: pass", "loading": 0.5}, "the suite gave no answer within 0.5 s"),
        ({"module": "import os; os._exit(3)"}, "the suite ended its process with code 3"),
    ],
    ids=["gone", "raises", "hangs", "exits"],
)
def test_a_suite_that_cannot_be_loaded_is_a_fault_and_no_record_is_to_blame(
    options: dict[str, Any], fault: str, start: Judging
) -> None:
    found = start(**options)
    assert reasons(found, FINE, FINE) == []
    assert found.fault is not None
    assert fault in found.fault


def test_slow_records_are_judged_in_slices(start: Judging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "SLICE_SECONDS", 0.5)
    found = start(seconds=10)
    assert reasons(found, FINE) == [""], "so that starting it takes no time below"
    assert 1 <= len(reasons(found, *["time.sleep(0.2)"] * 30)) < 10
    assert found.fault is None


def test_closing_ends_what_is_being_judged(start: Judging) -> None:
    found = start(seconds=60)
    assert reasons(found, FINE) == [""]
    judging = threading.Thread(target=found.judge, args=([row(1, "while True: pass"), row(2, FINE)],))
    judging.start()
    time.sleep(0.3)
    found.close()
    judging.join(60)
    assert not judging.is_alive()
    assert reasons(found, FINE) == [], "and starts no other"


def test_what_a_suite_has_started_ends_with_it(start: Judging, tmp_path: Path) -> None:
    found, note = start(seconds=10), tmp_path / "pid"
    starts = f"pid = os.fork()\nopen({str(note)!r}, 'w').write(str(pid)) if pid else time.sleep(1000)"
    assert reasons(found, starts, FINE) == ["", ""]
    child = int(note.read_text())
    assert _is_running(child)
    found.close()
    deadline = time.monotonic() + 60
    while _is_running(child):
        assert time.monotonic() < deadline
        time.sleep(0.02)


WORKER = """
import sys
from tests.artifact_runs.test_judges import row
from goldloop.artifact_runs.judges import Judges
from goldloop.artifact_runs.judging import Task
import msgspec
found = Judges(msgspec.json.decode(sys.argv[1], type=Task))
found.judge([row(0, "pass")])
print(found._process.pid, flush=True)
found.judge([row(1, sys.argv[2])])
"""


@pytest.mark.parametrize("busy", ["pass", "while True: pass"], ids=["idle", "hanging"])
def test_the_process_ends_when_its_worker_is_killed(busy: str, start: Judging) -> None:
    task = start(seconds=2).task
    root = str(Path(__file__).resolve().parents[3])
    waits = f"{WORKER}\nimport time; time.sleep(60)"
    worker = subprocess.Popen(
        [sys.executable, "-c", waits, msgspec.json.encode(task).decode(), busy],
        env=environment({"PYTHONPATH": os.pathsep.join([str(Path(root) / "src"), root])}),
        stdout=subprocess.PIPE,
        text=True,
    )
    with worker:
        assert worker.stdout is not None
        child = int(worker.stdout.readline())
        time.sleep(0.3)
        os.kill(child, 0)
        worker.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 60
    while _is_running(child):
        assert time.monotonic() < deadline, "an orphan judges on"
        time.sleep(0.05)


def _is_running(pid: int) -> bool:
    """A process that has ended and that nobody has looked after yet does not run."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
