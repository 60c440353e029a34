"""SQL of rows of shared context. Writes `shared_context`, but for how rows compare, `shared_context_words` and
`knowledge_versions`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.records.words import words
from goldloop.feedback.entries.store import LAST_CHARACTER
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.pagination import Rows, bytes_of, within_bytes
from goldloop.knowledge.model import (
    Flag,
    KnowledgeState,
    KnowledgeType,
    SharedContext,
    Standing,
    WrittenKnowledge,
)
from goldloop.knowledge.rows.group_store import rows_of_group
from goldloop.knowledge.rows.value_store import value_of_row
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

_AUTHOR = (
    "CASE WHEN c.created_by_user_id IS NOT NULL THEN c.created_by_user_id ELSE c.created_by_agent_id END"
)
_COLUMNS = f"""
    c.id, c.type, c.content, c.context, c.agent_id, c.entity_type_id, c.state, c.decided, c.active, c.standing, c.pinned, c.wording,
    c.origins, c.confirmations, c.value, c.tokens, c.rank, c.flags, c.last_confirmed_at, c.source_feedback_id, c.group_id,
    c.created_by_kind, c.created_by_agent_id, c.created_by_user_id, c.metadata, c.read_at, c.version, c.created_at, c.updated_at,
    {name_sql("$1", "c.created_by_kind", _AUTHOR)} AS created_by_name
"""
_BYTES = bytes_of("c.content", "c.metadata")
MOST_WORDS = 300  # of a row: a content of 2,000 characters has hardly more


def from_row(row: Any) -> SharedContext:
    return SharedContext(
        id=row["id"],
        type=KnowledgeType(row["type"]),
        content=row["content"],
        context=row["context"],
        agent_id=row["agent_id"],
        entity_type_id=row["entity_type_id"],
        state=KnowledgeState(row["state"]),
        decided=KnowledgeState(row["decided"]),
        active=row["active"],
        standing=Standing(row["standing"]),
        pinned=row["pinned"],
        wording=row["wording"],
        origins=row["origins"],
        confirmations=row["confirmations"],
        value=value_of_row(row),
        tokens=row["tokens"],
        rank=row["rank"],
        flags=[Flag(flag) for flag in row["flags"]],
        last_confirmed_at=row["last_confirmed_at"],
        source_feedback_id=row["source_feedback_id"],
        group_id=row["group_id"],
        created_by=Party(
            kind=row["created_by_kind"],
            id=row["created_by_user_id"] or row["created_by_agent_id"],
            name=row["created_by_name"],
        ),
        created_by_agent_id=row["created_by_agent_id"],
        created_by_user_id=row["created_by_user_id"],
        metadata=row["metadata"],
        read_at=row["read_at"],
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


class NewRow(NamedTuple):
    """`flags` are those that do not follow from support."""

    id: UUID
    written: WrittenKnowledge
    source_feedback_id: UUID | None
    group_id: UUID | None
    conflicts_with: Sequence[UUID]
    metadata: dict[str, Any]
    flags: Sequence[Flag]
    at: datetime


async def insert(tx: Tx, new: NewRow) -> bool:
    """False when the id is taken. What follows from its support is written after."""
    written = new.written
    return bool(
        await tx.execute(
            """
            INSERT INTO shared_context (tenant_id, id, type, content, context, agent_id, entity_type_id, decided, standing,
                pinned, wording, read_at, confirmations, last_confirmed_at, state, rank, tokens, source_feedback_id, group_id,
                metadata, flags, created_at, updated_at, created_by_kind, created_by_user_id, created_by_agent_id, conflicts_with)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'proposed', 0, 0, $15, $16, $17, $18, $19, $19,
                $20, $21, $22, $23)
            ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            new.id,
            *_values(written),
            new.source_feedback_id,
            new.group_id,
            new.metadata,
            [str(flag) for flag in new.flags],
            new.at,
            tx.actor.kind,
            tx.actor.id if tx.actor.kind is ActorKind.USER else None,
            tx.actor.id if tx.actor.kind is ActorKind.AGENT else None,
            list(new.conflicts_with),
        )
    )


def _values(written: WrittenKnowledge) -> tuple[Any, ...]:
    return (
        written.type,
        written.content,
        written.context,
        written.agent_id,
        written.entity_type_id,
        written.decided,
        written.standing,
        written.pinned,
        written.wording,
        written.read_at,
        written.confirmations,
        written.last_confirmed_at,
    )


async def find(tx: Tx, row_id: UUID) -> SharedContext | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM shared_context c WHERE c.tenant_id = $1 AND c.id = $2",
        tx.actor.tenant_id,
        row_id,
    )
    return from_row(row) if row else None


async def list_there(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    """Those of some ids that rows have."""
    rows = await tx.fetch(
        "SELECT c.id FROM shared_context c WHERE c.tenant_id = $1 AND c.id = ANY ($2)",
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"] for row in rows}


async def lock(tx: Tx, row_id: UUID) -> SharedContext | None:
    """Nobody else changes it until the transaction ends."""
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM shared_context c WHERE c.tenant_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF c",
        tx.actor.tenant_id,
        row_id,
    )
    return from_row(row) if row else None


async def find_of_group(tx: Tx, group_id: UUID) -> list[SharedContext]:
    """Rows that rest on a group of feedback, or on one that was merged into it, the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} FROM shared_context c WHERE c.tenant_id = $1 AND c.id IN ({rows_of_group(2)})
        ORDER BY c.created_at DESC, c.id DESC LIMIT 20
        """,
        tx.actor.tenant_id,
        group_id,
    )
    return [from_row(row) for row in rows]


class Wanted(NamedTuple):
    """Which rows a list has. `waits` are those that a person should look at, `everywhere` those that hold for all agents and
    types."""

    type: KnowledgeType | None = None
    state: KnowledgeState | None = None
    agent_id: UUID | None = None
    entity_type_id: UUID | None = None
    group_id: UUID | None = None
    waits: bool | None = None
    everywhere: bool | None = None
    terms: tuple[str, ...] = ()


async def list_newest_first(
    tx: Tx, wanted: Wanted, before: tuple[object, UUID], limit: int
) -> Rows[SharedContext]:
    conditions = ["c.tenant_id = $1", "(c.created_at, c.id) < ($2, $3)"]
    arguments: list[Any] = [tx.actor.tenant_id, *before]
    for name, value in wanted._asdict().items():
        if name not in ("waits", "everywhere", "terms") and value is not None:
            arguments.append(value)
            is_group = name == "group_id"
            where = (
                f"c.id IN ({rows_of_group(len(arguments))})" if is_group else f"c.{name} = ${len(arguments)}"
            )
            conditions.append(where)
    if wanted.waits is not None:
        conditions.append("c.waits" if wanted.waits else "NOT c.waits")
    if wanted.everywhere is not None:
        everywhere = "c.agent_id IS NULL AND c.entity_type_id IS NULL"
        conditions.append(everywhere if wanted.everywhere else f"NOT ({everywhere})")
    for term in wanted.terms:
        arguments += [term, term + LAST_CHARACTER]
        conditions.append(
            f"""c.id IN (SELECT w.row_id FROM shared_context_words w WHERE w.tenant_id = $1
                AND w.word >= ${len(arguments) - 1} AND w.word < ${len(arguments)})"""
        )
    query = f"""
        SELECT {_COLUMNS}, {_BYTES} FROM shared_context c WHERE {" AND ".join(conditions)}
        ORDER BY c.created_at DESC, c.id DESC LIMIT {limit:d}
    """
    return Rows.read(await tx.fetch(within_bytes(query), *arguments), from_row)


async def set_words(tx: Tx, row_id: UUID, written: WrittenKnowledge) -> None:
    """What it is found by."""
    found = words(f"{written.content} {written.context or ''}", MOST_WORDS)
    await tx.execute(
        "DELETE FROM shared_context_words WHERE tenant_id = $1 AND row_id = $2 AND NOT word = ANY ($3)",
        tx.actor.tenant_id,
        row_id,
        found,
    )
    await tx.execute(
        """
        INSERT INTO shared_context_words (tenant_id, row_id, word)
        SELECT $1::uuid, $2::uuid, w.word FROM unnest($3::text[]) AS w (word) ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        row_id,
        found,
    )


async def set_erased(tx: Tx, row_id: UUID, at: datetime) -> None:
    await tx.execute(
        "UPDATE shared_context SET erased_at = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        row_id,
        at,
    )


async def find_erased_at(tx: Tx, row_id: UUID) -> datetime | None:
    found: datetime | None = await tx.fetchval(
        "SELECT c.erased_at FROM shared_context c WHERE c.tenant_id = $1 AND c.id = $2",
        tx.actor.tenant_id,
        row_id,
    )
    return found


async def count_waiting(tx: Tx, most: int) -> int:
    counted: int = await tx.fetchval(
        "SELECT count(*) FROM (SELECT FROM shared_context c WHERE c.tenant_id = $1 AND c.waits LIMIT $2) waiting",
        tx.actor.tenant_id,
        most,
    )
    return counted


async def write(tx: Tx, row_id: UUID, written: WrittenKnowledge, at: datetime) -> None:
    """What was compared before is compared anew where the words changed."""
    await tx.execute(
        """
        UPDATE shared_context SET type = $3, content = $4, context = $5, agent_id = $6, entity_type_id = $7, decided = $8,
            standing = $9, pinned = $10, wording = $11, read_at = $12, confirmations = $13, last_confirmed_at = $14,
            updated_at = $15, version = version + 1,
            embedding = CASE WHEN (content, context) IS NOT DISTINCT FROM ($4, $5) THEN embedding END,
            embedding_model = CASE WHEN (content, context) IS NOT DISTINCT FROM ($4, $5) THEN embedding_model END
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        row_id,
        *_values(written),
        at,
    )


class Derived(NamedTuple):
    """What follows from a row and its support."""

    state: KnowledgeState
    flags: Sequence[Flag]
    origins: int
    rank: float
    tokens: int


async def set_derived(tx: Tx, row_id: UUID, new: Derived) -> None:
    await tx.execute(
        """
        UPDATE shared_context SET state = $3, flags = $4, origins = $5, rank = $6, tokens = $7, rank_stale = false
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        row_id,
        new.state,
        [str(flag) for flag in new.flags],
        new.origins,
        new.rank,
        new.tokens,
    )


async def find_value_z(tx: Tx, row_id: UUID) -> float | None:
    found: float | None = await tx.fetchval(
        "SELECT c.value_z FROM shared_context c WHERE c.tenant_id = $1 AND c.id = $2",
        tx.actor.tenant_id,
        row_id,
    )
    return found


async def set_confirmed(tx: Tx, row_id: UUID, at: datetime) -> None:
    """Something confirmed it; its rank follows with those of all others that were."""
    await tx.execute(
        """
        UPDATE shared_context SET confirmations = confirmations + 1, last_confirmed_at = greatest(last_confirmed_at, $3),
            rank_stale = true
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        row_id,
        at,
    )


async def list_stale(tx: Tx, limit: int) -> list[UUID]:
    rows = await tx.fetch(
        f"SELECT c.id FROM shared_context c WHERE c.tenant_id = $1 AND c.rank_stale ORDER BY c.id LIMIT {limit:d}",
        tx.actor.tenant_id,
    )
    return [row["id"] for row in rows]


async def set_metadata(tx: Tx, row_id: UUID, metadata: dict[str, Any]) -> None:
    await tx.execute(
        "UPDATE shared_context SET metadata = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        row_id,
        metadata,
    )


async def add_flag(tx: Tx, row_id: UUID, flag: Flag) -> bool:
    """False where it has it already."""
    return bool(
        await tx.execute(
            "UPDATE shared_context SET flags = flags || $3::text WHERE tenant_id = $1 AND id = $2 AND NOT $3 = ANY (flags)",
            tx.actor.tenant_id,
            row_id,
            flag,
        )
    )


async def drop_flag(tx: Tx, row_id: UUID, flag: Flag) -> None:
    await tx.execute(
        "UPDATE shared_context SET flags = array_remove(flags, $3) WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        row_id,
        flag,
    )


async def clear_flags(tx: Tx, row_id: UUID) -> None:
    await tx.execute(
        "UPDATE shared_context SET flags = '{}' WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        row_id,
    )


async def delete(tx: Tx, row_id: UUID) -> bool:
    return bool(
        await tx.execute(
            "DELETE FROM shared_context WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, row_id
        )
    )


async def advance_version(tx: Tx) -> None:
    """What prompts hold may be otherwise from now on."""
    await tx.execute(
        """
        INSERT INTO knowledge_versions AS v (tenant_id, version) VALUES ($1, 1)
        ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1
        """,
        tx.actor.tenant_id,
    )
