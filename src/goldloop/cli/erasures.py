"""`goldloop erase`: delete for good as an operator, and look at what was deleted. The worker does it."""

import argparse
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from goldloop.cli.opening import checked_id, opened_database, tenant_actor
from goldloop.cli.output import CommandError, Output, table
from goldloop.erasures import ledger_service as ledger
from goldloop.erasures import service, workspace_store
from goldloop.erasures.ledger_service import Deleted
from goldloop.erasures.model import Erasure, ErasureKind, ErasurePreview, NothingToErase, Subject
from goldloop.kit.db import ERASER_ROLE, Actor, Database
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import service as workspaces
from goldloop.tenants.workspaces import store as workspace_ids

LISTED = 50
MOST_WORKSPACES = 100_000  # that were deleted: more than an installation ever had


class _Counted(Exception):
    """Takes a preview out of the transaction that it wrote to count."""

    def __init__(self, preview: ErasurePreview) -> None:
        self.preview = preview


async def erase(arguments: argparse.Namespace, output: Output) -> None:
    subject = _subject(arguments)
    async with opened_database(arguments) as db:
        actor = await tenant_actor(db, arguments.tenant)
        if arguments.dry_run:
            found = await _preview(db, actor, subject)
            output.result(msgspec.to_builtins(found), _counted(found))
            return
        if not arguments.yes:
            _confirm(arguments.tenant, subject)
        async with db.in_role(ERASER_ROLE).tx(actor) as tx:
            asked = await service.request(tx, subject, None, arguments.tenant)
    output.result(msgspec.to_builtins(asked), f"{asked.id}: hidden now, and deleted by the worker")


def _subject(arguments: argparse.Namespace) -> Subject:
    kind = ErasureKind(arguments.kind)
    name = tuple(
        getattr(arguments, f"name_{place}") for place in range(2) if hasattr(arguments, f"name_{place}")
    )
    if kind in (ErasureKind.SESSION, ErasureKind.RECORD, ErasureKind.RESPONSES):
        name = (str(checked_id(name[0])),)
    return Subject(kind=kind, name=name)


def _confirm(tenant: str, subject: Subject) -> None:
    wanted = tenant if subject.kind is ErasureKind.WORKSPACE else "yes"
    if not sys.stdin.isatty():
        raise CommandError("nobody is there to confirm it: --yes says that it is meant")
    print(f"This cannot be undone. Type {wanted} to delete it: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() != wanted:
        raise CommandError("not confirmed, nothing was deleted")


async def _preview(db: Database, actor: Actor, subject: Subject) -> ErasurePreview:
    try:
        async with db.in_role(ERASER_ROLE).tx(actor) as tx:
            raise _Counted(await service.preview(tx, subject))
    except _Counted as counted:
        return counted.preview


def _counted(found: ErasurePreview) -> str:
    lines = [f"{count} {kind}" for kind, count in found.goes.items()]
    return "\n".join([*lines, *(f"stays: {each.what}: {each.why}" for each in found.kept)]) or "nothing"


async def erase_list(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_database(arguments) as db, db.tx(await tenant_actor(db, arguments.tenant)) as tx:
        found = (await service.list_erasures(tx, None, None, LISTED)).data
    rows: list[list[Any]] = [
        [each.id, each.kind, each.status, f"{each.done}/{each.total}", each.requested_at.isoformat()]
        for each in found
    ]
    output.result(
        {"erasures": msgspec.to_builtins(found)},
        table(["id", "kind", "status", "done", "requested"], [[str(cell) for cell in row] for row in rows]),
    )


async def erase_show(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_database(arguments) as db, db.tx(await tenant_actor(db, arguments.tenant)) as tx:
        found = await service.access(tx, checked_id(arguments.id))
    output.result(msgspec.to_builtins(found), _describe(found))


def _describe(found: Erasure) -> str:
    lines = [f"{found.kind} {found.status}, {found.done} of {found.total}"]
    lines += [f"gone: {count} {name}" for name, count in found.gone.items()]
    lines += [f"stays: {each.count} {each.what}: {each.why}" for each in found.kept]
    return "\n".join([*lines, *([found.error] if found.error else [])])


async def erase_workspaces(arguments: argparse.Namespace, output: Output) -> None:
    async with opened_database(arguments) as db:
        found = await workspace_store.list_erased_workspaces(db, LISTED)
    rows = [
        [each.slug, str(each.workspace_id), str(sum(each.gone.values())), each.ended_at.isoformat()]
        for each in found
    ]
    output.result({"workspaces": msgspec.to_builtins(found)}, table(["slug", "id", "rows", "deleted"], rows))


async def erase_export(arguments: argparse.Namespace, output: Output) -> None:
    """Of all workspaces, also of those that are gone."""
    found: list[Deleted] = []
    async with opened_database(arguments) as db:
        for tenant_id in [each async for each in _workspaces(db)]:
            async with db.tx(system_actor(tenant_id, "command line")) as tx:
                found += await ledger.list_deleted(tx)
        gone = await workspace_store.list_erased_workspaces(db, MOST_WORKSPACES)
    found += [ledger.of_workspace(each.workspace_id, each.requested_at) for each in gone]
    path = Path(arguments.file)
    part = path.with_name(path.name + ".part")
    part.write_bytes(ledger.write_lines(found))
    part.replace(path)
    output.result({"file": str(path), "erasures": len(found)}, f"{path}: {len(found)} deletions")


async def erase_again(arguments: argparse.Namespace, output: Output) -> None:
    """What was deleted and is there again, as a backup from before was restored."""
    path = Path(arguments.file)
    try:
        listed = ledger.read_lines(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise CommandError(f"{path} is no list that `goldloop erase export` wrote: {error}") from error
    asked: list[dict[str, Any]] = []
    async with opened_database(arguments) as db:
        for tenant_id in [each async for each in _workspaces(db)]:
            asked += await _erase_again(db, system_actor(tenant_id, "command line"), listed, arguments)
    done = "would be deleted anew" if arguments.dry_run else "hidden now, and deleted anew by the worker"
    output.result({"erasures": asked, "dry_run": arguments.dry_run}, f"{len(asked)} {done}")


async def _erase_again(
    db: Database, actor: Actor, listed: list[Deleted], arguments: argparse.Namespace
) -> list[dict[str, Any]]:
    asked = []
    async with db.tx(actor) as tx:
        subjects = await ledger.find_there_again(tx, listed)
        slug = (await workspaces.access(tx)).slug
    for subject in subjects:
        if not arguments.dry_run:
            with suppress(NothingToErase):  # hidden already, with what it is part of
                async with db.in_role(ERASER_ROLE).tx(actor) as tx:
                    await service.request(tx, subject, None, slug)
        asked.append(
            {"workspace": slug, "kind": subject.kind, "fingerprint": subject.fingerprint(actor.tenant_id)}
        )
    return asked


async def _workspaces(db: Database) -> AsyncIterator[UUID]:
    after = None
    while tenants := await workspace_ids.ids(db, after, LISTED):
        for tenant_id in tenants:
            yield tenant_id
        after = tenants[-1]
