"""`goldloop backup` and `goldloop restore`: the whole installation, the database and the blobs, while the server runs.

A backup is a folder with `database.dump`, `blobs/` and `backup.json`, which is written last, or a tar file of it. No blob is
deleted while one is made, so that every blob that the dump names is in it. A restore writes the blobs first and the database in one
transaction: whatever ends it half-way leaves an empty database.
"""

import argparse
import asyncio
import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from goldloop import __version__
from goldloop.cli.opening import settings_of
from goldloop.cli.output import CommandError, Output
from goldloop.databases import Urls, database_urls
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
    with _Target(target) as made:
        async with database_urls(settings, HolderKind.COMMAND) as urls:
            url = arguments.url or _reader(settings, urls)
            async with _blobs_kept(urls) as versions:
                await _run("pg_dump", ["--format=custom", f"--file={made.dump}"], url)
                copied = await _copy_out(blobs_of(settings), made)
        about = {
            "format": FORMAT,
            "goldloop": __version__,
            "made_at": now().isoformat(),
            "migrations": versions,
            "database_bytes": made.dump.stat().st_size,
            "blobs": copied,
        }
        await asyncio.to_thread(made.finish, json.dumps(about, indent=2).encode())
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


class _Target:
    """A backup that is being made, beside its place: a folder, or a tar file with the dump in a folder until it is added."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.folder = place.with_name(place.name + ".partial")
        self.packed = place.with_name(place.name + ".packing") if place.suffix == ".tar" else None
        self.dump = self.folder / DUMP
        self._one = Lock()  # a tar file is written by one at a time
        self._archive: tarfile.TarFile | None = None

    def __enter__(self) -> "_Target":
        if self.folder.exists():
            shutil.rmtree(self.folder)  # of one that was ended half-way
        self.folder.mkdir(parents=True, mode=0o700)
        if self.packed is None:
            (self.folder / BLOBS).mkdir(mode=0o700)
        else:
            opened = os.open(self.packed, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            self._file = os.fdopen(opened, "wb")
            self._archive = tarfile.open(fileobj=self._file, mode="w")
        return self

    def put(self, key: str, content: bytes) -> None:
        self._add(f"{BLOBS}/{key}", content)

    def _add(self, name: str, content: bytes) -> None:
        if self._archive is None:
            _write(self.folder / name, content)
            return
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(content), 0o600
        with self._one:
            self._archive.addfile(member, io.BytesIO(content))

    def finish(self, about: bytes) -> None:
        """What says that it is whole comes last."""
        if self._archive is None or self.packed is None:
            self._add(ABOUT, about)
            self.folder.rename(self.place)
            return
        self._archive.add(self.dump, arcname=DUMP)
        self._add(ABOUT, about)
        self._archive.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self.packed.rename(self.place)

    def __exit__(self, *_: object) -> None:
        if self._archive is not None and self.packed is not None:
            self._file.close()
            self.packed.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)


async def _copy_out(blobs: BlobStore, target: _Target) -> int:
    copied = 0

    async def copy(key: str) -> None:
        nonlocal copied
        content = await blobs.get(key)
        if content is not None:  # else one that no row names was replaced or taken away
            await asyncio.to_thread(target.put, key, content)
            copied += 1

    await _with_each((blob.key async for blob in blobs.list()), copy)
    return copied


async def _with_each(keys: AsyncIterator[str], act: Callable[[str], Awaitable[None]]) -> None:
    """AT_ONCE of them at a time, however many there are: no more is begun than that, nor held in memory."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(key: str) -> None:
        try:
            await act(key)
        finally:
            slots.release()

    async with asyncio.TaskGroup() as group:
        async for key in keys:
            await slots.acquire()
            group.create_task(one(key))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


async def restore(arguments: argparse.Namespace, output: Output) -> None:
    source = Path(arguments.source).absolute()
    if not source.exists():
        raise CommandError(f"{source} is not there")
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    with _Source(source) as backup_made:
        about = _read_about(backup_made)
        async with database_urls(settings, HolderKind.COMMAND) as urls:
            await _check_empty(urls)
            blobs = blobs_of(settings)
            keys = backup_made.keys()
            await _check_blobs(blobs, set(keys))
            await _copy_in(blobs, backup_made, keys)
            await _make_roles(urls)
            with backup_made.dump() as dump:
                await _restore_database(dump, arguments.url or urls.direct)
    output.result(
        {"source": str(source), **about, "blobs": len(keys)},
        f"restored the database and {len(keys)} blobs of {about['made_at']}",
    )


class _Source:
    """A backup: a folder, or a tar file that is read where it is. Only the dump is taken out, for who reads nothing else."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._one = Lock()
        self._archive: tarfile.TarFile | None = None

    def __enter__(self) -> "_Source":
        if not self.place.is_dir():
            try:
                self._archive = tarfile.open(self.place)
                self._members = {each.name: each for each in self._archive if each.isfile()}
            except (tarfile.TarError, OSError) as error:
                raise CommandError(f"{self.place} is no backup: {error}") from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._archive is not None:
            self._archive.close()

    def keys(self) -> list[str]:
        """Of the blobs."""
        if self._archive is None:
            folder = self.place / BLOBS
            return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())
        return sorted(
            name.removeprefix(f"{BLOBS}/") for name in self._members if name.startswith(f"{BLOBS}/")
        )

    def read(self, name: str) -> bytes:
        """Raises OSError or KeyError where it is not there."""
        if self._archive is None:
            return (self.place / name).read_bytes()
        with self._one:
            file = self._archive.extractfile(self._members[name])
            assert file is not None
            return file.read()

    @contextmanager
    def dump(self) -> Iterator[Path]:
        if self._archive is None:
            yield self.place / DUMP
            return
        with tempfile.TemporaryDirectory(prefix="goldloop-restore-", dir=self.place.parent) as folder:
            try:
                self._archive.extract(self._members[DUMP], folder, filter="data")
            except (KeyError, tarfile.TarError) as error:
                raise CommandError(f"{self.place} is no whole backup: {DUMP} cannot be read") from error
            yield Path(folder) / DUMP


def _read_about(source: _Source) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads(source.read(ABOUT))
        found_format, versions = about["format"], about["migrations"]
    except (OSError, ValueError, KeyError) as error:
        raise CommandError(f"{source.place} is no whole backup: {ABOUT} cannot be read") from error
    if found_format != FORMAT:
        raise CommandError(f"this backup has format {found_format}, and this version reads {FORMAT}")
    known = {migration.version for migration in migrations()}
    if unknown := sorted(set(versions) - known):
        raise CommandError(f"this backup is of a newer version of Goldloop: it has migration {unknown[0]:04}")
    return about


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


async def _copy_in(blobs: BlobStore, source: _Source, keys: list[str]) -> None:
    async def copy(key: str) -> None:
        await blobs.put(key, await asyncio.to_thread(source.read, f"{BLOBS}/{key}"))

    async def listed() -> AsyncIterator[str]:
        for key in keys:
            yield key

    await _with_each(listed(), copy)


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


async def _restore_database(dump: Path, url: str) -> None:
    """Without extensions, which the cluster has or has not, and without the schema that every database has."""
    listed = await _run("pg_restore", ["--list", str(dump)], None)
    kept = [line for line in listed.splitlines() if not _is_of_cluster(line)]
    with tempfile.NamedTemporaryFile("w", suffix=".list") as chosen:
        chosen.write("\n".join(kept))
        chosen.flush()
        options = ["--single-transaction", "--no-owner", f"--use-list={chosen.name}", str(dump)]
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
