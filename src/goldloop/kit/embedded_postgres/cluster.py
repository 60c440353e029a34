"""Creates the cluster: initdb, our role and our database, in a temporary folder that is renamed
when it is complete. A crash at any point leaves either nothing or a whole cluster."""

import logging
import os
import secrets
import shutil
import tempfile
from pathlib import Path

from goldloop.kit.embedded_postgres.account import Account, chown_to
from goldloop.kit.embedded_postgres.children import run
from goldloop.kit.embedded_postgres.layout import Layout, write_private
from goldloop.kit.embedded_postgres.model import DATABASE, OWNER, SUPERUSER, EmbeddedPostgresError
from goldloop.kit.embedded_postgres.stderr import has_errors, reason

log = logging.getLogger("goldloop.postgres")

_WORK_PREFIX = "postgres.new-"

# Written into postgresql.conf, where whoever runs a bigger machine may change them.
_TUNABLE = {"max_connections": "200", "shared_buffers": "128MB"}


async def ensure_cluster(layout: Layout, programs: Path, account: Account | None) -> None:
    """To be called by the supervisor only, while nothing runs on the cluster."""
    missing = [role for role in (SUPERUSER, OWNER) if not layout.password_file(role).exists()]
    for role in missing:
        write_private(layout.password_file(role), secrets.token_urlsafe(32))
    _remove_leftovers(layout)
    if not layout.cluster.exists():
        await _make_cluster(layout, programs, account)
        return
    _check_version(layout.cluster, await _major_version(programs, account))
    if missing:
        log.warning("the password of %s was lost: setting a new one", " and ".join(missing))
        statements = [_set_password(role, read_password(layout, role)) for role in missing]
        await _single_user(programs, layout.cluster, account, "postgres", statements)


def read_password(layout: Layout, role: str) -> str:
    try:
        return layout.password_file(role).read_text().strip()
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The password file {layout.password_file(role)} cannot be read: {error.strerror}."
        ) from error


async def _make_cluster(layout: Layout, programs: Path, account: Account | None) -> None:
    log.info("creating the database cluster in %s", layout.cluster)
    work = Path(tempfile.mkdtemp(prefix=_WORK_PREFIX, dir=layout.home))
    try:
        chown_to(work, account)
        password_file = work / "password"
        write_private(password_file, read_password(layout, SUPERUSER))
        await _initdb(programs, work / "data", password_file, account)
        owner_password = read_password(layout, OWNER)
        statements = [
            f"CREATE ROLE {OWNER} LOGIN CREATEROLE NOSUPERUSER NOCREATEDB NOBYPASSRLS",
            _set_password(OWNER, owner_password),
            f"CREATE DATABASE {DATABASE} OWNER {OWNER} STRATEGY file_copy",
        ]
        await _single_user(programs, work / "data", account, "postgres", statements)
        await _try_vector(programs, work / "data", account)
        (work / "data").rename(layout.cluster)
        _sync_folder(layout.home)
    finally:
        shutil.rmtree(work, ignore_errors=True)


async def _initdb(programs: Path, cluster: Path, password_file: Path, account: Account | None) -> None:
    code, output = await run(
        [
            str(programs / "initdb"),
            f"--pgdata={cluster}",
            f"--username={SUPERUSER}",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--data-checksums",
            "--no-instructions",
            *(f"--set={name}={value}" for name, value in _TUNABLE.items()),
        ],
        account,
    )
    if code != 0:
        raise EmbeddedPostgresError(f"PostgreSQL's initdb failed: {reason(output)}.")


async def _single_user(
    programs: Path, cluster: Path, account: Account | None, database: str, statements: list[str]
) -> None:
    """Runs SQL without a server, so without anybody else; one statement per line."""
    code, output = await run(
        [
            *(str(programs / "postgres"), "--single", "-D", str(cluster)),
            *("-c", "log_min_error_statement=panic"),  # a failing statement may hold a password
            database,
        ],
        account,
        text="".join(f"{statement}\n" for statement in statements),
    )
    if code != 0 or has_errors(output):
        raise EmbeddedPostgresError(f"PostgreSQL could not be prepared: {reason(output)}.")


async def _try_vector(programs: Path, cluster: Path, account: Account | None) -> None:
    try:
        create = "CREATE EXTENSION IF NOT EXISTS vector"
        await _single_user(programs, cluster, account, DATABASE, [create])
    except EmbeddedPostgresError as error:
        log.info("going on without the vector extension: %s", error)


def _set_password(role: str, password: str) -> str:
    return f"ALTER ROLE {role} PASSWORD '{password}'"  # URL-safe characters only: nothing to escape


async def _major_version(programs: Path, account: Account | None) -> str:
    _, output = await run([str(programs / "postgres"), "--version"], account)
    return output.split()[-1].partition(".")[0]


def _check_version(cluster: Path, programs_version: str) -> None:
    try:
        made_by = (cluster / "PG_VERSION").read_text().strip()
    except OSError as error:
        raise EmbeddedPostgresError(f"{cluster} is not a PostgreSQL cluster: {error}") from error
    if made_by != programs_version:
        raise EmbeddedPostgresError(
            f"The database in {cluster} was made by PostgreSQL {made_by}; this is {programs_version}. "
            f"Dump it with version {made_by} and restore it, or use the release that made it."
        )


def _remove_leftovers(layout: Layout) -> None:
    for leftover in layout.home.glob(f"{_WORK_PREFIX}*"):
        log.info("removing %s, left by a start that did not finish", leftover)
        shutil.rmtree(leftover, ignore_errors=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
