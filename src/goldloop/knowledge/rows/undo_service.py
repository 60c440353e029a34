"""Use case: take back the last decision about a row. What changed since by anything else stays."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.entities.model import check_version
from goldloop.feedback.entries import review_service as reviews
from goldloop.kit.db import Tx
from goldloop.knowledge.model import (
    ERASED_WORDS,
    Change,
    DecidedSince,
    Flag,
    KnowledgeEntry,
    NothingToUndo,
    SharedContext,
    WrittenKnowledge,
)
from goldloop.knowledge.rows import derived_service, history_store, service, support_service, support_store
from goldloop.knowledge.rows.derived_service import Why


async def undo(
    tx: Tx, row_id: UUID, reason: str | None, version: int | None = None, entry_id: UUID | None = None
) -> SharedContext:
    """`entry_id` is the decision that is meant; without it, it is the caller's own. Where somebody has decided since, nothing is
    taken back."""
    service.check_decides(tx)
    row = await service.hold_with_feedback(tx, row_id)
    check_version("shared_context", version, row.version)
    entry = await history_store.find_undoable(tx, row_id)
    if entry is None or entry.before is None or entry.before.content == ERASED_WORDS:
        raise NothingToUndo(conflict={"id": str(row_id)})
    _check_meant(tx, row_id, entry, entry_id)
    written = _as_before(row, entry.before, entry.after)
    if written.content != row.content:
        await support_service.renew_holds(tx, msgspec.structs.replace(row, content=written.content))
    cleared = {Flag(each) for each in entry.evidence.get("flags", [])}
    seen = msgspec.structs.replace(row, flags=[each for each in Flag if each in {*row.flags, *cleared}])
    undone, _ = await derived_service.apply(tx, seen, written, Why(Change.UNDONE, reason, None, entry.id))
    if entry.change is Change.APPROVED:
        signals = [signal.feedback_id for signal in await support_store.list_signals(tx, row_id)]
        await reviews.reopen_many(tx, signals, entry.id)
    return undone


def _check_meant(tx: Tx, row_id: UUID, entry: KnowledgeEntry, entry_id: UUID | None) -> None:
    own = (entry.actor.kind, entry.actor.id) == (tx.actor.kind, tx.actor.id)
    if entry.id == entry_id or (entry_id is None and own):
        return
    raise DecidedSince(
        conflict={
            "id": str(row_id),
            "entry_id": str(entry.id),
            "change": entry.change,
            "actor": msgspec.to_builtins(entry.actor),
        }
    )


def _as_before(row: SharedContext, before: WrittenKnowledge, after: WrittenKnowledge) -> WrittenKnowledge:
    """What the decision changed and nothing has changed since; of confirmations, those that it added are taken off."""
    restored: dict[str, Any] = {
        name: value
        for name, value in msgspec.structs.asdict(before).items()
        if value != (made := getattr(after, name)) and getattr(row, name) == made
    }
    restored["confirmations"] = max(0, row.confirmations - (after.confirmations - before.confirmations))
    return msgspec.structs.replace(row.written, **restored)
