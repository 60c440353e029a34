"""Use cases of the audit log: list it, show one entry with what was before, note who takes it along."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from goldloop.audit import events, store
from goldloop.audit.changes import between, told_by
from goldloop.audit.model import (
    AuditChange,
    AuditDetail,
    AuditEntry,
    AuditEntryNotFound,
    AuditFilter,
    AuditKey,
    FileFormat,
)
from goldloop.audit.permissions import AUDIT_READ
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page


async def list_entries(tx: Tx, wanted: AuditFilter, cursor: str | None, limit: int) -> Page[AuditEntry]:
    tx.actor.check(AUDIT_READ)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    found = page(
        await store.list_newest_first(tx, wanted, before, limit + 1),
        limit,
        lambda entry: (entry.created_at, entry.id),
    )
    return Page(data=await _with_names(tx, found.data), next_cursor=found.next_cursor)


async def note_export(tx: Tx, wanted: AuditFilter, format: FileFormat) -> None:
    """Before the first line leaves: it is in the file that it tells of."""
    tx.actor.check(AUDIT_READ)
    narrowed_by = [name for name, value in wanted._asdict().items() if value is not None]
    payload = events.AuditExported(format=format, narrowed_by=narrowed_by)
    await emit(tx, events.EXPORTED.of(tx.actor.tenant_id, payload))


async def show(tx: Tx, entry_id: UUID) -> AuditDetail:
    tx.actor.check(AUDIT_READ)
    entry = await store.find(tx, entry_id)
    if entry is None:
        raise AuditEntryNotFound
    (named,) = await _with_names(tx, [entry])
    return AuditDetail(**msgspec.structs.asdict(named), changes=await _changes(tx, entry))


async def _changes(tx: Tx, entry: AuditEntry) -> list[AuditChange] | None:
    payload = entry.payload
    version, fields = payload.get("version"), payload.get("fields")
    if isinstance(version, int) and isinstance(fields, list):
        entity_id = UUID(payload.get("entity_id") or entry.subject_id)
        return await store.list_field_changes(tx, entity_id, version, fields)
    if entry.name == "agent.configured" and isinstance(version, int):
        configs = await store.find_configs(tx, UUID(entry.subject_id), version)
        return between(configs.get(version - 1), configs[version]) if version in configs else None
    return told_by(payload) or None


async def _with_names(tx: Tx, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
    """Names of keys come by a second query: keys are not joined with the workspace's data."""
    names = await store.names_of_keys(tx, {entry.key.id for entry in entries if entry.key})
    return [
        msgspec.structs.replace(entry, key=AuditKey(id=entry.key.id, name=names.get(entry.key.id)))
        if entry.key
        else entry
        for entry in entries
    ]
