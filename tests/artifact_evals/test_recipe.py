"""The recipe of six steps in docs/artifact-evals.md, followed to the letter."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.artifact_evals.folders import write_package
from tests.loops import any_number, some
from tests.servers import environment

PAGE = Path(__file__).resolve().parents[2] / "docs" / "artifact-evals.md"
BIN = Path(sys.executable).parent


def steps() -> dict[int, str]:
    section = PAGE.read_text().partition("## A suite of your own")[2].partition("\n## ")[0]
    parts = re.split(r"^### (\d)\. .+$", section, flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def files(text: str) -> dict[str, str]:
    return dict(
        re.findall(r"^`(evals/\w+\.py)`\n\n```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    )


def shell(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """With the commands of this installation, and of pytest's plugins only ours: the others take their time."""
    ours = {
        "PATH": f"{BIN}:/usr/bin:/bin",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "goldloop.pytest_plugin",
    }
    return subprocess.run(
        line, shell=True, cwd=folder, env=environment(ours), capture_output=True, text=True, timeout=60
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first five steps."""
    folder = tmp_path_factory.mktemp("project")
    for text in some(text for number, text in steps().items() if number < 6):
        for block in any_number(blocks(text, "bash")):
            assert shell(block, folder).returncode == 0
        for name, content in files(text).items():
            (folder / name).write_text(content)
    return folder


def test_there_are_six_steps_and_their_files(project: Path) -> None:
    assert list(steps()) == [1, 2, 3, 4, 5, 6]
    assert {file.name for file in (project / "evals").glob("*.py")} == {
        *("__init__.py", "adapter.py", "rubric.py", "fixtures.py", "suite.py", "test_suite.py")
    }


def test_the_sixth_step_shows_it_on_the_scorecard(project: Path) -> None:
    (command,) = blocks(steps()[6], "bash")
    done = shell(command, project)
    assert (done.returncode, done.stderr) == (0, "")
    assert "runbook  2/2   1/1      1/1     1/1     1/1     1/1     1/1     PASS" in done.stdout
    assert "\033" not in done.stdout


def test_the_test_beside_it_runs_in_ci(project: Path) -> None:
    done = shell("pytest -q evals", project)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout


def test_the_plugin_runs_each_fixture(project: Path) -> None:
    done = shell("pytest -q --artifact-evals-folder evals evals", project)
    assert (done.returncode, "10 passed" in done.stdout) == (0, True), done.stdout


def test_a_field_renamed_in_the_schema_is_found(project: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(project, tmp_path / "renamed", ignore=shutil.ignore_patterns("__pycache__"))
    suite = folder / "evals" / "suite.py"
    suite.write_text(suite.read_text().replace('"service", "owner"', '"service", "team"'))
    done = shell("goldloop scorecard --folder evals", folder)
    assert done.returncode == 1
    assert "the schema has no field `owner`, which the check require_fields uses" in done.stdout
    assert shell("pytest -q evals", folder).returncode == 1


def test_the_entry_point_makes_it_an_installed_suite(project: Path, tmp_path: Path) -> None:
    (text,) = blocks(steps()[6], "toml")
    ((name, value),) = tomllib.loads(text)["project"]["entry-points"]["goldloop.artifact_evals"].items()
    site = write_package(tmp_path / "site", value)
    shutil.copytree(project / "evals", site / "evals")
    done = shell(f"PYTHONPATH={site} goldloop scorecard --suite {name}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 suite, 8 fixtures: all hold" in done.stdout


def test_the_table_and_the_program_on_the_page_are_real(tmp_path: Path) -> None:
    text = PAGE.read_text()
    assert shell("goldloop scorecard", tmp_path).stdout == blocks(text, "text")[0]
    (tmp_path / "program.py").write_text(blocks(text, "python")[0])
    done = shell("python program.py", tmp_path)
    assert (done.stdout, done.stderr) == ("True 1.0\n", "")
