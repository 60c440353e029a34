"""Administration commands; they work while the server runs and when it does not."""

import argparse
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import msgspec

from goldloop.claims import service as claims
from goldloop.cli import doctor
from goldloop.cli.durations import parse_duration
from goldloop.cli.output import CommandError, Exit, Output, table
from goldloop.cli.serve import settings_of
from goldloop.jobs import service as jobs
from goldloop.jobs.model import JobDetail, JobStatus
from goldloop.kit.clock import now
from goldloop.kit.db import Actor, Database, Tx, connect
from goldloop.kit.embedded_postgres import HolderKind
from goldloop.kit.errors import InvalidInput, NotFound
from goldloop.kit.logs import set_up_logs
from goldloop.kit.pagination import FIRST_ID
from goldloop.kit.queue import enqueue, set_marks
from goldloop.kit.text import is_name
from goldloop.migrations import runner as migrations
from goldloop.otlp import service as otlp
from goldloop.server import database_urls, is_empty, migrate, opened
from goldloop.tenants.agents import service as agents
from goldloop.tenants.agents import store as agent_store
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.keys import service as keys
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import Role
from goldloop.tenants.sign_in import service as sign_in
from goldloop.tenants.sign_in.passwords import check_new_password
from goldloop.tenants.workspaces import service as workspaces
from goldloop.tenants.workspaces import store as workspace_store


@asynccontextmanager
async def opened_database(arguments: argparse.Namespace) -> AsyncIterator[Database]:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    async with database_urls(settings, HolderKind.COMMAND) as urls:
        if not settings.database_url or await is_empty(urls):
            await migrate(
                urls, patience=0
            )  # a database of others' is changed only by those who were asked to
        async with opened(settings, urls) as db:
            yield db


@asynccontextmanager
async def _tenant(arguments: argparse.Namespace) -> AsyncIterator[Tx]:
    async with opened_database(arguments) as db, _tenant_of(db, arguments.tenant) as tx:
        yield tx


@asynccontextmanager
async def _tenant_of(db: Database, slug: str) -> AsyncIterator[Tx]:
    async with db.tx(await tenant_actor(db, slug)) as tx:
        yield tx


async def tenant_actor(db: Database, slug: str) -> Actor:
    tenant_id = await workspace_store.find_id(db, slug)
    if tenant_id is None:
        raise NotFound(f"there is no workspace {slug}")
    return system_actor(tenant_id, "command line")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise InvalidInput(f"{text} is not an id") from error


def checked_slug(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", text):
        raise InvalidInput(f"{text!r} is not a slug: up to 63 of a-z, 0-9 and -, not beginning with -")
    return text


def _name(text: str) -> str:
    if not is_name(text) or len(text) > 200:
        raise InvalidInput("a name is one line of 1 to 200 characters")
    return text


def _read_password(arguments: argparse.Namespace) -> str | None:
    if not arguments.password_stdin:
        return None
    password = sys.stdin.readline().rstrip("\n")
    check_new_password(password, "the password")
    return password


async def migrate_up(arguments: argparse.Namespace, output: Output) -> None:
    async with _connection(arguments) as connection:
        ran = await migrations.up(connection)
    names = [f"{m.version:04}_{m.name}" for m in ran]
    output.result({"applied": names}, "\n".join(f"applied {n}" for n in names) or "nothing to apply")


async def migrate_down(arguments: argparse.Namespace, output: Output) -> None:
    async with _connection(arguments) as connection:
        applied = (await migrations.status(connection)).applied
        target = arguments.to if arguments.to is not None else max(applied, default=0) - 1
        undone = await migrations.down(connection, max(target, 0))
    names = [f"{m.version:04}_{m.name}" for m in undone]
    output.result({"undone": names}, "\n".join(f"undid {n}" for n in names) or "nothing to undo")


async def migrate_status(arguments: argparse.Namespace, output: Output) -> None:
    async with _connection(arguments) as connection:
        state = await migrations.status(connection)
    output.result(
        {
            "current": state.current,
            "usable": state.usable,
            "applied": state.applied,
            "pending": state.pending,
            "unknown": state.unknown,
        },
        f"applied: {state.applied}\npending: {state.pending}\nschema is {doctor.describe_schema(state)}",
    )
    if not state.usable:
        raise SystemExit(Exit.FAILED)


@asynccontextmanager
async def _connection(arguments: argparse.Namespace) -> AsyncIterator[Any]:
    settings = settings_of(arguments)
    set_up_logs(settings.log_format, level=30)
    async with database_urls(settings, HolderKind.COMMAND) as urls:
        connection = await connect(urls.direct)
        try:
            yield connection
        finally:
            await connection.close()


async def tenant_create(arguments: argparse.Namespace, output: Output) -> None:
    slug, name, password = checked_slug(arguments.slug), _name(arguments.name), _read_password(arguments)
    async with opened_database(arguments) as db:
        made = await workspaces.create(db, slug, name, arguments.owner, password)
    output.result(
        {
            "id": str(made.workspace.id),
            "slug": made.workspace.slug,
            "owner": made.owner.email,
            "owner_id": str(made.owner.user_id),
            "invite_token": made.invite_token,
        },
        f"made workspace {made.workspace.slug} for {made.owner.email}{_how_to_join(made.invite_token)}",
    )


def _how_to_join(token: str | None) -> str:
    return f"\nthey set their password at <server>/join#token={token}" if token else ""


async def user_create(arguments: argparse.Namespace, output: Output) -> None:
    name = _name(arguments.name) if arguments.name is not None else None
    email, password = members.checked_email(arguments.email), _read_password(arguments)
    async with opened_database(arguments) as db, _tenant_of(db, arguments.tenant) as tx:
        invitation = await members.invite(tx, email, name, Role(arguments.role))
        if password:
            await workspaces.set_first_password(tx, invitation.member, password)
    member, token = invitation.member, None if password else invitation.token
    output.result(
        {"id": str(member.user_id), "email": member.email, "role": member.role, "invite_token": token},
        f"{member.email} is {member.role} of {arguments.tenant}{_how_to_join(token)}",
    )


async def user_password(arguments: argparse.Namespace, output: Output) -> None:
    arguments.password_stdin = True
    password = _read_password(arguments) or ""
    async with opened_database(arguments) as db:
        first = await _first_password(db, arguments, password) if arguments.tenant else None
        account_id = first or await sign_in.reset_password(db, arguments.email, arguments.tenant, password)
    done = "has joined with this password" if first else "has a new password and is signed out everywhere"
    output.result({"id": str(account_id)}, f"{arguments.email} {done}")


async def _first_password(db: Database, arguments: argparse.Namespace, password: str) -> UUID | None:
    """The account of who is invited to the workspace and joins by this; None for everybody else."""
    async with _tenant_of(db, arguments.tenant) as tx:
        member = await member_store.find_by_email(tx, arguments.email)
        return await workspaces.set_first_password(tx, member, password) if member else None


async def key_create(arguments: argparse.Namespace, output: Output) -> None:
    name = _name(arguments.name)
    expires_at = now() + parse_duration(arguments.expires) if arguments.expires else None
    async with _tenant(arguments) as tx:
        agent_id, user_id = await _holder(tx, arguments)
        made = await keys.create(
            tx,
            keys.NewKey(
                id=None,
                name=name,
                role=Role(arguments.role),
                agent_id=agent_id,
                user_id=user_id,
                scopes=arguments.scope,
                expires_at=expires_at,
            ),
        )
    output.result(
        {**msgspec.to_builtins(made.key), "key": made.secret},
        f"{made.secret}\n\nThis key ({made.key.name}, {made.key.role}, id {made.key.id}) is shown once.",
    )


async def _holder(tx: Tx, arguments: argparse.Namespace) -> tuple[UUID | None, UUID | None]:
    """The agent or the member that a new key belongs to."""
    if arguments.agent:
        slug = checked_slug(arguments.agent)
        agent = await agent_store.find_by_slug(tx, slug) or await agents.create(tx, None, slug, slug, "")
        return agent.id, None
    member = await (
        member_store.find_by_email(tx, arguments.user) if arguments.user else member_store.first_owner(tx)
    )
    if member is None:
        raise NotFound(f"{arguments.user or 'an owner'} is no member of {arguments.tenant}")
    return None, member.user_id


async def key_list(arguments: argparse.Namespace, output: Output) -> None:
    async with _tenant(arguments) as tx:
        found, cursor = [], None
        while True:
            page = await keys.list_keys(tx, cursor, 200)
            found += page.data
            if (cursor := page.next_cursor) is None:
                break
    rows = [
        (k.id, k.name, k.status, k.role, f"{k.holder.kind} {k.holder.name or k.holder.id}", k.last_used_at)
        for k in found
    ]
    output.result(
        {"data": msgspec.to_builtins(found)},
        table(("ID", "NAME", "STATUS", "ROLE", "HOLDER", "LAST USED"), rows) if rows else "no keys",
    )


async def key_revoke(arguments: argparse.Namespace, output: Output) -> None:
    async with _tenant(arguments) as tx:
        key = await keys.revoke(tx, _id(arguments.id))
    output.result(msgspec.to_builtins(key), f"revoked {key.name}")


async def job_list(arguments: argparse.Namespace, output: Output) -> None:
    status = JobStatus(arguments.status) if arguments.status else None
    async with _tenant(arguments) as tx:
        page = await jobs.list_jobs(tx, status, None, max(1, min(arguments.limit, 1000)))
    rows = [
        (
            j.id,
            j.title,
            j.status,
            f"{j.attempts}/{j.max_attempts}",
            j.queued_at,
            j.error.message if j.error else "",
        )
        for j in page.data
    ]
    output.result(
        {"data": msgspec.to_builtins(page.data), "next_cursor": page.next_cursor},
        table(("ID", "WHAT", "STATUS", "RUNS", "QUEUED", "WHY"), rows) if rows else "no jobs",
    )


async def job_show(arguments: argparse.Namespace, output: Output) -> None:
    async with _tenant(arguments) as tx:
        job = await jobs.access(tx, _id(arguments.id))
    output.result(msgspec.to_builtins(job), _describe(job))


async def job_retry(arguments: argparse.Namespace, output: Output) -> None:
    async with _tenant(arguments) as tx:
        job = await jobs.retry(tx, _id(arguments.id))
    output.result(msgspec.to_builtins(job), f"{job.name} is queued again")


async def job_cancel(arguments: argparse.Namespace, output: Output) -> None:
    async with _tenant(arguments) as tx:
        job = await jobs.cancel(tx, _id(arguments.id))
    output.result(
        msgspec.to_builtins(job),
        f"{job.name} is {'cancelled' if job.status == 'cancelled' else 'asked to stop'}",
    )


async def repair(arguments: argparse.Namespace, output: Output) -> None:
    """Queued, not done here: a worker does it, with progress and failures where those of other jobs are."""
    tenants: list[UUID] = []
    async with opened_database(arguments) as db:
        if arguments.tenant:
            found = await workspace_store.find_id(db, arguments.tenant)
            if found is None:
                raise NotFound(f"there is no workspace {arguments.tenant}")
            tenants = [found]
        else:
            while batch := await workspace_store.ids(db, tenants[-1] if tenants else None, 1000):
                tenants += batch
        for tenant_id in tenants:
            async with db.tx(system_actor(tenant_id, "command line")) as tx:
                await enqueue(tx, "criteria.repair", {})
                await set_marks(tx, "responses.summaries", [str(FIRST_ID)])
                await enqueue(tx, "edges.repair", {})
                await claims.repair(tx)
    output.result(
        {"workspaces": len(tenants)}, f"queued for {len(tenants)} workspaces; a worker repairs them"
    )


async def otlp_derive(arguments: argparse.Namespace, output: Output) -> None:
    """Marked, not done here: a worker does it. What is there already is not added again."""
    async with opened_database(arguments) as db:
        if arguments.trace:
            async with _tenant_of(db, arguments.tenant) as tx:
                if not await otlp.mark_anew(tx, _trace_id(arguments.trace)):
                    raise NotFound(f"no spans of {arguments.trace} are stored")
            output.result({"traces": 1}, "marked; a worker derives it")
            return
        count = 0
        after: bytes | None = b""
        while after is not None:
            async with _tenant_of(db, arguments.tenant) as tx:
                marked, after = await otlp.mark_all_anew(tx, after)
            count += marked
    output.result({"traces": count}, f"marked {count} traces; a worker derives them")


def _trace_id(text: str) -> bytes:
    if not re.fullmatch(r"[0-9a-fA-F]{32}", text):
        raise InvalidInput(f"{text} is not the id of a trace: 32 hexadecimal digits")
    return bytes.fromhex(text)


def _describe(job: JobDetail) -> str:
    lines = [
        f"{job.title} ({job.name}, {job.id})",
        f"status {job.status}, run {job.attempts} of {job.max_attempts}",
        f"args {job.args}",
    ]
    lines += [job.advice] if job.advice else []
    lines += [f"{f.at} run {f.attempt}: {f.type}: {f.message}" for f in job.failures]
    return "\n".join(lines)


async def run_doctor(arguments: argparse.Namespace, output: Output) -> None:
    report = await doctor.examine(settings_of(arguments))
    output.result(msgspec.to_builtins(report), doctor.as_text(report))
    if not report.ok:
        raise (
            CommandError("something needs attention (see above)", Exit.FAILED, "unhealthy")
            if not output.as_json
            else SystemExit(Exit.FAILED)
        )


COMMANDS = {
    "migrate up": migrate_up,
    "migrate down": migrate_down,
    "migrate status": migrate_status,
    "tenant create": tenant_create,
    "user create": user_create,
    "user password": user_password,
    "key create": key_create,
    "key list": key_list,
    "key revoke": key_revoke,
    "job list": job_list,
    "job show": job_show,
    "job retry": job_retry,
    "job cancel": job_cancel,
    "repair": repair,
    "otlp derive": otlp_derive,
    "doctor": run_doctor,
}
