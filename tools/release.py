"""Builds a release into dist/: the sdist with the built web UI in it, the wheel out of that sdist, and tries the wheel alone.

What may be in them is stated here once. A wheel is tried as somebody has it who installs it: in a new virtual environment
with the locked packages and nothing of this checkout, `goldloop serve --demo` answers with the API, the pages and the demo.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from build_web import BuildFailed
from build_web import build as build_web

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
START_SECONDS = 120
PARTS_OF_SDIST = {"src", "web", "tools", "deploy", "requirements"}  # folders; files beside them are named
FILES_OF_SDIST = {"CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"}
NEEDED = (
    "goldloop/__init__.py",
    "goldloop/py.typed",
    "goldloop/schema.sql",
    "goldloop/web_dist/index.html",
    "goldloop/web_dist/client.js",
)
FORBIDDEN = re.compile(
    r"(^|/)(tests?|node_modules|__pycache__|\.goldloop|\.git|\.venv|\.cache|bench)(/|\Z)"
    r"|\.(pyc|pem|key|env|log|sqlite|dump)\Z|(^|/)(first-password|postgres\.password)"
)
SECRETS = {
    "a private key": rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}",
    "a key of AWS": rb"\bAKIA[0-9A-Z]{16}\b",
    "a key of OpenAI or Anthropic": rb"\bsk-(ant-|proj-)?[A-Za-z0-9_-]{32,}",
    "a token of GitHub": rb"\bgh[pousr]_[A-Za-z0-9]{36}\b",
    "a key of Goldloop": rb"\bgl_[A-Za-z0-9_-]{40,}",
}


class NotReleased(Exception):
    """What is wrong, for the one who releases."""


def version_of(init: str) -> str:
    found = re.search(r'^__version__ = "(\d+\.\d+\.\d+)"$', init, re.MULTILINE)
    if found is None:
        raise NotReleased("src/goldloop/__init__.py has no __version__ of three numbers")
    return found[1]


def faults_of_the_source(
    version: str, *, changelog: str, js_package: str, releases: Mapping[str, int], newest_migration: int
) -> list[str]:
    """Why this source is not that version yet."""
    faults = []
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        faults.append(f"CHANGELOG.md has no section `## [{version}] - YYYY-MM-DD`")
    unreleased = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if unreleased is None or unreleased[1].strip():
        faults.append(
            "CHANGELOG.md needs an empty section `## [Unreleased]`: what is in it is of this version"
        )
    if json.loads(js_package)["version"] != version:
        faults.append(f"clients/js/package.json is not of version {version}")
    if releases.get(version) != newest_migration or list(releases)[-1:] != [version]:
        faults.append(f"migrations/releases.py does not end with {version!r}: {newest_migration}")
    return faults


def faults_of_the_wheel(version: str, names: list[str], migrations: list[str]) -> list[str]:
    tops = {"goldloop", f"goldloop-{version}.dist-info"}
    faults = [f"the wheel has {name}" for name in names if name.partition("/")[0] not in tops]
    wanted = [*NEEDED, *(f"goldloop/migrations/{name}" for name in migrations)]
    faults += [f"the wheel lacks {name}" for name in wanted if name not in names]
    return faults + _forbidden("the wheel", names)


def faults_of_the_sdist(version: str, names: list[str]) -> list[str]:
    """Where every part is under one folder, and the web UI is built."""
    faults = []
    inside = [name.removeprefix(f"goldloop-{version}/") for name in names]
    for name, within in zip(names, inside, strict=True):
        top, _, rest = within.partition("/")
        if name == within or (top not in PARTS_OF_SDIST if rest else top not in FILES_OF_SDIST):
            faults.append(f"the sdist has {name}")
    if "web/dist/index.html" not in inside:
        faults.append("the sdist lacks the built web UI")
    return faults + _forbidden("the sdist", inside)


def _forbidden(where: str, names: list[str]) -> list[str]:
    return [f"{where} has {name}" for name in names if FORBIDDEN.search(name)]


def faults_of_a_file(name: str, content: bytes, places: list[str]) -> list[str]:
    """Secrets, and `places` of the machine that it was made on."""
    faults = [f"{name} has {what}" for what, pattern in SECRETS.items() if re.search(pattern, content)]
    return faults + [f"{name} names {place}" for place in places if place.encode() in content]


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                yield name, wheel.read(name)
        return
    with tarfile.open(path) as sdist:
        for member in sdist.getmembers():
            file = sdist.extractfile(member)
            if file is not None:
                yield member.name, file.read()


def _build(version: str) -> tuple[Path, Path]:
    """The sdist of this checkout, and the wheel of that sdist: who has only the sdist gets the same, without Node.js."""
    if not build_web(ROOT / "web", required=True):
        raise NotReleased("the web UI could not be built")
    shutil.rmtree(DIST, ignore_errors=True)
    _run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", DIST], ROOT)
    sdist = DIST / f"goldloop-{version}.tar.gz"
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sdist) as packed:
            packed.extractall(folder, filter="data")
        unpacked = Path(folder) / f"goldloop-{version}"
        _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", DIST], unpacked)
    wheel = DIST / f"goldloop-{version}-py3-none-any.whl"
    made = sorted(path.name for path in DIST.iterdir() if path.name != ".gitignore")
    if made != sorted([sdist.name, wheel.name]):
        raise NotReleased(f"dist/ has {made}")
    return sdist, wheel


def _check(version: str, sdist: Path, wheel: Path) -> list[str]:
    migrations = [path.name for path in (ROOT / "src/goldloop/migrations").glob("*.sql")]
    places = [str(ROOT), str(Path.home()) + "/"] if str(Path.home()) != "/root" else [str(ROOT)]
    faults = faults_of_the_wheel(version, [name for name, _ in _members(wheel)], migrations)
    faults += faults_of_the_sdist(version, [name for name, _ in _members(sdist)])
    for path in (wheel, sdist):
        for name, content in _members(path):
            faults += faults_of_a_file(f"{path.name}: {name}", content, places)
    return faults


def _try(version: str, wheel: Path) -> None:
    """In a new virtual environment, with nothing of this checkout to be found."""
    folder = Path(tempfile.mkdtemp(prefix="goldloop-release-"))
    folder.chmod(0o755)  # for the account that an embedded PostgreSQL runs as
    try:
        python = folder / "venv" / "bin" / "python"
        venv.create(folder / "venv", with_pip=False, symlinks=True)
        uv: list[str | Path] = [ROOT / ".venv/bin/uv", "pip", "install", "--quiet", "--python", python]
        print("Installing the wheel into a new virtual environment", flush=True)
        _run([*uv, "--require-hashes", "--no-deps", "-r", ROOT / "requirements/server.lock"], folder)
        _run([*uv, "--no-deps", "--offline", wheel], folder)
        goldloop = folder / "venv" / "bin" / "goldloop"
        shown = _run([goldloop, "--version"], folder).strip()
        if shown != f"goldloop {version}":
            raise NotReleased(f"the installed command says {shown!r}")
        with _served(goldloop, folder) as (url, hello):
            _check_answers(url, hello)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _environment() -> dict[str, str]:
    ours = ("GOLDLOOP_", "PYTHONPATH", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


@contextmanager
def _served(goldloop: Path, folder: Path) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command: list[str | Path] = [
        goldloop,
        "serve",
        "--demo",
        "--json",
        "--port",
        str(port),
        "--data-dir",
        folder / "data",
    ]
    print("Starting `goldloop serve --demo` from it", flush=True)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=_environment(), stdout=subprocess.PIPE, stderr=log, text=True
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise NotReleased(f"the server did not start:\n{(folder / 'log').read_text()[-3000:]}")
        yield f"http://127.0.0.1:{port}", json.loads(line)
        process.send_signal(signal.SIGTERM)
        if process.wait(60) != 0:
            raise NotReleased(f"the server ended with {process.returncode}")
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _check_answers(url: str, hello: dict[str, dict[str, str]]) -> None:
    ready = json.loads(_get(f"{url}/readyz")[1])
    page = _get(f"{url}/")[1].decode()
    assets = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page)
    if ready["schema"] != "current" or not assets:
        raise NotReleased(f"/readyz says {ready}, and the page names {len(assets)} assets")
    for path in (*assets, "/client.js", "/widget.js"):
        _get(f"{url}{path}")
    signed_in = urllib.request.Request(
        f"{url}/api/session", json.dumps(hello["demo"]).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(signed_in, timeout=30) as answer:
        cookies = "; ".join(each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie"))
        slug = json.load(answer)["workspaces"][0]["slug"]
    found = _get(f"{url}/api/entities", {"Cookie": cookies, "X-Goldloop-Tenant": slug})
    records = len(json.loads(found[1])["data"])
    if not records:
        raise NotReleased("the demo has no records")
    print(f"It answers: {len(assets)} assets, {records} records of the workspace {slug}", flush=True)


def _get(url: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url, headers=headers or {}), timeout=30
            ) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            raise NotReleased(f"{url} answers {error.code}") from error
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _run(command: list[str | Path], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, env=_environment(), stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise NotReleased(f"`{' '.join(map(str, command[:5]))} …` failed, see above")
    return done.stdout


def _check_source(version: str) -> None:
    sys.path.insert(0, str(ROOT / "src"))
    from goldloop.migrations.files import migrations
    from goldloop.migrations.releases import RELEASES

    faults = faults_of_the_source(
        version,
        changelog=(ROOT / "CHANGELOG.md").read_text(),
        js_package=(ROOT / "clients/js/package.json").read_text(),
        releases=RELEASES,
        newest_migration=len(migrations()),
    )
    if _run(["git", "status", "--porcelain"], ROOT).strip():
        faults.append("the checkout has changes that are not committed")
    if faults:
        raise NotReleased("\n".join(faults))


def main() -> int:
    parser = argparse.ArgumentParser(description="Build and try a release.")
    parser.add_argument(
        "--trial",
        action="store_true",
        help="also of a source that is not ready; what it builds is not for others",
    )
    arguments = parser.parse_args()
    try:
        version = version_of((ROOT / "src/goldloop/__init__.py").read_text())
        if not arguments.trial:
            _check_source(version)
        sdist, wheel = _build(version)
        if faults := _check(version, sdist, wheel):
            raise NotReleased("\n".join(faults))
        _try(version, wheel)
    except (NotReleased, BuildFailed) as problem:
        print(problem, file=sys.stderr)
        return 1
    for path in (sdist, wheel):
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size:,} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
