"""`goldloop audit`: the audit log of a workspace, newest first; one entry of it, or all of it as a file."""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from goldloop.audit import files, service
from goldloop.audit.model import AuditChange, AuditDetail, AuditEntry, AuditFilter, FileFormat
from goldloop.cli.opening import opened_database, tenant_actor
from goldloop.cli.output import CommandError, Exit, Output, table
from goldloop.kit.db import Actor, Database
from goldloop.kit.events import EVENTS
from goldloop.kit.pagination import MAX_LIMIT, Page
from goldloop.kit.times import moment

MOST = 1000  # at once; all of it is a file
HEAD = ("WHEN", "WHAT", "ABOUT", "WHO", "KEY", "FROM")


async def audit(arguments: argparse.Namespace, output: Output) -> None:
    wanted = AuditFilter(
        names=_names(arguments.event),
        actor_id=checked_id(arguments.actor),
        key_id=checked_id(arguments.key),
        subject_id=arguments.subject,
        address=arguments.address,
        since=moment("since", arguments.since),
        until=moment("until", arguments.until),
    )
    entry_id = checked_id(arguments.entry)
    async with opened_database(arguments) as db:
        actor = await tenant_actor(db, arguments.tenant)
        if entry_id:
            await _show(db, actor, entry_id, output)
        elif arguments.file:
            await _write(db, actor, wanted, Path(arguments.file), output)
        else:
            await _list(db, actor, wanted, max(1, min(arguments.limit, MOST)), output)


async def _list(db: Database, actor: Actor, wanted: AuditFilter, limit: int, output: Output) -> None:
    async with db.tx(actor) as tx:
        page = await service.list_entries(tx, wanted, None, limit)
    output.result(
        {"data": msgspec.to_builtins(page.data), "next_cursor": page.next_cursor},
        table(HEAD, [_row(entry) for entry in page.data]) if page.data else "nothing",
    )


async def _show(db: Database, actor: Actor, entry_id: UUID, output: Output) -> None:
    async with db.tx(actor) as tx:
        found = await service.show(tx, entry_id)
    output.result(msgspec.to_builtins(found), _detail(found))


def _detail(found: AuditDetail) -> str:
    changes = _changes(found.changes) if found.changes else json.dumps(found.payload, ensure_ascii=False)
    return f"{table(HEAD, [_row(found)])}\n\n{changes}"


def _changes(changes: Sequence[AuditChange]) -> str:
    """What was not there is a stroke, which null is not."""
    rows = [
        (each.what, _value(each.before, each.present_before), _value(each.after, each.present))
        for each in changes
    ]
    return table(("CHANGED", "BEFORE", "AFTER"), rows)


def _value(value: Any, present: bool) -> str | None:
    return json.dumps(value, ensure_ascii=False) if present else None


async def _write(db: Database, actor: Actor, wanted: AuditFilter, path: Path, output: Output) -> None:
    """Beside it first: a file of that name is whole. That somebody took the log along is in it."""
    if path.exists():
        raise CommandError(f"{path} exists already", Exit.CONFLICT, "file_exists")
    format: FileFormat = "jsonl" if path.suffix == ".jsonl" else "csv"
    async with db.tx(actor) as tx:
        await service.note_export(tx, wanted, format)

    async def read(cursor: str | None) -> Page[AuditEntry]:
        async with db.tx(actor) as tx:
            return await service.list_entries(tx, wanted, cursor, MAX_LIMIT)

    part = path.with_name(path.name + ".part")
    try:
        opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        raise CommandError(f"cannot write {part}: {error.strerror}", Exit.USAGE, "cannot_write") from error
    try:
        with os.fdopen(opened, "w", encoding="utf-8", newline="") as file:
            async for piece in files.as_file(read, format):
                file.write(piece)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    output.result({"file": str(path), "format": format}, f"{path}: the audit log as {format}")


def _row(entry: AuditEntry) -> tuple[object, ...]:
    key = (entry.key.name or entry.key.id) if entry.key else ""
    return (
        entry.created_at,
        entry.name,
        entry.subject_id,
        entry.actor.name or entry.actor.id or entry.actor.kind,
        key,
        entry.address or entry.via,
    )


def _names(given: list[str] | None) -> tuple[str, ...] | None:
    unknown = [name for name in given or [] if name not in EVENTS]
    if unknown:
        raise CommandError(f"there is no event {unknown[0]}: docs/events.md lists them")
    return tuple(given) if given else None


def checked_id(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError as error:
        raise CommandError(f"{text} is not an id") from error
