"""SQL of how rows compare with each other: their vectors, and which of them somebody wants both of. The only writer of
`shared_context_kept`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeState, KnowledgeType


class Compared(NamedTuple):
    """A row as it is compared with others."""

    id: UUID
    type: KnowledgeType
    state: KnowledgeState
    content: str
    context: str | None
    vector: list[float]
    model: str


async def list_to_compare(tx: Tx, model: str, limit: int) -> list[Compared]:
    """The newest that nobody has rejected, with a vector of a model."""
    rows = await tx.fetch(
        f"""
        SELECT c.id, c.type, c.state, c.content, c.context, c.embedding, c.embedding_model FROM shared_context c
        WHERE c.tenant_id = $1 AND c.embedding_model = $2 AND c.state <> 'rejected'
        ORDER BY c.created_at DESC, c.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        model,
    )
    return [_compared(row) for row in rows]


async def find_to_compare(tx: Tx, ids: Sequence[UUID]) -> list[Compared]:
    rows = await tx.fetch(
        """
        SELECT c.id, c.type, c.state, c.content, c.context, c.embedding, c.embedding_model FROM shared_context c
        WHERE c.tenant_id = $1 AND c.id = ANY ($2) AND c.embedding_model IS NOT NULL
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
