"""Makes .venv and installs the locked packages and Goldloop itself into it; does nothing when that is done.

Needs only Python's standard library. Every download is checked against a hash in requirements/*.lock.
What was installed is remembered in .venv/stamps as the hash of what it was installed from.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from locking import only_one

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
UV = VENV / "bin" / "uv"
COMMAND = VENV / "bin" / "goldloop"
STAMPS = VENV / "stamps"
LOCKS = ROOT / "requirements"

# The sets only ever add to each other: the dev and build locks are constrained by the server's.
SETS = {"uv": (), "server": ("build", "server"), "dev": ("build", "server", "dev")}


class InstallFailed(Exception):
    """Something that was needed did not work; the message says what to do."""


def install(wanted: str) -> None:
    with only_one(LOCKS):
        _ensure_venv()
        _once("uv", ["bootstrap.lock"], _install_uv, UV)
        if wanted == "uv":
            return
        locks = [f"{name}.lock" for name in SETS[wanted]]
        _once(wanted, locks, lambda: _install_locks(locks), PYTHON)
        _once("goldloop", ["../pyproject.toml", "build.lock"], _install_goldloop, COMMAND)


def _ensure_venv() -> None:
    """A copied or moved .venv still names its old place in its programs, so it is made again."""
    place = STAMPS / "place"
    if place.exists() and place.read_text() != str(VENV):
        shutil.rmtree(VENV)
    if not _runs(PYTHON, "import pip, sys; sys.exit(sys.version_info < (3, 11))"):
        print(f"Making .venv with Python {sys.version.split()[0]}", flush=True)
        venv.create(VENV, clear=True, with_pip=True, symlinks=True)
    STAMPS.mkdir(exist_ok=True)
    place.write_text(str(VENV))


def _runs(python: Path, program: str) -> bool:
    # The imports that this asks for cost a quarter of a second; a stamp says that they worked.
    if not python.exists():
        return False
    if (STAMPS / "place").exists():
        program = ""
    return subprocess.run([python, "-c", program], capture_output=True).returncode == 0


def _once(name: str, sources: list[str], act: "Callable[[], None]", result: Path) -> None:
    stamp = STAMPS / name
    key = hashlib.sha256(b"\0".join((LOCKS / source).read_bytes() for source in sources)).hexdigest()
    if result.exists() and stamp.exists() and stamp.read_text() == key:
        return
    act()
    stamp.write_text(key)
