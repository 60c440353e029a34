"""Brings a database to the schema of this version, and back. Safe when several start at once."""

from dataclasses import dataclass
from typing import Any

from goldloop.migrations.files import Migration, functions, functions_sha256, migrations

MINIMUM_POSTGRES = 160000  # as server_version_num has it: membership of roles with SET is from 16
_LOCK = 0x676F6C64  # one number for "Goldloop is migrating this database"

_TRACK = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS schema_functions (name text PRIMARY KEY, sha256 text NOT NULL);
"""


class MigrationError(Exception):
    """The database and this version's migrations do not fit together; the message says how."""


class PostgresTooOld(MigrationError):
    def __init__(self, version: str) -> None:
        super().__init__(f"Goldloop needs PostgreSQL 16 or newer, and this server is PostgreSQL {version}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    applied: list[int]
    pending: list[int]
    unknown: list[int]
    functions_current: bool

    @property
    def current(self) -> bool:
        return not self.pending and not self.unknown and self.functions_current


async def status(connection: Any) -> Status:
    known = {m.version for m in migrations()}
    applied = await _applied(connection)
    return Status(
        applied=sorted(applied),
        pending=sorted(known - applied.keys()),
        unknown=sorted(applied.keys() - known),
        functions_current=await _functions_digest(connection) == functions_sha256(),
    )


async def check_server(connection: Any) -> None:
    """Raises PostgresTooOld where the server lacks what the schema stands on."""
    row = await connection.fetchrow(
        "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number"
    )
    check_version(row["version"], row["number"])


def check_version(version: str, number: int) -> None:
    if number < MINIMUM_POSTGRES:
        raise PostgresTooOld(version)


async def up(connection: Any, target: int | None = None) -> list[Migration]:
    """Apply what is pending, up to `target`, then the functions; returns the migrations that ran."""
    ran = []
    await check_server(connection)
    async with _Locked(connection):
        await connection.execute(_TRACK)
        applied = await _applied(connection)
        _check_history(applied)
        for migration in migrations():
            if migration.version not in applied and (target is None or migration.version <= target):
                await _apply(connection, migration)
                ran.append(migration)
        if target is None or target >= len(migrations()):
            await _replace_functions(connection)
    return ran


async def down(connection: Any, target: int) -> list[Migration]:
    """Undo every migration above `target`. The functions go first; `up` brings them back."""
    await check_server(connection)
    async with _Locked(connection):
        await connection.execute(_TRACK)
        applied = await _applied(connection)
        _check_history(applied)
        undone = [m for m in reversed(migrations()) if m.version in applied and m.version > target]
        if undone:
            await _drop_functions(connection)
        for migration in undone:
            await _undo(connection, migration)
    return undone


class _Locked:
    """Holds the migration lock; a session lock, so that it ends with the connection, even by kill -9."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    async def __aenter__(self) -> None:
        await self.connection.execute("SELECT pg_advisory_lock($1)", _LOCK)

    async def __aexit__(self, *_: object) -> None:
        await self.connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _applied(connection: Any) -> dict[int, str]:
    if await connection.fetchval("SELECT to_regclass('public.schema_migrations')") is None:
        return {}
    rows = await connection.fetch("SELECT version, sha256 FROM schema_migrations")
    return {row["version"]: row["sha256"] for row in rows}


def _check_history(applied: dict[int, str]) -> None:
    known = {m.version: m for m in migrations()}
    for version, sha256 in sorted(applied.items()):
        if version not in known:
            raise MigrationError(
                f"The database has migration {version:04}, which this version of Goldloop does not know: "
                "run the newer version, or its `goldloop migrate down` first"
            )
        if known[version].sha256 != sha256:
            raise MigrationError(
                f"Migration {version:04} ran with other content than it has now: "
                "a migration is never changed after it was released, add a new one"
            )


async def _apply(connection: Any, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.up)
        await connection.execute(
            "INSERT INTO public.schema_migrations (version, name, sha256) VALUES ($1, $2, $3)",
            migration.version,
            migration.name,
            migration.sha256,
        )


async def _undo(connection: Any, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(migration.down)
        await connection.execute("DELETE FROM public.schema_migrations WHERE version = $1", migration.version)


async def _functions_digest(connection: Any) -> str | None:
    if await connection.fetchval("SELECT to_regclass('public.schema_functions')") is None:
        return None
    digest: str | None = await connection.fetchval("SELECT sha256 FROM schema_functions WHERE name = '*'")
    return digest


async def _replace_functions(connection: Any) -> None:
    """Drop and create, so that a function may change its signature; one transaction, so nobody sees a gap."""
    digest = functions_sha256()
    if await _functions_digest(connection) == digest:
        return
    async with connection.transaction():
        await _drop_functions(connection)
        await connection.execute("SET LOCAL check_function_bodies = off")
        for function in functions():
            await connection.execute(function.sql)
            await connection.execute(
                "INSERT INTO schema_functions (name, sha256) VALUES ($1, $2)", function.name, digest
            )
        await connection.execute("INSERT INTO schema_functions (name, sha256) VALUES ('*', $1)", digest)


async def _drop_functions(connection: Any) -> None:
    signatures = await connection.fetch(
        """
        SELECT p.oid::regprocedure::text AS signature
        FROM pg_proc p JOIN schema_functions f ON f.name = p.proname
        WHERE p.pronamespace = 'public'::regnamespace
        """
    )
    async with connection.transaction():
        for row in signatures:
            await connection.execute(f"DROP FUNCTION {row['signature']}")
        await connection.execute("DELETE FROM schema_functions")
