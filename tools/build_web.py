"""Builds the web UI and the clients in JavaScript into web/dist when their sources have changed since that was last done.

web/dist/.stamp is the hash of every source file; web/node_modules/.stamp that of the files that decide
which packages are installed. A build goes to a folder of its own first, so web/dist is whole or absent.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from locking import only_one

NODE_NEEDED = (20, 19)  # the oldest that Vite 8 runs on
STAMP = ".stamp"
WORK = ".build"  # holds its own .gitignore; gone after each build
NOT_SOURCES = {"node_modules", "dist", "coverage", WORK}
CLIENTS = "clients"  # beside web/, and built with it
PACKAGED = f"{CLIENTS}/js/dist/index.js"
PACKAGE_FILES = ("package.json", "package-lock.json", ".npmrc")


class BuildFailed(Exception):
    """npm was there and did not do it."""


def build(web: Path, required: bool = False) -> bool:
    """Whether web/dist is there and current. False only where Node is missing or too old; it says so."""
    with only_one(web) as lock:
        key = _hash(web, _sources(web))
        if _stamped(web / "dist", key) and (web.parent / PACKAGED).is_file():
            return True
        if not _node_is_there("needs" if required else "is not built now: it needs"):
            return False
        _install_packages(web, lock)
        _build(web, key, lock)
    return True


def install_packages(web: Path) -> bool:
    """Whether node_modules is there and current: what the tests and the generator of the client need."""
    with only_one(web) as lock:
        if _stamped(web / "node_modules", _packages_key(web)):
            return True
        if not _node_is_there("needs"):
            return False
        _install_packages(web, lock)
    return True


def _install_packages(web: Path, lock: int) -> None:
    key = _packages_key(web)
    if _stamped(web / "node_modules", key):
        return
    print("Installing the web UI's packages", flush=True)
    _npm(web, lock, "ci", "--no-audit", "--no-fund")
    _write_stamp(web / "node_modules", key)


def _build(web: Path, key: str, lock: int) -> None:
    print("Building the web UI", flush=True)
    work, old, new, dist = web / WORK, web / WORK / "old", web / WORK / "dist", web / "dist"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        (work / ".gitignore").write_text("*\n")
        _npm(
            web, lock, "run", "build", "--", "--outDir", f"{WORK}/dist", "--emptyOutDir", "--logLevel", "warn"
        )
        if not (new / "index.html").is_file():
            raise BuildFailed("The web UI's build made no index.html")
        _write_stamp(new, key)
        if dist.exists():
            dist.rename(old)
        new.rename(dist)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _npm(web: Path, lock: int, *arguments: str) -> None:
    command = ["npm", *arguments]
    environment = os.environ | {"npm_config_update_notifier": "false"}
    if subprocess.run(command, cwd=web, env=environment, pass_fds=(lock,)).returncode != 0:
        raise BuildFailed(
            f"The web UI could not be built: `{' '.join(command[:3])}` failed in web/, see above"
        )


def _node_is_there(what_it_does: str) -> bool:
    version = _node_version()
    if version >= NODE_NEEDED and shutil.which("npm"):
        return True
    needed = ".".join(map(str, NODE_NEEDED))
    if version == ():
        found = "no `node` was found on the PATH"
    elif version < NODE_NEEDED:
        found = f"`node` is version {'.'.join(map(str, version))}"
    else:
        found = "`node` is there and no `npm` was found on the PATH"
    print(
        f"The web UI {what_it_does} Node.js {needed} or newer with npm: {found}", file=sys.stderr, flush=True
    )
    return False


def _node_version() -> tuple[int, ...]:
    node = shutil.which("node")
    if node is None:
        return ()
    output = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    return tuple(map(int, re.findall(r"\d+", output)[:3]))


def _sources(web: Path) -> list[Path]:
    clients = web.parent / CLIENTS
    return sorted([*_files(web), *(_files(clients) if clients.is_dir() else ())])


def _files(folder: Path) -> Iterator[Path]:
    for entry in os.scandir(folder):
        if entry.name in NOT_SOURCES:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file():
            yield Path(entry.path)


def _packages_key(web: Path) -> str:
    return _hash(web, [web / name for name in PACKAGE_FILES if (web / name).exists()])


def _hash(web: Path, files: list[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        name = Path(os.path.relpath(file, web)).as_posix()
        whole.update(f"{hashlib.sha256(file.read_bytes()).hexdigest()} {name}\n".encode())
    return whole.hexdigest()


def _stamped(folder: Path, key: str) -> bool:
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text() == key


def _write_stamp(folder: Path, key: str) -> None:
    (folder / STAMP).write_text(key)


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the web UI where its sources have changed.")
    parser.add_argument("--required", action="store_true", help="fail where Node.js is missing")
    parser.add_argument(
        "--packages", action="store_true", help="only install its packages; fails without Node.js"
    )
    arguments = parser.parse_args()
    web = Path(__file__).resolve().parents[1] / "web"
    try:
        done = install_packages(web) if arguments.packages else build(web, arguments.required)
    except BuildFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0 if done or not (arguments.required or arguments.packages) else 1


if __name__ == "__main__":
    sys.exit(main())
