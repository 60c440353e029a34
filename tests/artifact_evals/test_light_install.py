"""`pip install goldloop` is enough for the evals: here nothing else is installed."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from goldloop.migrations.files import PACKAGE
from tests.servers import environment

PROGRAM = """
import sys
sys.path[:0] = {paths!r}
from goldloop.cli.main import main
code = main({argv!r})
served = sorted(n for n in sys.modules if n.startswith("goldloop.") and n.split(".")[1] not in ("artifact_evals", "cli", "client", "evals"))
assert not served, served
sys.exit(code)
"""


def light_requirements() -> set[str]:
    """The distributions that an install without extras brings, with all that these require."""
    found, todo = set(), ["goldloop"]
    while todo:
        name = todo.pop()
        for text in metadata.requires(name) or []:
            wanted = text.split(";")[0].strip()
            required = "".join(
                wanted[: next((i for i, c in enumerate(wanted) if c in " <>=!~[("), len(wanted))]
            )
            if "extra ==" not in text and required not in found:
                try:
                    metadata.distribution(required)
                except metadata.PackageNotFoundError:
                    continue  # for another Python or platform
                found.add(required)
                todo.append(required)
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the light distributions alone; Python is run without its own site-packages."""
    folder = tmp_path_factory.mktemp("site")
    for name in light_requirements():
        distribution = metadata.distribution(name)
        for top in {Path(file.parts[0]) for file in distribution.files or () if ".." not in file.parts}:
            if not (folder / top).exists():
                (folder / top).symlink_to(Path(str(distribution.locate_file(top))))
    return folder


def run(site: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    program = PROGRAM.format(paths=[str(site), str(PACKAGE.parent)], argv=list(argv))
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_light_install_is_light() -> None:
    found = light_requirements()
    assert {"msgspec", "httpx"} <= found
    assert not found & {"litestar", "asyncpg", "uvicorn", "procrastinate"}


def test_the_scorecard_runs_without_the_server(site: Path, tmp_path: Path) -> None:
    done = run(site, "scorecard", "--out", str(tmp_path / "card"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 suites, 69 fixtures: all hold" in done.stdout
    assert (tmp_path / "card" / "summary.json").exists()


def test_goldens_of_a_file_are_replayed_without_the_server(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "goldens.json"
    file.write_text(
        '{"set": "one", "goldens": [{"id": "a", "session": {"type": "chat", "status": "completed", "events": []}}]}'
    )
    done = run(site, "eval", "run", "--file", str(file), "--agent", "builtins:id", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"pass_rate": 1.0' in done.stdout


def test_another_command_says_what_is_missing(site: Path) -> None:
    done = run(site, "doctor")
    assert done.returncode == 1
    assert "pip install 'goldloop[server]'" in done.stderr
