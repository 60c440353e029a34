"""`goldloop doctor`: checks the installation and shows where each setting comes from."""

import argparse
import platform
import re
from pathlib import Path

import msgspec

from goldloop import __version__
from goldloop.cli.opening import settings_of
from goldloop.cli.output import CommandError, Exit, Output
from goldloop.cli.schema import describe_schema
from goldloop.kit import embedded_postgres, web
from goldloop.kit.cores import count_processes
from goldloop.kit.db import APP_ROLE, ERASER_ROLE, WORKER_ROLE, connect, open_database
from goldloop.kit.embedded_postgres.processes import list_children
from goldloop.kit.errors import GoldloopError
from goldloop.kit.settings import ADDRESSES, Setting, Settings, is_secret
from goldloop.migrations import distribution
from goldloop.migrations import runner as migrations
from goldloop.migrations.distribution import Distribution
from goldloop.otlp import service as otlp
from goldloop.otlp.model import FailedTrace, OtlpSource
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.identities.provider_settings import read_providers
from goldloop.tenants.identities.providers import ProviderClient
from goldloop.tenants.workspaces import service as workspaces
from goldloop.tenants.workspaces import store as workspace_store

PREFIX = "goldloop "  # of the names of a server's processes
MOST_WORKSPACES = 50
MOST_SOURCES = 20  # of each that are shown


class Check(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    ok: bool
    detail: str


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    value: str | None
    origin: str


class ShownSource(OtlpSource, frozen=True, kw_only=True):
    """Who sends spans to a workspace, and what they leave out."""

    workspace: str


class ShownFailure(FailedTrace, frozen=True, kw_only=True):
    """A trace of a workspace that no session could be made of."""

    workspace: str


class Shards(msgspec.Struct, frozen=True, kw_only=True):
    """How many shards a node has."""

    node: str
    shards: int


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """What is where in an installation that is sharded by tenant."""

    citus: str
    on_shards: list[str]
    reference: list[str]
    on_coordinator: list[str]
    nodes: list[Shards]
    faults: list[str]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    ok: bool
    version: str
    python: str
    checks: list[Check]
    settings: list[Shown]
    sources: list[ShownSource]
    failed_traces: list[ShownFailure]
    placement: Placement | None = None


async def run_doctor(arguments: argparse.Namespace, output: Output) -> None:
    report = await examine(settings_of(arguments))
    output.result(msgspec.to_builtins(report), as_text(report))
    if not report.ok:
        raise (
            CommandError("something needs attention (see above)", Exit.FAILED, "unhealthy")
            if not output.as_json
            else SystemExit(Exit.FAILED)
        )


async def examine(settings: Settings) -> Report:
    """Checks without changing anything: an embedded database that does not run is not started."""
    checks = [_web_check(), _data_dir_check(settings.data_dir), *await _provider_checks(settings)]
    sources: list[ShownSource] = []
    failed: list[ShownFailure] = []
    placement: Placement | None = None
    if settings.database_url:
        url = settings.direct_url or settings.database_url
        checks.append(_processes_check(settings, None))
        checks += await _database_checks(url)
        sources, failed = await _sources(url, checks)
        placement = await _placement(url, checks)
    else:
        state = embedded_postgres.status(settings.data_dir)
        checks += [_embedded_check(state), _processes_check(settings, state)]
        if state.running:
            async with embedded_postgres.embedded_postgres(
                settings.data_dir, embedded_postgres.HolderKind.COMMAND
            ) as postgres:
                checks += await _database_checks(postgres.url)
                sources, failed = await _sources(postgres.url, checks)
    return Report(
        ok=all(check.ok for check in checks),
        version=__version__,
        python=platform.python_version(),
        checks=checks,
        settings=[shown(s) for s in settings.origins],
        sources=sources,
        failed_traces=failed,
        placement=placement,
    )


def shown(setting: Setting) -> Shown:
    """A setting as it may be printed: no secret, no password inside an address."""
    value = setting.value
    if value and is_secret(setting.name):
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


def _processes_check(settings: Settings, state: embedded_postgres.PostgresStatus | None) -> Check:
    """What `goldloop serve` starts here, and what runs, as far as that can be seen from outside."""
    count = count_processes(settings)
    starts = f"{count} API processes and a worker" if count > 1 else "one process with everything in it"
    server = state.server if state else None
    named = [
        f"{child.command.removeprefix(PREFIX)} {child.pid}"
        for child in (list_children(server.pid) if server else [])
        if child.command.startswith(PREFIX)
    ]
    beside = f" with {', '.join(named)}" if named else ""
    runs = f"; pid {server.pid} runs{beside}" if server else ""
    return Check(name="processes", ok=True, detail=f"`goldloop serve` starts {starts}{runs}")


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


async def _provider_checks(settings: Settings) -> list[Check]:
    """Whether each sign-in provider answers, and where it is to send people back to."""
    checks = []
    for provider in read_providers(settings.oidc):
        client = ProviderClient(provider, settings.public_url)
        name = f"sign-in with {provider.label}"
        try:
            await client.metadata()
        except GoldloopError as error:
            checks.append(Check(name=name, ok=False, detail=f"{provider.issuer}: {error.detail}"))
        else:
            rules = ", ".join(f"{r.value} is {r.role} of {r.workspace}" for r in provider.roles)
            detail = f"{provider.issuer} answers; it sends people back to {client.redirect_uri}; {rules or 'no roles from claims'}"
            checks.append(Check(name=name, ok=True, detail=detail))
    if not settings.passwords and not settings.oidc:
        checks.append(
            Check(name="sign-in", ok=False, detail="passwords are off and there is no provider: nobody can")
        )
    return checks


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
            [APP_ROLE, WORKER_ROLE, ERASER_ROLE],
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
            ok=state.usable,
            detail=describe_schema(state),
        ),
        Check(
            name="roles",
            ok=sound,
            detail="application, worker and eraser roles cannot bypass row-level security"
            if sound
            else "the application, worker or eraser role is missing, too strong or not granted to this login",
        ),
        Check(name="pgvector", ok=True, detail=vector or "not installed (vector search is exact without it)"),
    ]


async def _placement(url: str, checks: list[Check]) -> Placement | None:
    """Of a sharded installation, with its check. A database that cannot be reached has said so already."""
    if not all(check.ok for check in checks if check.name in ("database", "schema")):
        return None
    connection = await connect(url)
    try:
        found = await distribution.examine(connection)
    finally:
        await connection.close()
    if not found.distributed:
        return None
    checks.append(_distribution_check(found))
    return Placement(
        citus=found.citus or "",
        on_shards=found.on_shards,
        reference=found.reference,
        on_coordinator=found.on_coordinator,
        nodes=[Shards(node=node.name, shards=node.shards) for node in found.nodes],
        faults=found.faults,
    )


def _distribution_check(found: Distribution) -> Check:
    placed = (
        f"{len(found.on_shards)} tables on the shards of {len(found.nodes)} workers, "
        f"{len(found.on_coordinator)} on the coordinator"
    )
    faults = "; ".join(found.faults)
    return Check(
        name="distribution",
        ok=not found.faults,
        detail=f"{placed}. {faults}: run `goldloop distribute`" if faults else placed,
    )


async def _sources(url: str, checks: list[Check]) -> tuple[list[ShownSource], list[ShownFailure]]:
    """Of the first workspaces, where the database is as it should be; and the traces that cannot be read."""
    if not all(check.ok for check in checks if check.name in ("database", "schema", "roles")):
        return [], []
    found: list[ShownSource] = []
    failed: list[ShownFailure] = []
    async with open_database(url, role=WORKER_ROLE, size=1) as db:
        for tenant_id in await workspace_store.ids(db, None, MOST_WORKSPACES):
            async with db.tx(system_actor(tenant_id, "command line")) as tx:
                slug = (await workspaces.access(tx)).slug
                listed = await otlp.list_sources(tx, None, MOST_SOURCES)
                given_up = await otlp.list_failed(tx, MOST_SOURCES)
            found += [ShownSource(**msgspec.structs.asdict(each), workspace=slug) for each in listed.data]
            failed += [ShownFailure(**msgspec.structs.asdict(each), workspace=slug) for each in given_up]
    return found, failed


def _source_lines(source: ShownSource) -> list[str]:
    counts = (
        f"{source.spans:,} spans, {source.with_content:,} of {source.requests:,} requests with content, "
        f"{source.with_session:,} with a session id, {source.with_user:,} with a user id, last seen {source.last_at:%Y-%m-%d %H:%M}"
    )
    head = f"  {source.workspace}  {source.service or '(no name)'}  {source.emitter} ({source.scope or 'no scope'}): {counts}"
    return [head, *(f"      no {each.what}: {each.how}" for each in source.missing)]


def _placement_lines(placement: Placement) -> list[str]:
    named = {
        "on shards": placement.on_shards,
        "reference": placement.reference,
        "on the coordinator": placement.on_coordinator,
    }
    lines = [f"  {node.node}: {node.shards} shards" for node in placement.nodes]
    return lines + [
        f"  {where} ({len(names)}): {', '.join(names)}" for where, names in named.items() if names
    ]


def as_text(report: Report) -> str:
    width = max(len(s.name) for s in report.settings)
    lines = [f"goldloop {report.version}, Python {report.python}", ""]
    lines += [f"  {'ok ' if check.ok else 'BAD'}  {check.name}: {check.detail}" for check in report.checks]
    if report.placement:
        lines += ["", "what is where", *_placement_lines(report.placement)]
    lines += ["", "settings"]
    lines += [f"  {s.name.ljust(width)}  {s.value or '-'}  ({s.origin})" for s in report.settings]
    if report.sources:
        lines += ["", "who sends spans"]
        lines += [line for source in report.sources for line in _source_lines(source)]
    if report.failed_traces:
        lines += ["", "traces that could not be derived (again with `goldloop otlp derive --trace`)"]
        lines += [
            f"  {each.workspace}  {each.trace_id}  {each.attempts} tries: {each.reason}"
            for each in report.failed_traces
        ]
    return "\n".join(lines)
