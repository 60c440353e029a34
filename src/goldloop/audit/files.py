"""The audit log as files: a table for spreadsheets, or a line of JSON an entry. Pure."""

from collections.abc import Iterable

import msgspec

from goldloop.audit.model import AuditEntry
from goldloop.kit.csv_table import Cell, csv_lines

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
