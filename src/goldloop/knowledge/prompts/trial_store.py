"""SQL of rows that are tried in prompts of replays: what would hold there if it were active."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeState, KnowledgeType
from goldloop.knowledge.printing import PrintedRow
from goldloop.knowledge.selection import Scope


class TrialRow(NamedTuple):
    """A row, and where it holds."""

    row: PrintedRow
    state: KnowledgeState
    rank: float
    agent_id: UUID | None
    entity_type_id: UUID | None


_COLUMNS = "c.id, c.type, c.content, c.context, c.state, c.rank, c.agent_id, c.entity_type_id"


def _from_row(row: Any) -> TrialRow:
    return TrialRow(
        PrintedRow(row["id"], KnowledgeType(row["type"]), row["content"], row["context"]),
        KnowledgeState(row["state"]),
        row["rank"],
        row["agent_id"],
        row["entity_type_id"],
    )


async def list_named(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, TrialRow]:
    """Those of some ids that are there."""
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM shared_context c WHERE c.tenant_id = $1 AND c.id = ANY ($2)",
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"]: _from_row(row) for row in rows}


async def list_shadow(tx: Tx, scope: Scope, limit: int) -> list[TrialRow]:
    """What would hold in a scope and is in shadow, the highest ranks first."""
    agents, types = zip(*scope.holding, strict=True)
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM shared_context c
        JOIN unnest($2::uuid[], $3::uuid[]) AS scopes (agent, type) ON c.scope_agent = scopes.agent AND c.scope_type = scopes.type
        WHERE c.tenant_id = $1 AND c.state = 'shadow' ORDER BY c.rank DESC, c.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        list(agents),
        list(types),
    )
    return [_from_row(row) for row in rows]
