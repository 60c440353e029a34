"""SQL of what happened to rows. The only writer of `shared_context_history`, which only grows; words
that are erased leave it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.knowledge.model import ERASED_WORDS, Change, KnowledgeEntry, KnowledgeState, WrittenKnowledge
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

DECISIONS = ("edited", "approved", "shadowed", "retired", "rejected")


class NewEntry(NamedTuple):
    id: UUID
    row_id: UUID
    change: Change
    state_before: KnowledgeState | None
    state: KnowledgeState
    before: WrittenKnowledge | None
    after: WrittenKnowledge
    reason: str | None
    evidence: dict[str, Any]
    takes_back: UUID | None
    at: datetime


async def insert(tx: Tx, new: NewEntry) -> None:
    """Whoever calls this holds the row."""
    await tx.execute(
        """
        INSERT INTO shared_context_history (tenant_id, id, row_id, seq, change, state_before, state, before, after, reason,
            evidence, takes_back, at, actor_kind, actor_id)
        SELECT $1::uuid, $2::uuid, $3::uuid, coalesce(max(h.seq), 0) + 1, $4::text, $5::text, $6::text, $7::jsonb, $8::jsonb,
               $9::text, $10::jsonb, $11::uuid, $12::timestamptz, $13::text, $14::uuid
        FROM shared_context_history h WHERE h.tenant_id = $1 AND h.row_id = $3
        RETURNING seq
        """,
        tx.actor.tenant_id,
        new.id,
        new.row_id,
        new.change,
        new.state_before,
        new.state,
        msgspec.to_builtins(new.before),
        msgspec.to_builtins(new.after),
        new.reason,
        new.evidence,
        new.takes_back,
        new.at,
        tx.actor.kind,
        tx.actor.id,
    )


_COLUMNS = f"""
    h.id, h.change, h.state_before, h.state, h.before, h.after, h.reason, h.evidence, h.takes_back, h.actor_kind, h.actor_id, h.at,
    h.change = ANY ($3) AND NOT EXISTS (SELECT FROM shared_context_history t
        WHERE t.tenant_id = $1 AND t.row_id = h.row_id AND t.takes_back = h.id) AS stands,
    {name_sql("$1", "h.actor_kind", "h.actor_id")} AS actor_name
"""


async def list_newest_first(tx: Tx, row_id: UUID, limit: int) -> list[KnowledgeEntry]:
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM shared_context_history h WHERE h.tenant_id = $1 AND h.row_id = $2
        ORDER BY h.seq DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        row_id,
        list(DECISIONS),
    )
    return _entries(rows)


def _entries(rows: Sequence[Any]) -> list[KnowledgeEntry]:
    last = next((row["id"] for row in rows if row["stands"]), None)
    return [
        KnowledgeEntry(
            id=row["id"],
            change=Change(row["change"]),
            state_before=KnowledgeState(row["state_before"]) if row["state_before"] else None,
            state=KnowledgeState(row["state"]),
            before=msgspec.convert(row["before"], WrittenKnowledge) if row["before"] else None,
            after=msgspec.convert(row["after"], WrittenKnowledge),
            reason=row["reason"],
            evidence=row["evidence"],
            takes_back=row["takes_back"],
            undoable=row["id"] == last and not _is_erased(row["before"]),
            actor=Party(kind=row["actor_kind"], id=row["actor_id"], name=row["actor_name"]),
            at=row["at"],
        )
        for row in rows
    ]


def _is_erased(before: dict[str, Any] | None) -> bool:
    return before is not None and before["content"] == ERASED_WORDS


async def erase_words(tx: Tx, row_id: UUID, kept: str) -> None:
    """What was copied out of feedback that is erased, but for what the row says now."""
    await tx.execute(
        """
        UPDATE shared_context_history SET
            before = CASE WHEN NOT (before->>'wording')::boolean AND before->>'content' <> $3
                          THEN before || $4::jsonb ELSE before END,
            after = CASE WHEN NOT (after->>'wording')::boolean AND after->>'content' <> $3
                         THEN after || $4::jsonb ELSE after END
        WHERE tenant_id = $1 AND row_id = $2
        """,
        tx.actor.tenant_id,
        row_id,
        kept,
        {"content": ERASED_WORDS},
    )


async def find_undoable(tx: Tx, row_id: UUID) -> KnowledgeEntry | None:
    """The last decision that nobody has taken back."""
    rows = await tx.fetch(
        f"""
        SELECT d.* FROM (
            SELECT {_COLUMNS}, h.seq FROM shared_context_history h WHERE h.tenant_id = $1 AND h.row_id = $2
        ) d WHERE d.stands ORDER BY d.seq DESC LIMIT 1
        """,
        tx.actor.tenant_id,
        row_id,
        list(DECISIONS),
    )
    return next(iter(_entries(rows)), None)
