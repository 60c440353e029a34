"""`goldloop audit`: the audit log of a workspace, newest first."""

import argparse
from uuid import UUID

import msgspec

from goldloop.audit import service
from goldloop.audit.model import AuditEntry, AuditFilter
from goldloop.cli.opening import opened_database, tenant_actor
from goldloop.cli.output import CommandError, Output, table
from goldloop.kit.events import EVENTS
from goldloop.kit.times import moment

MOST = 1000  # at once; a file of all is what the server exports


async def audit(arguments: argparse.Namespace, output: Output) -> None:
    wanted = AuditFilter(
        names=_names(arguments.event),
        actor_id=checked_id(arguments.actor),
        key_id=checked_id(arguments.key),
        subject_id=arguments.subject,
        since=moment("since", arguments.since),
        until=moment("until", arguments.until),
    )
    limit = max(1, min(arguments.limit, MOST))
    async with opened_database(arguments) as db, db.tx(await tenant_actor(db, arguments.tenant)) as tx:
        page = await service.list_entries(tx, wanted, None, limit)
    output.result(
        {"data": msgspec.to_builtins(page.data), "next_cursor": page.next_cursor},
        table(("WHEN", "WHAT", "ABOUT", "WHO", "KEY", "FROM"), [_row(entry) for entry in page.data])
        if page.data
        else "nothing",
    )


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
