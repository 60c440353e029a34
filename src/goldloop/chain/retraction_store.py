"""SQL of retractions and of what is to be looked at again. The only writer of `chain_retractions` and `chain_items`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.chain.model import ItemVerdict, NodeKind
from goldloop.kit.db import Tx
from goldloop.kit.ids import new_id
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_RETRACTION = f"""
    r.id, r.ref, r.kind, r.reason, r.truncated, r.items, r.open_items, r.created_at, r.created_by_kind, r.created_by_id,
    {name_sql("$1", "r.created_by_kind", "r.created_by_id")} AS created_by_name, r.undone_at, r.undone_by_kind, r.undone_by_id,
    {name_sql("$1", "r.undone_by_kind", "r.undone_by_id")} AS undone_by_name
"""
_ITEM = f"""
    i.id, i.retraction_id, r.ref AS retracted, r.reason, i.ref, i.kind, i.depth, i.waits, i.verdict, i.note, i.created_at,
    i.settled_at, i.settled_by_kind, i.settled_by_id, r.undone_at,
    {name_sql("$1", "i.settled_by_kind", "i.settled_by_id")} AS settled_by_name
"""
_OF_ITEMS = (
    "FROM chain_items i JOIN chain_retractions r ON r.tenant_id = i.tenant_id AND r.id = i.retraction_id"
)


class RetractionRow(NamedTuple):
    id: UUID
    ref: str
    kind: NodeKind
    reason: str
    truncated: bool
    items: int
    open_items: int
    created_at: datetime
    created_by: Party
    undone_at: datetime | None
    undone_by: Party | None


class ItemRow(NamedTuple):
    """`undone_at` is of its retraction."""

    id: UUID
    retraction_id: UUID
    retracted: str
    reason: str
    ref: str
    kind: NodeKind
    depth: int
    waits: bool
    verdict: ItemVerdict | None
    note: str | None
    created_at: datetime
    settled_at: datetime | None
    settled_by: Party | None
    undone_at: datetime | None


def _retraction(row: Any) -> RetractionRow:
    return RetractionRow(
        row["id"],
        row["ref"],
        NodeKind(row["kind"]),
        row["reason"],
        row["truncated"],
        row["items"],
        row["open_items"],
        row["created_at"],
        Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
        row["undone_at"],
        _party(row, "undone_by"),
    )


def _item(row: Any) -> ItemRow:
    return ItemRow(
        row["id"],
        row["retraction_id"],
        row["retracted"],
        row["reason"],
        row["ref"],
        NodeKind(row["kind"]),
        row["depth"],
        row["waits"],
        ItemVerdict(row["verdict"]) if row["verdict"] else None,
        row["note"],
        row["created_at"],
        row["settled_at"],
        _party(row, "settled_by"),
        row["undone_at"],
    )


def _party(row: Any, column: str) -> Party | None:
    if row[f"{column}_kind"] is None:
        return None
    return Party(kind=row[f"{column}_kind"], id=row[f"{column}_id"], name=row[f"{column}_name"])


async def find_in_force(tx: Tx, refs: Sequence[str]) -> dict[str, UUID]:
    """The retractions in force of any of these."""
    if not refs:
        return {}
    rows = await tx.fetch(
        "SELECT r.ref, r.id FROM chain_retractions r WHERE r.tenant_id = $1 AND r.undone_at IS NULL AND r.ref IN (SELECT jsonb_array_elements_text($2))",
        tx.actor.tenant_id,
        list(refs),
    )
    return {row["ref"]: row["id"] for row in rows}


async def insert(tx: Tx, ref: str, kind: NodeKind, reason: str, at: datetime) -> bool:
    """False where one of it is in force, also one that somebody else makes at this moment."""
    return bool(
        await tx.execute(
            """
            INSERT INTO chain_retractions (tenant_id, id, ref, kind, reason, truncated, created_at, created_by_kind, created_by_id)
            VALUES ($1, $2, $3, $4, $5, false, $6, $7, $8) ON CONFLICT (tenant_id, ref) WHERE undone_at IS NULL DO NOTHING
            """,
            tx.actor.tenant_id,
            new_id(),
            ref,
            kind,
            reason,
            at,
            tx.actor.kind,
            tx.actor.id,
        )
    )


async def lock_in_force(tx: Tx, ref: str) -> UUID | None:
    found: UUID | None = await tx.fetchval(
        "SELECT r.id FROM chain_retractions r WHERE r.tenant_id = $1 AND r.ref = $2 AND r.undone_at IS NULL FOR UPDATE",
        tx.actor.tenant_id,
        ref,
    )
    return found


async def lock(tx: Tx, retraction_id: UUID) -> RetractionRow | None:
    await tx.execute(
        "SELECT FROM chain_retractions WHERE tenant_id = $1 AND id = $2 FOR UPDATE",
        tx.actor.tenant_id,
        retraction_id,
    )
    return await find(tx, retraction_id)


async def find(tx: Tx, retraction_id: UUID) -> RetractionRow | None:
    row = await tx.fetchrow(
        f"SELECT {_RETRACTION} FROM chain_retractions r WHERE r.tenant_id = $1 AND r.id = $2",
        tx.actor.tenant_id,
        retraction_id,
    )
    return _retraction(row) if row else None


class NewItem(NamedTuple):
    ref: str
    kind: NodeKind
    depth: int


async def add_items(tx: Tx, retraction_id: UUID, new: Sequence[NewItem], at: datetime) -> int:
    """How many of them were not there before."""
    return await tx.execute(
        """
        INSERT INTO chain_items (tenant_id, id, retraction_id, ref, kind, depth, waits, created_at)
        SELECT $1, x.id, $2, x.ref, x.kind, x.depth, true, $3
        FROM unnest($4::uuid[], $5::text[], $6::text[], $7::integer[]) x (id, ref, kind, depth)
        ON CONFLICT (tenant_id, retraction_id, ref) DO NOTHING RETURNING id
        """,
        tx.actor.tenant_id,
        retraction_id,
        at,
        [new_id() for _ in new],
        [item.ref for item in new],
        [str(item.kind) for item in new],
        [item.depth for item in new],
    )


async def count_added(tx: Tx, retraction_id: UUID, added: int, *, truncated: bool) -> None:
    await tx.execute(
        """
        UPDATE chain_retractions SET items = items + $3, open_items = open_items + $3, truncated = $4
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        retraction_id,
        added,
        truncated,
    )


async def undo(tx: Tx, retraction_id: UUID, at: datetime) -> None:
    """What was not settled waits no more."""
    await tx.execute(
        """
        UPDATE chain_retractions SET undone_at = $3, undone_by_kind = $4, undone_by_id = $5, open_items = 0
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        retraction_id,
        at,
        tx.actor.kind,
        tx.actor.id,
    )
    await tx.execute(
        "UPDATE chain_items SET waits = false WHERE tenant_id = $1 AND retraction_id = $2 AND waits",
        tx.actor.tenant_id,
        retraction_id,
    )


async def find_item(tx: Tx, item_id: UUID) -> ItemRow | None:
    row = await tx.fetchrow(
        f"SELECT {_ITEM} {_OF_ITEMS} WHERE i.tenant_id = $1 AND i.id = $2", tx.actor.tenant_id, item_id
    )
    return _item(row) if row else None


async def lock_alike(tx: Tx, item: ItemRow) -> list[ItemRow]:
    """It, and what is settled with it: the same where it waits for other retractions, or was settled in the same moment. All their
    retractions are held, in one order for everybody."""
    alike = "(i.id = $3 OR r.undone_at IS NULL AND (i.waits OR i.settled_at = $4))"
    arguments = (tx.actor.tenant_id, item.ref, item.id, item.settled_at)
    await tx.execute(
        f"""
        SELECT FROM chain_retractions x WHERE x.tenant_id = $1 AND x.id IN (
            SELECT i.retraction_id {_OF_ITEMS} WHERE i.tenant_id = $1 AND i.ref = $2 AND {alike}
        ) ORDER BY x.id FOR UPDATE
        """,
        *arguments,
    )
    rows = await tx.fetch(
        f"SELECT {_ITEM} {_OF_ITEMS} WHERE i.tenant_id = $1 AND i.ref = $2 AND {alike} ORDER BY i.created_at, i.id",
        *arguments,
    )
    return [_item(row) for row in rows]


async def settle(
    tx: Tx, items: Sequence[ItemRow], verdict: ItemVerdict | None, note: str | None, at: datetime
) -> None:
    """Their retractions are held. Without a verdict they wait again."""
    await tx.execute(
        """
        UPDATE chain_items SET verdict = $3, note = $4, waits = $5, settled_at = $6, settled_by_kind = $7, settled_by_id = $8
        WHERE tenant_id = $1 AND id = ANY ($2)
        """,
        tx.actor.tenant_id,
        [item.id for item in items],
        verdict,
        note,
        verdict is None,
        at if verdict else None,
        tx.actor.kind if verdict else None,
        tx.actor.id if verdict else None,
    )
    await tx.execute(
        """
        UPDATE chain_retractions r SET open_items = r.open_items + x.more
        FROM unnest($2::uuid[], $3::integer[]) x (id, more) WHERE r.tenant_id = $1 AND r.id = x.id
        """,
        tx.actor.tenant_id,
        [item.retraction_id for item in items],
        [int(verdict is None) - int(item.verdict is None) for item in items],
    )


async def list_newest_first(
    tx: Tx, in_force: bool | None, before: tuple[object, UUID], limit: int
) -> list[RetractionRow]:
    undone = "" if in_force is None else f"AND r.undone_at IS {'' if in_force else 'NOT '}NULL"
    rows = await tx.fetch(
        f"""
        SELECT {_RETRACTION} FROM chain_retractions r
        WHERE r.tenant_id = $1 AND (r.created_at, r.id) < ($2, $3) {undone}
        ORDER BY r.created_at DESC, r.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *before,
    )
    return [_retraction(row) for row in rows]


# What waits for several retractions is listed and counted once, where it has waited longest.
_FIRST = """
    NOT EXISTS (SELECT FROM chain_items o WHERE o.tenant_id = $1 AND o.ref = i.ref AND o.waits
        AND (o.created_at, o.id) < (i.created_at, i.id))
"""


async def list_items(
    tx: Tx,
    retraction_id: UUID | None,
    waits: bool | None,
    kinds: Sequence[NodeKind],
    after: tuple[object, UUID],
    limit: int,
) -> list[ItemRow]:
    """Oldest first: of what waits, the one that has waited longest."""
    arguments: list[Any] = [tx.actor.tenant_id, *after, [str(kind) for kind in kinds]]
    narrowed = "" if waits is None else f"AND {'' if waits else 'NOT '}i.waits"
    if retraction_id is not None:
        arguments.append(retraction_id)
        narrowed += " AND i.retraction_id = $5"
    elif waits:
        narrowed += f" AND {_FIRST}"
    rows = await tx.fetch(
        f"""
        SELECT {_ITEM} {_OF_ITEMS}
        WHERE i.tenant_id = $1 AND (i.created_at, i.id) > ($2, $3) AND i.kind = ANY ($4) {narrowed}
        ORDER BY i.created_at, i.id LIMIT {limit:d}
        """,
        *arguments,
    )
    return [_item(row) for row in rows]


async def list_waiting(tx: Tx, refs: Sequence[str]) -> list[ItemRow]:
    """Every item about any of these that waits."""
    rows = await tx.fetch(
        f"""
        SELECT {_ITEM} {_OF_ITEMS}
        WHERE i.tenant_id = $1 AND i.waits AND i.ref IN (SELECT jsonb_array_elements_text($2)) ORDER BY i.created_at, i.id
        """,
        tx.actor.tenant_id,
        list(refs),
    )
    return [_item(row) for row in rows]


async def count_waiting(tx: Tx, kinds: Sequence[NodeKind], most: int) -> int:
    found: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (
            SELECT FROM chain_items i WHERE i.tenant_id = $1 AND i.waits AND i.kind = ANY ($2) AND {_FIRST} LIMIT {most:d}
        ) x
        """,
        tx.actor.tenant_id,
        [str(kind) for kind in kinds],
    )
    return found
