"""SQL of promotion: two functions, each one row lock."""

from typing import Any
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.ids import new_id


async def promote(
    tx: Tx,
    entity_id: UUID,
    response_id: UUID,
    version: int,
    type_version: int,
    content: dict[str, Any],
    dimensions: dict[str, str],
) -> str:
    """`promoted`, `conflict` (record or type changed), `not_promotable` (reviewed meanwhile) or `absent`."""
    outcome: str = await tx.fetchval(
        "SELECT promote_field_values($1, $2, $3, $4, $5, $6, $7)",
        entity_id,
        response_id,
        version,
        type_version,
        content,
        dimensions,
        new_id(),
    )
    return outcome


async def undo(
    tx: Tx,
    entity_id: UUID,
    field: str,
    promotion_id: UUID,
    version: int,
    type_version: int,
    content: dict[str, Any],
) -> str:
    """`undone`, `conflict`, `changed_since` or `absent`."""
    outcome: str = await tx.fetchval(
        "SELECT undo_promotion($1, $2, $3, $4, $5, $6, $7)",
        entity_id,
        field,
        promotion_id,
        version,
        type_version,
        content,
        new_id(),
    )
    return outcome
