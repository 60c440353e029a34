"""The plugin: the same suites as tests, and nothing at all in a run that does not ask."""

import subprocess
import sys
from pathlib import Path

from tests.artifact_evals.folders import write_suite
from tests.servers import environment

TEST = "import sys\ndef test_x():\n    assert not any(n.startswith('goldloop.artifact_evals') for n in sys.modules)\n"


ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "goldloop.pytest_plugin,xdist.plugin"}


def run(folder: Path, *arguments: str, installed: bool = False) -> "subprocess.CompletedProcess[str]":
    """Pytest in a process of its own; with `installed` it finds the plugin, and all others, by itself."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=environment({} if installed else ALONE),
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_run_that_does_not_ask_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "test_theirs.py").write_text(TEST)
    done = run(tmp_path, "-q", installed=True)
    assert (done.returncode, "1 passed" in done.stdout, "goldloop:" in done.stdout) == (0, True, False)


def test_a_suite_is_a_test_for_each_fixture_and_one_for_its_contracts(tmp_path: Path) -> None:
    asked = ("--artifact-evals-suite", "pf_idea", "--artifact-evals-suite", "pf_knowledge")
    done = run(tmp_path, *asked, "-v", installed=True)
    assert done.returncode == 0, done.stdout
    assert "artifact-evals:pf_idea::accepted on one signal PASSED" in done.stdout
    assert "artifact-evals:pf_idea::contracts PASSED" in done.stdout
    assert "goldloop: 38 items of pf_idea, pf_knowledge" in done.stdout
    assert "38 passed" in done.stdout


def test_all_installed_suites_in_two_processes(tmp_path: Path) -> None:
    done = run(tmp_path, "--artifact-evals", "-n", "2", "-q", "-k", "contracts")
    assert (done.returncode, "4 passed" in done.stdout) == (0, True), done.stdout


def test_a_failure_says_what_the_scorecard_says(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "evals", holds=False)
    done = run(tmp_path, "--artifact-evals-folder", folder.name, "-q")
    assert done.returncode == 1
    assert "not decided: should pass, but fails on `safety_human_gate`" in done.stdout
    assert "  safety_human_gate: `decided_by` names nobody, and it is accepted" in done.stdout
    assert "Traceback" not in done.stdout
    assert "1 failed, 17 passed" in done.stdout


def test_a_broken_contract_is_a_failure_of_its_own(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "evals")
    suite = folder / "suite.py"
    suite.write_text(suite.read_text().replace("(*WORKED.fixtures,)", "WORKED.fixtures[:4]"))
    done = run(tmp_path, "--artifact-evals-folder", "evals", "-q")
    assert done.returncode == 1
    assert "nothing proves that `source_grounding` can fail" in done.stdout
    assert "1 failed, 4 passed" in done.stdout


def test_a_suite_that_is_not_there_is_a_wrong_command_line(tmp_path: Path) -> None:
    done = run(tmp_path, "--artifact-evals-suite", "nope")
    assert done.returncode == 4
    assert "ERROR: there is no suite nope" in done.stderr


def test_a_fixture_that_hangs_fails_with_the_reason_and_does_not_hold_up_the_run(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "evals")
    suite = folder / "suite.py"
    hangs = "adapter=lambda record: __import__('time').sleep(1000)"
    suite.write_text(suite.read_text().replace("adapter=WORKED.adapter", hangs))
    done = run(tmp_path, "--artifact-evals-folder", "evals", "-q", "--artifact-evals-timeout", "0.5")
    assert done.returncode == 1
    assert "gave no answer within 0.5 s: the adapter or a check hangs on it" in done.stdout
    assert "17 failed" in done.stdout
