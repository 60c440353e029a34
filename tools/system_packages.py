"""Finds a program on this machine, or installs it with the machine's own package manager where that is allowed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(__file__).resolve().parents[1] / ".cache"
SYSTEM_FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")  # often not on a normal user's PATH

# An installed service must not start because of us, now or at the next boot. Only Debian's kin would do so.
_APT = """
set -e
export DEBIAN_FRONTEND=noninteractive
if [ -d /usr/sbin ] && [ ! -e /usr/sbin/policy-rc.d ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d
    chmod 755 /usr/sbin/policy-rc.d
fi
apt-get update -q
apt-get install -q -y --no-install-recommends {package}
if command -v systemctl > /dev/null; then systemctl disable {package} > /dev/null 2>&1 || true; fi
"""
_MANAGERS = {
    "apt-get": _APT,
    "dnf": "dnf install -y {package}",
    "apk": "apk add --no-cache {package}",
}


def find(*names: str) -> str | None:
    """The first of these programs that is there and runs."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *SYSTEM_FOLDERS])
    places = (shutil.which(name, path=path) for name in names)
    return next((place for place in places if place and runs(place)), None)


def runs(program: str) -> bool:
    """Some systems put a stand-in under a program's name that only says where to get it."""
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def install(package: str) -> str | None:
    """Why it could not be installed, or None when it was."""
    manager = next((name for name in _MANAGERS if shutil.which(name)), None)
    if manager is None:
        return f"no package manager that we know ({', '.join(_MANAGERS)}) is here"
    become_root = _become_root()
    if become_root is None:
        return f"{manager} needs root, and this is a normal user without passwordless sudo"
    print(f"Installing {package} with {manager}", file=sys.stderr, flush=True)
    script = _MANAGERS[manager].format(package=package)
    done = subprocess.run([*become_root, "sh", "-c", script], stdout=sys.stderr, stdin=subprocess.DEVNULL)
    return None if done.returncode == 0 else f"{manager} could not install {package}, see above"


def _become_root() -> list[str] | None:
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def remember(name: str, value: str) -> None:
    """Written to .cache, where the tests look."""
    CACHE.mkdir(exist_ok=True)
    (CACHE / name).write_text(value + "\n")
    print(value)


def forget(name: str) -> None:
    (CACHE / name).unlink(missing_ok=True)
