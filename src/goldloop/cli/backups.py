"""`goldloop backup` and `goldloop restore`: the whole installation, the database and the blobs, while the server runs.

A backup is a folder with `database.dump`, `blobs/` and `backup.json`, which is written last, or a tar file of it. No blob is
deleted while one is made, so that every blob that the dump names is in it. A restore writes the blobs first and the database in one
transaction: whatever ends it half-way leaves an empty database.
"""

import argparse
import asyncio
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from goldloop import __version__
from goldloop.cli.output import CommandError, Output
from goldloop.cli.serve import settings_of
from goldloop.erasures.row_store import BACKUP_LOCK
from goldloop.kit.blobs import BlobStore
from goldloop.kit.clock import now
from goldloop.kit.db import APP_ROLE, ERASER_ROLE, WORKER_ROLE, connect
from goldloop.kit.embedded_postgres import HolderKind, bin_dir, superuser_url
from goldloop.kit.logs import set_up_logs
from goldloop.kit.settings import Settings
from goldloop.migrations import runner
from goldloop.migrations.files import migrations
from goldloop.outside import blobs_of
from goldloop.server import Urls, database_urls

FORMAT = 1
DUMP, BLOBS, ABOUT = "database.dump", "blobs", "backup.json"
AT_ONCE = 8  # blobs that are copied at the same time
LOCK_SECONDS = 600.0  # for blobs that are being deleted, or another backup


async def backup(arguments: argparse.Namespace, output: Output) -> None:
    target = Path(arguments.target).absolute()
    if target.exists():
        raise CommandError(f"{target} exists: a backup is not written over another")
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    partial = target.with_name(target.name + ".partial")
    if partial.exists():
        shutil.rmtree(partial)  # of one that was ended half-way
    partial.mkdir(parents=True, mode=0o700)
    async with database_urls(settings, HolderKind.COMMAND) as urls:
        url = arguments.url or _reader(settings, urls)
        async with _blobs_kept(urls) as versions:
            await _run("pg_dump", ["--format=custom", f"--file={partial / DUMP}"], url)
            copied = await _copy_out(blobs_of(settings), partial / BLOBS)
    about = {
        "format": FORMAT,
        "goldloop": __version__,
        "made_at": now().isoformat(),
        "migrations": versions,
        "database_bytes": (partial / DUMP).stat().st_size,
        "blobs": copied,
    }
    _write(partial / ABOUT, json.dumps(about, indent=2).encode())
    if target.suffix == ".tar":
        await asyncio.to_thread(_pack, partial, target)
    else:
        partial.rename(target)
    output.result(
        {"target": str(target), **about},
        f"{target}: the database and {copied} blobs as of {about['made_at']}",
    )


def _reader(settings: Settings, urls: Urls) -> str:
    """Who may read every row: row-level security binds the owner of the tables as well."""
    return urls.direct if settings.database_url else superuser_url(settings.data_dir)


@asynccontextmanager
async def _blobs_kept(urls: Urls) -> AsyncIterator[list[int]]:
    """No blob is deleted meanwhile; the migrations that the database has."""
    connection = await connect(urls.direct)
    try:
        status = await runner.status(connection)
        if not status.applied:
            raise CommandError("there is nothing to back up: nothing was ever migrated here")
        await connection.execute("SELECT pg_advisory_lock($1)", BACKUP_LOCK, timeout=LOCK_SECONDS)
        yield status.applied
    finally:
        await connection.close()


async def _copy_out(blobs: BlobStore, folder: Path) -> int:
    folder.mkdir(mode=0o700)
    slots = asyncio.Semaphore(AT_ONCE)

    async def copy(key: str) -> int:
        async with slots:
            content = await blobs.get(key)
            if content is None:
                return 0  # one that no row names was replaced or taken away
            await asyncio.to_thread(_write, folder / key, content)
            return 1

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(copy(blob.key)) async for blob in blobs.list()]
    return sum(task.result() for task in tasks)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _pack(folder: Path, target: Path) -> None:
    packed = target.with_name(target.name + ".packing")
    with tarfile.open(packed, "w") as archive:
        for name in (ABOUT, DUMP, BLOBS):
            archive.add(folder / name, arcname=name)
    packed.rename(target)
    shutil.rmtree(folder)


async def restore(arguments: argparse.Namespace, output: Output) -> None:
    source = Path(arguments.source).absolute()
    if not source.exists():
        raise CommandError(f"{source} is not there")
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    with _Unpacked(source) as folder:
        about = _read_about(folder)
        async with database_urls(settings, HolderKind.COMMAND) as urls:
            await _check_empty(urls)
            blobs = blobs_of(settings)
            keys = sorted(str(each.relative_to(folder / BLOBS)) for each in _files(folder / BLOBS))
            await _check_blobs(blobs, set(keys))
            await _copy_in(blobs, folder / BLOBS, keys)
            await _make_roles(urls)
            await _restore_database(folder, arguments.url or urls.direct)
    output.result(
        {"source": str(source), **about, "blobs": len(keys)},
        f"restored the database and {len(keys)} blobs of {about['made_at']}",
    )


class _Unpacked:
    """The folder of a backup, unpacked where it is a file."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.made: str | None = None

    def __enter__(self) -> Path:
        if self.source.is_dir():
            return self.source
        self.made = tempfile.mkdtemp(prefix="goldloop-restore-", dir=self.source.parent)
        try:
            with tarfile.open(self.source) as archive:
                archive.extractall(self.made, filter="data")
        except tarfile.TarError as error:
            self.__exit__()
            raise CommandError(f"{self.source} is no backup: {error}") from error
        return Path(self.made)

    def __exit__(self, *_: object) -> None:
        if self.made:
            shutil.rmtree(self.made, ignore_errors=True)


def _read_about(folder: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads((folder / ABOUT).read_text())
        found_format, versions = about["format"], about["migrations"]
    except (OSError, ValueError, KeyError) as error:
        raise CommandError(f"{folder} is no whole backup: {ABOUT} cannot be read") from error
    if found_format != FORMAT:
        raise CommandError(f"this backup has format {found_format}, and this version reads {FORMAT}")
    known = {migration.version for migration in migrations()}
    if unknown := sorted(set(versions) - known):
        raise CommandError(f"this backup is of a newer version of Goldloop: it has migration {unknown[0]:04}")
    return about


def _files(folder: Path) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file()]


async def _check_empty(urls: Urls) -> None:
    connection = await connect(urls.direct)
    try:
        found = await connection.fetchval(
            """
            SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN ('public', 'procrastinate') AND c.relkind IN ('r', 'p') AND NOT EXISTS (
                SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') ORDER BY 1 LIMIT 1
            """
        )
    finally:
        await connection.close()
    if found:
        raise CommandError(
            f"the database is not empty (it has {found}): a backup is restored into an empty one"
        )


async def _check_blobs(blobs: BlobStore, known: set[str]) -> None:
    """What a restore that was ended half-way has written may be there."""
    async for blob in blobs.list():
        if blob.key not in known:
            raise CommandError("the blob store is not empty: a backup is restored into an empty one")


async def _copy_in(blobs: BlobStore, folder: Path, keys: list[str]) -> None:
    slots = asyncio.Semaphore(AT_ONCE)

    async def copy(key: str) -> None:
        async with slots:
            await blobs.put(key, await asyncio.to_thread((folder / key).read_bytes))

    async with asyncio.TaskGroup() as group:
        for key in keys:
            group.create_task(copy(key))


async def _make_roles(urls: Urls) -> None:
    """Those of the cluster, which a dump of a database does not have."""
    connection = await connect(urls.direct)
    try:
        for role in (APP_ROLE, WORKER_ROLE, ERASER_ROLE):
            if not await connection.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", role):
                await connection.execute(f"CREATE ROLE {role} NOLOGIN NOSUPERUSER NOBYPASSRLS")
            if not await connection.fetchval("SELECT pg_has_role(current_user, $1, 'SET')", role):
                how = " WITH INHERIT FALSE, SET TRUE" if role == ERASER_ROLE else ""
                await connection.execute(f"GRANT {role} TO CURRENT_USER{how}")
        if not await connection.fetchval("SELECT pg_has_role($1, $2, 'USAGE')", ERASER_ROLE, WORKER_ROLE):
            await connection.execute(f"GRANT {WORKER_ROLE} TO {ERASER_ROLE}")
    except asyncpg.InsufficientPrivilegeError as error:
        raise CommandError(f"the roles of Goldloop are not there and cannot be made: {error}") from error
    finally:
        await connection.close()


async def _restore_database(folder: Path, url: str) -> None:
    """Without extensions, which the cluster has or has not, and without the schema that every database has."""
    listed = await _run("pg_restore", ["--list", str(folder / DUMP)], None)
    kept = [line for line in listed.splitlines() if not _is_of_cluster(line)]
    with tempfile.NamedTemporaryFile("w", suffix=".list") as chosen:
        chosen.write("\n".join(kept))
        chosen.flush()
        options = ["--single-transaction", "--no-owner", f"--use-list={chosen.name}", str(folder / DUMP)]
        await _run("pg_restore", options, url)


def _is_of_cluster(line: str) -> bool:
    return " EXTENSION " in line or (" SCHEMA - public " in line and "ACL" not in line)


async def _run(program: str, options: list[str], url: str | None) -> str:
    """A program of PostgreSQL; the password goes by the environment, where no list of processes shows it."""
    environment = dict(os.environ)
    if url is not None:
        parts = urlsplit(url)
        environment["PGPASSWORD"] = unquote(parts.password or environment.get("PGPASSWORD", ""))
        login, _, host = parts.netloc.rpartition("@")
        without = parts._replace(netloc=f"{login.partition(':')[0]}@{host}" if login else host)
        options = [*options, f"--dbname={urlunsplit(without)}"]
    process = await asyncio.create_subprocess_exec(
        bin_dir() / program,
        *options,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await process.communicate()
    except BaseException:
        process.kill()
        raise
    if process.returncode:
        reason = err.decode(errors="replace").strip()
        hint = (
            "\nRow-level security binds the owner of the tables: name a login that may bypass it by --url (docs/running.md)"
            if "row-level security" in reason
            else ""
        )
        raise CommandError(f"{program} failed: {reason}{hint}")
    return out.decode(errors="replace")


COMMANDS = {"backup": backup, "restore": restore}
