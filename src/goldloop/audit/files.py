"""The audit log as files: a table for spreadsheets, or a line of JSON an entry, read page by page. Infrastructure."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

import msgspec

from goldloop.audit.model import AuditEntry, FileFormat
from goldloop.kit.csv_table import BOM, Cell, csv_lines
from goldloop.kit.pagination import Page

HEAD: list[Cell] = [
    "created_at",
    "name",
    "subject_id",
    "actor_kind",
    "actor_id",
    "actor",
    "via",
    "key_id",
    "key",
    "address",
    "request_id",
    "payload",
    "id",
]


async def as_file(
    read: Callable[[str | None], Awaitable[Page[AuditEntry]]], format: FileFormat
) -> AsyncIterator[str]:
    """A page at a time: a slow reader holds no transaction open."""
    if format == "csv":
        yield BOM + csv_lines([HEAD])
    write = as_csv if format == "csv" else as_lines
    cursor: str | None = None
    while True:
        page = await read(cursor)
        yield write(page.data)
        if (cursor := page.next_cursor) is None:
            return


def as_csv(entries: Iterable[AuditEntry]) -> str:
    return csv_lines(map(_row, entries))


def as_lines(entries: Iterable[AuditEntry]) -> str:
    return "".join(f"{msgspec.json.encode(entry).decode()}\n" for entry in entries)


def _row(entry: AuditEntry) -> list[Cell]:
    actor, key = entry.actor, entry.key
    return [
        entry.created_at.isoformat().replace("+00:00", "Z"),
        entry.name,
        entry.subject_id,
        actor.kind,
        str(actor.id) if actor.id else None,
        actor.name,
        entry.via,
        str(key.id) if key else None,
        key.name if key else None,
        entry.address,
        entry.request_id,
        msgspec.json.encode(entry.payload).decode(),
        str(entry.id),
    ]
