"""SQL of how rows compare with each other: their vectors, and which of them somebody wants both of. The only writer of
`shared_context_kept`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeState, KnowledgeType

LOOKED_AT = 2000  # of the newest rows of a workspace among which those of a scope are found


class Compared(NamedTuple):
    """A row as it is compared with others. `conflicts_with` are those that whoever wrote it says it contradicts."""

    id: UUID
    type: KnowledgeType
    state: KnowledgeState
    content: str
    context: str | None
    agent_id: UUID | None
    entity_type_id: UUID | None
    conflicts_with: list[UUID]
    created_at: datetime
    vector: list[float] | None
    model: str | None

    @property
    def words(self) -> str:
        return words_of(self.content, self.context)


_COLUMNS = """
    c.id, c.type, c.state, c.content, c.context, c.agent_id, c.entity_type_id, c.conflicts_with, c.created_at
"""


_READ = """
    c.id, c.type, c.state, c.content, c.context, c.agent_id, c.entity_type_id, c.conflicts_with, c.created_at, c.embedding,
    c.embedding_model
"""


async def list_overlapping(
    tx: Tx, own: Compared, states: Sequence[KnowledgeState], limit: int
) -> tuple[list[Compared], bool]:
    """The newest others in some states that hold where a row does, at least in part; with vectors where the row has one of the
    same model. And whether there may be more."""
    newest = f"""
        SELECT {_COLUMNS}, CASE WHEN c.embedding_model = $6 THEN c.embedding END AS embedding,
               CASE WHEN c.embedding_model = $6 THEN c.embedding_model END AS embedding_model
        FROM shared_context c WHERE c.tenant_id = $1 AND c.id <> $2 AND c.state = ANY ($3)
        ORDER BY c.created_at DESC, c.id DESC LIMIT {LOOKED_AT + 1:d}
    """
    rows = await tx.fetch(
        f"""
        WITH newest AS MATERIALIZED ({newest})
        SELECT n.looked_at, {_READ} FROM (SELECT count(*) AS looked_at FROM newest) n
        LEFT JOIN LATERAL (
            SELECT {_READ} FROM newest c
            WHERE ($4::uuid IS NULL OR c.agent_id IS NULL OR c.agent_id = $4)
              AND ($5::uuid IS NULL OR c.entity_type_id IS NULL OR c.entity_type_id = $5)
            ORDER BY c.created_at DESC, c.id DESC LIMIT {limit + 1:d}
        ) c ON true
        """,
        tx.actor.tenant_id,
        own.id,
        [str(state) for state in states],
        own.agent_id,
        own.entity_type_id,
        own.model,
    )
    found = [_compared(row) for row in rows if row["id"] is not None]
    return found[:limit], len(found) > limit or rows[0]["looked_at"] > LOOKED_AT


async def find_to_compare(tx: Tx, ids: Sequence[UUID]) -> list[Compared]:
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS}, c.embedding, c.embedding_model FROM shared_context c WHERE c.tenant_id = $1 AND c.id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return [_compared(row) for row in rows]


def _compared(row: Any) -> Compared:
    return Compared(
        row["id"],
        KnowledgeType(row["type"]),
        KnowledgeState(row["state"]),
        row["content"],
        row["context"],
        row["agent_id"],
        row["entity_type_id"],
        row["conflicts_with"],
        row["created_at"],
        row["embedding"],
        row["embedding_model"],
    )


async def list_unread(tx: Tx, limit: int) -> list[tuple[UUID, str]]:
    """Rows without a vector, with the words that one is made of."""
    rows = await tx.fetch(
        f"""
        SELECT c.id, c.content, c.context FROM shared_context c WHERE c.tenant_id = $1 AND c.embedding_model IS NULL
        ORDER BY c.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
    )
    return [(row["id"], words_of(row["content"], row["context"])) for row in rows]


async def list_unsettled(tx: Tx, waits_for: str) -> list[UUID]:
    """Rows with a vector that still wait for nothing but this."""
    rows = await tx.fetch(
        """
        SELECT c.id FROM shared_context c
        WHERE c.tenant_id = $1 AND c.state = 'proposed' AND c.embedding_model IS NOT NULL AND c.metadata -> 'waits_for' = $2
        ORDER BY c.id
        """,
        tx.actor.tenant_id,
        [waits_for],
    )
    return [row["id"] for row in rows]


def words_of(content: str, context: str | None) -> str:
    return f"{context}: {content}" if context else content


async def set_vectors(tx: Tx, model: str, vectors: Sequence[tuple[UUID, str, list[float]]]) -> None:
    """Of rows that still have these words."""
    await tx.executemany(
        """
        UPDATE shared_context SET embedding = $4, embedding_model = $5
        WHERE tenant_id = $1 AND id = $2 AND coalesce(context || ': ', '') || content = $3
        """,
        [(tx.actor.tenant_id, row_id, words, vector, model) for row_id, words, vector in vectors],
    )


async def keep_both(tx: Tx, one: UUID, other: UUID, at: datetime) -> None:
    await tx.execute(
        """
        INSERT INTO shared_context_kept (tenant_id, row_id, other_id, kept_by_kind, kept_by_id, kept_at)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        min(one, other),
        max(one, other),
        tx.actor.kind,
        tx.actor.id,
        at,
    )


async def list_kept(tx: Tx, row_id: UUID) -> set[UUID]:
    """The rows that somebody wants beside this one."""
    rows = await tx.fetch(
        """
        SELECT k.other_id AS id FROM shared_context_kept k WHERE k.tenant_id = $1 AND k.row_id = $2
        UNION ALL SELECT k.row_id FROM shared_context_kept k WHERE k.tenant_id = $1 AND k.other_id = $2
        """,
        tx.actor.tenant_id,
        row_id,
    )
    return {row["id"] for row in rows}
