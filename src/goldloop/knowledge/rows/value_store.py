"""SQL of what rows were measured to change. The only writer of `shared_context_values`, and of the value of rows."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeType, MeasuredValue
from goldloop.knowledge.printing import PrintedRow, hash_of
from goldloop.knowledge.valuing import as_of


class Measured(NamedTuple):
    """A row that has a value."""

    row_id: UUID
    value: MeasuredValue


def value_of_row(row: Any) -> MeasuredValue | None:
    """Of a row of shared context, with its words as they are."""
    if not row["value"]:
        return None
    printed = PrintedRow(row["id"], KnowledgeType(row["type"]), row["content"], row["context"])
    return as_of(_value(row), hash_of(printed))


def _value(row: Any) -> MeasuredValue:
    return msgspec.convert(row["value"], MeasuredValue)


async def insert(tx: Tx, row_id: UUID, value: MeasuredValue) -> None:
    """Once for each experiment: again, it is what it found at last."""
    await tx.execute(
        """
        INSERT INTO shared_context_values AS v (tenant_id, row_id, experiment_id, value, measured_at)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (tenant_id, row_id, experiment_id) DO UPDATE SET value = excluded.value, measured_at = excluded.measured_at
        """,
        tx.actor.tenant_id,
        row_id,
        value.experiment_id,
        msgspec.to_builtins(value),
        value.measured_at,
    )


async def set_value(tx: Tx, row_id: UUID, value: MeasuredValue, value_z: float | None) -> None:
    """Its rank follows with those of all others."""
    await tx.execute(
        "UPDATE shared_context SET value = $3, value_z = $4, rank_stale = true WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        row_id,
        msgspec.to_builtins(value),
        value_z,
    )


async def set_reasons(tx: Tx, row_id: UUID, value: MeasuredValue) -> None:
    """Whether a value holds still, in the history as well."""
    await tx.execute(
        "UPDATE shared_context SET value = $3, rank_stale = true WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        row_id,
        msgspec.to_builtins(value),
    )
    await tx.execute(
        "UPDATE shared_context_values SET value = $4 WHERE tenant_id = $1 AND row_id = $2 AND experiment_id = $3",
        tx.actor.tenant_id,
        row_id,
        value.experiment_id,
        msgspec.to_builtins(value),
    )


async def list_measured(tx: Tx, after: UUID, limit: int) -> list[Measured]:
    """Rows that have a value, by their ids."""
    rows = await tx.fetch(
        f"""
        SELECT c.id, c.value FROM shared_context c
        WHERE c.tenant_id = $1 AND c.value IS NOT NULL AND c.id > $2 ORDER BY c.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        after,
    )
    return [Measured(row["id"], _value(row)) for row in rows]


async def has_any(tx: Tx) -> bool:
    """Whether anything was ever measured: where nothing was, nothing can be out of date."""
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM shared_context_values v WHERE v.tenant_id = $1)", tx.actor.tenant_id
    )
    return found


async def list_agents(tx: Tx) -> list[UUID]:
    """Those that values were measured with."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT (c.value ->> 'agent_id')::uuid AS agent_id FROM shared_context c
        WHERE c.tenant_id = $1 AND c.value IS NOT NULL ORDER BY agent_id
        """,
        tx.actor.tenant_id,
    )
    return [row["agent_id"] for row in rows]


async def list_newest_first(
    tx: Tx, row_id: UUID, before: tuple[object, UUID], limit: int
) -> Sequence[MeasuredValue]:
    rows = await tx.fetch(
        f"""
        SELECT v.value FROM shared_context_values v
        WHERE v.tenant_id = $1 AND v.row_id = $2 AND (v.measured_at, v.experiment_id) < ($3, $4)
        ORDER BY v.measured_at DESC, v.experiment_id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        row_id,
        *before,
    )
    return [_value(row) for row in rows]
