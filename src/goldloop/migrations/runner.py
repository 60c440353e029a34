"""Brings a database to the schema of this version, and back. Safe when several start at once."""

import re
from dataclasses import dataclass
from typing import Any

from goldloop import __version__
from goldloop.kit.distribution import is_distributed
from goldloop.migrations import distribution
from goldloop.migrations.compatibility import Schema, has_newer_functions, is_newer, numbers_of, why_refused
from goldloop.migrations.files import Migration, functions, functions_sha256, migrations
from goldloop.migrations.statements import statements

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
ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS needs integer;
ALTER TABLE schema_functions ADD COLUMN IF NOT EXISTS release text;
"""
# Rows of schema_functions that are no function of this version: all of them together, the release before, and those that are
# kept for it, by their signature.
_ALL, _PREVIOUS, _KEPT = "*", "previous", "kept"


_NOT_TOLD = re.compile(r"\A\s*CREATE TABLE\b|\bPOLICY\b|\b(make_tenant_table|let_erase)\(", re.IGNORECASE)


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
    newer: bool
    refused: str | None

    @property
    def current(self) -> bool:
        return not self.pending and not self.unknown and self.functions_current

    @property
    def usable(self) -> bool:
        """Current, or that of the next release, which leaves what this one uses."""
        return self.current or (self.newer and not self.pending and self.refused is None)


async def status(connection: Any) -> Status:
    known = {m.version for m in migrations()}
    applied = await _applied(connection)
    schema = await _schema(connection, applied)
    return Status(
        applied=sorted(applied),
        pending=sorted(known - applied.keys()),
        unknown=sorted(applied.keys() - known),
        functions_current=await _functions_digest(connection) == functions_sha256(),
        newer=is_newer(schema, __version__),
        refused=why_refused(schema, __version__) if is_newer(schema, __version__) else None,
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
    """Apply what is pending, up to `target`, then the functions; returns the migrations that ran. The schema of the next
    release is left as it is. Where the installation is sharded, new tables are too."""
    ran = []
    await check_server(connection)
    async with Locked(connection):
        await _track(connection)
        applied = await _applied(connection)
        schema = await _schema(connection, applied)
        _check_history(applied, schema)
        if schema.unknown:
            return []
        await _drop_outdated(connection)
        for migration in migrations():
            if migration.version not in applied and (target is None or migration.version <= target):
                await _apply(connection, migration)
                ran.append(migration)
        if (target is None or target >= len(migrations())) and not has_newer_functions(schema, __version__):
            await _replace_functions(connection, schema)
        if ran and await is_distributed(connection):
            await distribution.distribute(connection)
    return ran


async def down(connection: Any, target: int) -> list[Migration]:
    """Undo every migration above `target`. The functions go first; `up` brings them back."""
    await check_server(connection)
    async with Locked(connection):
        await _track(connection)
        applied = await _applied(connection)
        _check_history(applied)
        undone = [m for m in reversed(migrations()) if m.version in applied and m.version > target]
        if undone:
            await _drop_functions(connection, but=[])
        for migration in undone:
            await _undo(connection, migration)
    return undone


class Locked:
    """Holds the migration lock; a session lock, so that it ends with the connection, even by kill -9."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    async def __aenter__(self) -> None:
        await self.connection.execute("SELECT pg_advisory_lock($1)", _LOCK)

    async def __aexit__(self, *_: object) -> None:
        await self.connection.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _track(connection: Any) -> None:
    """Only where something is missing: a look at the tables locks nobody out."""
    there = await connection.fetchval(
        """
        SELECT count(*) FROM pg_attribute
        WHERE attrelid IN (to_regclass('public.schema_migrations'), to_regclass('public.schema_functions'))
          AND attname IN ('needs', 'release') AND NOT attisdropped
        """
    )
    if there < 2:
        await connection.execute(_TRACK)


async def _applied(connection: Any) -> dict[int, str]:
    if await connection.fetchval("SELECT to_regclass('public.schema_migrations')") is None:
        return {}
    rows = await connection.fetch("SELECT version, sha256 FROM schema_migrations")
    return {row["version"]: row["sha256"] for row in rows}


async def _schema(connection: Any, applied: dict[int, str]) -> Schema:
    """What is there, as compatibility sees it; read as JSON, since older versions kept less."""
    known = {m.version for m in migrations()}
    unknown = sorted(applied.keys() - known)
    needs, releases = 0, {}
    if applied:
        needs = await connection.fetchval(
            "SELECT coalesce(max((to_jsonb(m) ->> 'needs')::integer), 0) FROM schema_migrations m WHERE version = ANY ($1)",
            unknown,
        )
        rows = await connection.fetch(
            "SELECT name, to_jsonb(f) ->> 'release' AS release FROM schema_functions f WHERE name = ANY ($1)",
            [_ALL, _PREVIOUS],
        )
        releases = {row["name"]: row["release"] for row in rows}
    return Schema(
        newest_known=max(known, default=0),
        unknown=unknown,
        needs=needs,
        release=releases.get(_ALL),
        previous=releases.get(_PREVIOUS),
    )


def _check_history(applied: dict[int, str], schema: Schema | None = None) -> None:
    """With a `schema` it may be that of the next release."""
    known = {m.version: m for m in migrations()}
    for version, sha256 in sorted(applied.items()):
        if version in known and known[version].sha256 != sha256:
            raise MigrationError(
                f"Migration {version:04} ran with other content than it has now: "
                "a migration is never changed after it was released, add a new one"
            )
    unknown = sorted(applied.keys() - known.keys())
    refused = why_refused(schema, __version__) if schema and is_newer(schema, __version__) else None
    if unknown and schema and not refused and not known.keys() - applied.keys():
        return
    if unknown or refused:
        which = f"migration {unknown[0]:04}, which" if unknown else "functions that"
        raise MigrationError(
            f"The database has {which} this version of Goldloop does not know{f' ({refused})' if refused else ''}: "
            "run the newer version, or its `goldloop migrate down` first"
        )


async def _apply(connection: Any, migration: Migration) -> None:
    async with connection.transaction():
        await run_script(connection, migration.up)
        await connection.execute(
            "INSERT INTO public.schema_migrations (version, name, sha256, needs) VALUES ($1, $2, $3, $4)",
            migration.version,
            migration.name,
            migration.sha256,
            migration.needs or None,
        )


async def _undo(connection: Any, migration: Migration) -> None:
    async with connection.transaction():
        await run_script(connection, migration.down)
        await connection.execute("DELETE FROM public.schema_migrations WHERE version = $1", migration.version)


async def run_script(connection: Any, script: str) -> None:
    """As one message. On shards a change of a table is a message of its own. They are not told of a new table, which is the
    coordinator's until it is distributed (Citus would refuse what it refers to), nor of policies, which they would take the
    wrong way (`sharding.merged`)."""
    if not await is_distributed(connection):
        await connection.execute(script)
        return
    for statement in statements(script):
        propagated = "off" if _NOT_TOLD.search(statement) else "on"
        await connection.execute(f"SET LOCAL citus.enable_ddl_propagation = {propagated}")
        await connection.execute(statement)
    await connection.execute("SET LOCAL citus.enable_ddl_propagation = on")
    await distribution.fit_policies(connection)


async def _functions_digest(connection: Any) -> str | None:
    if await connection.fetchval("SELECT to_regclass('public.schema_functions')") is None:
        return None
    digest: str | None = await connection.fetchval(
        "SELECT sha256 FROM schema_functions WHERE name = $1", _ALL
    )
    return digest


async def _replace_functions(connection: Any, schema: Schema) -> None:
    """Drop and create, so that a function may change its signature; one transaction, so nobody sees a gap. What the release
    before calls and this one has no more stays for it, until the next."""
    digest = functions_sha256()
    if await _functions_digest(connection) == digest and schema.release == __version__:
        return
    async with connection.transaction():
        left = await _left_functions(connection)
        await _drop_functions(connection, but=left)
        await _create_functions(connection)
        rows: list[tuple[str, str, str | None]] = [(each.name, digest, None) for each in functions()]
        rows += [(_ALL, digest, __version__), *((signature, _KEPT, __version__) for signature in left)]
        if previous := _previous_of(schema):
            rows.append((_PREVIOUS, "", previous))
        await connection.executemany(
            "INSERT INTO schema_functions (name, sha256, release) VALUES ($1, $2, $3)", rows
        )


def _previous_of(schema: Schema) -> str | None:
    """The release before this one on this database."""
    if schema.release and numbers_of(schema.release) < numbers_of(__version__):
        return schema.release
    return schema.previous


async def _create_functions(connection: Any) -> None:
    await connection.execute("SET LOCAL check_function_bodies = off")
    for function in functions():
        await connection.execute(function.sql)


async def _left_functions(connection: Any) -> list[str]:
    """Signatures that are there and that no function of this version answers to: none of the name takes as many arguments.
    Found out by creating ours and going back."""
    before = await _signatures(connection)
    if not before:
        return []
    await connection.execute("SAVEPOINT looking")
    await _drop_functions(connection, but=[])
    await _create_functions(connection)
    ours = await _signatures(connection, [function.name for function in functions()])
    await connection.execute("ROLLBACK TO SAVEPOINT looking")
    return [
        old["signature"]
        for old in before
        if not any(
            old["name"] == new["name"] and old["least"] <= new["most"] and new["least"] <= old["most"]
            for new in ours
        )
    ]


async def _signatures(connection: Any, names: list[str] | None = None) -> list[Any]:
    """Of the functions with these names, or of all that are ours, kept ones among them; each with how many arguments it
    takes."""
    rows: list[Any] = await connection.fetch(
        """
        SELECT p.oid::regprocedure::text AS signature, p.proname::text AS name, p.pronargs - p.pronargdefaults AS least,
               p.pronargs AS most
        FROM pg_proc p
        WHERE p.pronamespace = 'public'::regnamespace AND (p.proname = ANY ($1) OR $1 IS NULL AND EXISTS (
            SELECT FROM schema_functions f WHERE f.name IN (p.proname, p.oid::regprocedure::text)))
        """,
        names,
    )
    return rows


async def _drop_outdated(connection: Any) -> None:
    """Before anything is migrated: what was kept for a release that is older than the one before this."""
    rows = await connection.fetch("SELECT name, release FROM schema_functions WHERE sha256 = $1", _KEPT)
    for row in rows:
        if numbers_of(row["release"]) < numbers_of(__version__):
            async with connection.transaction():
                await connection.execute(f"DROP FUNCTION IF EXISTS {row['name']}")
                await connection.execute("DELETE FROM schema_functions WHERE name = $1", row["name"])


async def _drop_functions(connection: Any, but: list[str]) -> None:
    async with connection.transaction():
        for row in await _signatures(connection):
            if row["signature"] not in but:
                await connection.execute(f"DROP FUNCTION {row['signature']}")
        await connection.execute("DELETE FROM schema_functions")
