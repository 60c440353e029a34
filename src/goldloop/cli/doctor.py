"""`goldloop doctor`: checks the installation and shows where each setting comes from."""

import platform
import re
from pathlib import Path

import msgspec

from goldloop import __version__
from goldloop.kit import embedded_postgres, web
from goldloop.kit.db import APP_ROLE, WORKER_ROLE, connect
from goldloop.kit.settings import ADDRESSES, SECRETS, Setting, Settings
from goldloop.migrations import runner as migrations


class Check(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    ok: bool
    detail: str


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    value: str | None
    origin: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    ok: bool
    version: str
    python: str
    checks: list[Check]
    settings: list[Shown]


async def examine(settings: Settings) -> Report:
    """Checks without changing anything: an embedded database that does not run is not started."""
    checks = [_web_check(), _data_dir_check(settings.data_dir)]
    if settings.database_url:
        checks += await _database_checks(settings.direct_url or settings.database_url)
    else:
        state = embedded_postgres.status(settings.data_dir)
        checks.append(_embedded_check(state))
        if state.running:
            async with embedded_postgres.embedded_postgres(
                settings.data_dir, embedded_postgres.HolderKind.COMMAND
            ) as postgres:
                checks += await _database_checks(postgres.url)
    return Report(
        ok=all(check.ok for check in checks),
        version=__version__,
        python=platform.python_version(),
        checks=checks,
        settings=[shown(s) for s in settings.origins],
    )


def shown(setting: Setting) -> Shown:
    """A setting as it may be printed: no secret, no password inside an address."""
    value = setting.value
    if value and setting.name in SECRETS:
        value = "(set)"
    if value and setting.name in ADDRESSES:
        value = re.sub(r"(://[^:/@]*):[^@]*@", r"\1:…@", value)
        value = re.sub(r"(password=)[^&\s]*", r"\1…", value)
    return Shown(name=setting.name, value=value, origin=setting.origin)


def _embedded_check(state: embedded_postgres.PostgresStatus) -> Check:
    holder = f", run by goldloop {state.holder.kind} (pid {state.holder.pid})" if state.holder else ""
    known = state.cluster_version is None or state.binaries_version is not None
    running = f"runs (pid {state.pid}{holder})" if state.running else "does not run"
    return Check(name="embedded database", ok=known, detail=f"{running}; cluster in {state.cluster}")


def _web_check() -> Check:
    folder = web.dist()
    return Check(
        name="web UI",
        ok=folder is not None,
        detail="built" if folder else "not built: run `make up` with Node.js 20.19 or newer",
    )


def _data_dir_check(data_dir: Path) -> Check:
    if not data_dir.exists():
        return Check(name="data folder", ok=True, detail=f"{data_dir} is made at the first start")
    return Check(name="data folder", ok=data_dir.is_dir(), detail=str(data_dir.resolve()))


async def _database_checks(url: str) -> list[Check]:
    try:
        connection = await connect(url)
    except Exception as error:
        return [Check(name="database", ok=False, detail=f"cannot be reached: {error}")]
    try:
        version = await connection.fetchval("SELECT current_setting('server_version')")
        await migrations.check_server(connection)
        state = await migrations.status(connection)
        roles = await connection.fetch(
            """
            SELECT wanted.name, r.rolsuper OR r.rolbypassrls AS strong, pg_has_role(current_user, r.oid, 'SET') AS usable
            FROM unnest($1::text[]) wanted (name) LEFT JOIN pg_roles r ON r.rolname = wanted.name
            """,
            [APP_ROLE, WORKER_ROLE],
        )
        vector = await connection.fetchval("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    except migrations.PostgresTooOld as error:
        return [Check(name="database", ok=False, detail=str(error))]
    finally:
        await connection.close()
    sound = all(row["strong"] is False and row["usable"] for row in roles)
    return [
        Check(name="database", ok=True, detail=f"PostgreSQL {version}"),
        Check(
            name="schema",
            ok=state.current,
            detail="current"
            if state.current
            else f"pending {state.pending}, unknown {state.unknown}: run `goldloop migrate up`",
        ),
        Check(
            name="roles",
            ok=sound,
            detail="application and worker roles cannot bypass row-level security"
            if sound
            else "the application or worker role is missing, too strong or not granted to this login",
        ),
        Check(name="pgvector", ok=True, detail=vector or "not installed (vector search is exact without it)"),
    ]


def as_text(report: Report) -> str:
    width = max(len(s.name) for s in report.settings)
    lines = [f"goldloop {report.version}, Python {report.python}", ""]
    lines += [f"  {'ok ' if check.ok else 'BAD'}  {check.name}: {check.detail}" for check in report.checks]
    lines += ["", "settings"]
    lines += [f"  {s.name.ljust(width)}  {s.value or '-'}  ({s.origin})" for s in report.settings]
    return "\n".join(lines)
