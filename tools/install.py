"""Makes .venv and installs the locked packages and Goldloop itself into it; does nothing when that is done.

Needs only Python's standard library. Every download is checked against a hash in requirements/*.lock.
What was installed is remembered in .venv/stamps, as the hash of what it was installed from.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

from locking import only_one

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ROOT / "requirements"
VENV = ROOT / ".venv"
STAMPS = VENV / "stamps"
PYTHON = VENV / "bin" / "python"
UV = VENV / "bin" / "uv"

# One set never undoes another: the dev lock is constrained by the server's, and the build lock by both.
SETS = {"uv": [], "server": ["build.lock", "server.lock"], "dev": ["build.lock", "dev.lock"]}


class InstallFailed(Exception):
    """A step that did not work; the message says which."""


def install(wanted: str) -> None:
    with only_one(LOCKS):
        _ensure_venv()
        _once("uv", [LOCKS / "bootstrap.lock"], UV, _install_uv)
        if wanted == "uv":
            return
        locks = [LOCKS / name for name in SETS[wanted]]
        _once(wanted, locks, PYTHON, lambda: _install_locked(wanted, locks))
        sources = [ROOT / "pyproject.toml", LOCKS / "build.lock"]
        _once("goldloop", sources, VENV / "bin" / "goldloop", _install_goldloop)


def _ensure_venv() -> None:
    place = STAMPS / "place"
    moved = place.exists() and place.read_text() != str(VENV)  # its programs name the place it was made for
    if moved or not _is_new_enough(PYTHON):
        print(f"Making .venv with Python {sys.version.split()[0]}", flush=True)
        if VENV.exists():
            shutil.rmtree(VENV)
        venv.create(VENV, with_pip=True, symlinks=True)
    STAMPS.mkdir(exist_ok=True)
    place.write_text(str(VENV))


def _is_new_enough(python: Path) -> bool:
    if not python.exists():
        return False
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([python, "-c", check], capture_output=True).returncode == 0


def _once(name: str, sources: list[Path], result: Path, act: Callable[[], None]) -> None:
    stamp = STAMPS / name
    key = hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()
    if result.exists() and stamp.exists() and stamp.read_text() == key:
        return
    act()
    stamp.write_text(key)


def _install_uv() -> None:
    lock = LOCKS / "bootstrap.lock"
    _run("uv", [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", lock])


def _install_locked(wanted: str, locks: list[Path]) -> None:
    print(f"Installing the packages of {', '.join(lock.name for lock in locks)}", flush=True)
    files = [part for lock in locks for part in ("-r", lock)]
    _run(
        f"{wanted} packages",
        [UV, "pip", "install", "--quiet", "--python", PYTHON, "--require-hashes", "--no-deps", *files],
    )


def _install_goldloop() -> None:
    """Editable, with the build tools that are already there: nothing is downloaded."""
    alone = ["--no-deps", "--no-build-isolation", "--offline", "--reinstall"]
    _run("Goldloop itself", [UV, "pip", "install", "--quiet", "--python", PYTHON, *alone, "--editable", ROOT])


def _run(what: str, command: list[str | Path]) -> None:
    environment = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if subprocess.run(command, cwd=ROOT, env=environment).returncode != 0:
        raise InstallFailed(
            f"Could not install {what}; the reason is above. Running make again goes on from here."
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Install Goldloop into .venv.")
    parser.add_argument("set", choices=list(SETS))
    wanted = parser.parse_args().set
    try:
        install(wanted)
    except (InstallFailed, OSError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
